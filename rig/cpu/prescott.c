/* Prescott with EM64T: what the rig leaves out. Events: pmu/kind/netburst_rows.c. */
#include "part.h"

/* clang-format off */

static const struct part part = {
#include "prescott.inc"
};
CORE(prescott);

static const struct personality prescott = {
    .name = "prescott",
    .title = "Prescott with EM64T, 0F_04H stepping 1: 3 slots, 43 ESCRs, 18 counters, LBR",
    .omitted =
        "no BTS (IA32_MISC_ENABLE says so), no PEBS with two threads a core, no branch trace "
        "messages; execution tags for SSE arithmetic only, one uop for each instruction; no SMI, "
        "machine check, thermal event or assist; events of the FIRM and DAC units, BSQ_active_entries, "
        "b2b_cycles, bnr, snoop, response, replays by the MOB and SAAT units and flushes of the trace "
        "cache count nothing, and the report at the end names them; of the other bus events so do masks "
        "with other agents, other request types, DBSY, states of lines in L2 or writes in the queue; a "
        "line of 64 bytes is a transaction, there is no prefetch, and an allocation lasts one cycle; "
        "uops of a wrong path have no instruction and no "
        "kind: uops_retired counts them as bogus, uop_queue_writes as they are issued and by the "
        "trace cache's mode, bogus instructions and bogus tagged uops count nothing; all cycles "
        "until the recovery of a machine clear count as its; in a "
        "cycle without a uop of the decoders or of the trace cache the mode of the "
        "trace cache is the last one, and a long flow of microcode does not make a thread "
        "inactive; an instruction is tagged if one of its uops is; replay tags are also on "
        "locked accesses and returns, and those of the DTLB count page walks; UNCONDITIONAL of "
        "the branch type events is unknown; uops follow the model, which fuses a load with its "
        "operation and a comparison with its branch, unlike this part; the trace cache holds "
        "code by address; counters stop while both the clock and the core are halted; " OMITTED_TLBS
        ", ACTIVE_THREAD must be 11B, a comparator sees one thread at a time but for "
        "TC_deliver_mode, and the truth file opens a window only for the thread that wrote to "
        "it; errata (MSR_BPU_CCCR1, lost writes) do not occur",
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(prescott);
