/* Zen 4 (Genoa): events.
 *
 * Encodings: the public event lists of Linux perf (amdzen4) and libpfm4, which agree. */
#include "part.h"

/* clang-format off */

#define WIDTH 6 /* slots a cycle */

/* While dispatch waits for the front end to return from the wrong path, its slots have no ops,
 * and the published formulas count them as front end bound: bad speculation is only ops that
 * were dispatched and did not retire. */
#define NO_OPS                                                                                     \
    {                                                                                              \
        .signal = SIG_FE_UNDELIVERED, .weight = 1, .plus = SIG_RECOVERY, .plus_weight = WIDTH      \
    }

/* Slots of the cycles in which dispatch serves the other thread. */
#define CONTENDED                                                                                  \
    {                                                                                              \
        .signal = SIG_UNHALTED, .weight = WIDTH, .plus = SIG_ALLOCATOR, .plus_weight = -WIDTH      \
    }

static const struct amd_event events[] = {
    { 0x076, 0x00, COUNTS(UNHALTED), "ls_not_halted_cyc" },
    { 0x0c0, 0x00, COUNTS(INSTRUCTIONS), "ex_ret_instr" },
    { 0x0c1, 0x00, COUNTS(UOPS_RETIRED), "ex_ret_ops" },
    { 0x0c2, 0x00, COUNTS(BRANCHES), "ex_ret_brn" },
    { 0x0c3, 0x00, COUNTS(MISPREDICTS), "ex_ret_brn_misp" },
    /* every change of the control flow, far ones among them */
    { 0x0c4, 0x00, COUNTS_BOTH(BRANCHES_TAKEN, BRANCHES_FAR), "ex_ret_brn_tkn" },
    { 0x0c5, 0x00, COUNTS(MISPREDICTS_TAKEN), "ex_ret_brn_tkn_misp" },
    { 0x0c6, 0x00, COUNTS(BRANCHES_FAR), "ex_ret_brn_far" },
    { 0x0c8, 0x00, COUNTS(BRANCHES_RETURN), "ex_ret_near_ret" },
    { 0x0c9, 0x00, COUNTS(MISPREDICTS_RETURN), "ex_ret_near_ret_mispred" },
    { 0x0ca, 0x00, COUNTS(MISPREDICTS_INDIRECT), "ex_ret_brn_ind_misp" },
    { 0x0cc, 0x00, COUNTS(BRANCHES_INDIRECT), "ex_ret_ind_brch_instr" },
    { 0x0d1, 0x00, COUNTS(BRANCHES_CONDITIONAL), "ex_ret_cond" },
    /* One reason a cycle, the lowest bit of 7:0 that holds; bits 7:5 of the mask with 5 ask for
     * loads alone. A locked or serialising instruction is taken to be incomplete, too [guess]. */
    { 0x0d6, 0x01, COUNTS(NO_RETIRE_EMPTY), "ex_no_retire.empty" },
    { 0x0d6, 0x02, COUNTS(NO_RETIRE_INCOMPLETE), "ex_no_retire.not_complete" },
    { 0x0d6, 0xa2, COUNTS(NO_RETIRE_LOAD), "ex_no_retire.load_not_complete" },
    { 0x1c2, 0x00, COUNTS(MS_UOPS_RETIRED), "ex_ret_ucode_ops" },
    { 0x1d0, 0x00, COUNTS(MACRO_FUSED), "ex_ret_fused_instr" },
    { 0x096, 0x00, COUNTS(MACHINE_CLEARS), "resyncs_or_nc_redirects" },
    { 0x0aa, 0x07, COUNTS(UOPS_ISSUED), "de_src_op_disp.all" },
    { 0x1a0, 0x01, NO_OPS, "de_no_dispatch_per_slot.no_ops_from_frontend" },
    { 0x1a0, 0x1e, COUNTS(BE_BLOCKED), "de_no_dispatch_per_slot.backend_stalls" },
    { 0x1a0, 0x60, CONTENDED, "de_no_dispatch_per_slot.smt_contention" },
};

static const struct amd_parameters amd = {
    .counters = 6,
    .branches = 16,
    .events = events, .event_count = COUNT_OF(events),
};

static const struct part part = {
#include "zen4.inc"
    .pmu.amd = &amd,
};
CORE(zen4);

static const struct personality zen4 = {
    .name = "zen4",
    .title = "Zen 4 (Genoa), 19_11H stepping 1: 6 slots, 6 core counters, PerfMonV2, LbrExtV2",
    .omitted =
        "no counters of the L3, the data fabric and the memory controllers, no IBS, no SVM "
        "(GUEST_ONLY counts nothing), no energy registers, no SMI, machine check or thermal "
        "event; one constant frequency; no single last branch registers, no speculative branch "
        "records and no fused branches in the stack; the merge event is unknown; " OMITTED_VECTORS
        "; SSSE3, SSE4, F16C, SSE4A and SVM are hidden; the prefetch control register can be "
        "written and changes nothing; "
        OMITTED_EVENTS("op queue, de_src_op_disp by source, tokens, "
                       "caches") "; slots in which dispatch recovers from a mispredict count as "
        "slots without ops from the front end; a PMI may not come late; " OMITTED_TLBS "; two "
        "threads share the op cache as on Intel's parts",
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(zen4);
