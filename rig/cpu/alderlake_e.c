/* Alder Lake: its E core (Gracemont): events.
 *
 * Encodings and the counters that can count them: the vendor's public event list for this core
 * (alderlake_gracemont_core V1.40). It is not registered by itself, since it is the small core of
 * the hybrid part. */
#include "part.h"

/* clang-format off */

/* TOPDOWN_RETIRING.ALL and UOPS_RETIRED.ALL have one encoding. MEM_UOPS_RETIRED counts uops; on
 * the rig it counts instructions. */
static const struct pmu_event rows[] = {
    /* clocks, instructions, last-level cache */
    { 0x3c, 0x00, ANY6, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P" },
    { 0x3c, 0x01, ANY6, false, COUNTS_TICKS(PER_TSC_TICK), "CPU_CLK_UNHALTED.REF_TSC_P" },
    { 0x2e, 0x4f, ANY6, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE" },
    { 0x2e, 0x41, ANY6, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS" },
    { 0xc0, 0x00, ANY6, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" },

    /* branches */
    { 0xc4, 0x00, ANY6, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES" },
    { 0xc4, 0x7e, ANY6, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.COND" },
    { 0xc4, 0xfe, ANY6, false, COUNTS(BRANCHES_CONDITIONAL_TAKEN), "BR_INST_RETIRED.COND_TAKEN" },
    { 0xc4, 0xf9, ANY6, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL" },
    { 0xc4, 0xf7, ANY6, false, COUNTS(BRANCHES_RETURN), "BR_INST_RETIRED.NEAR_RETURN" },
    { 0xc4, 0xc0, ANY6, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.NEAR_TAKEN" },
    { 0xc4, 0xbf, ANY6, false, COUNTS(BRANCHES_FAR), "BR_INST_RETIRED.FAR_BRANCH" },
    { 0xc4, 0xeb, ANY6, false, COUNTS(BRANCHES_INDIRECT), "BR_INST_RETIRED.INDIRECT" },
    { 0xc5, 0x00, ANY6, false, COUNTS(MISPREDICTS), "BR_MISP_RETIRED.ALL_BRANCHES" },
    { 0xc5, 0x7e, ANY6, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.COND" },
    { 0xc5, 0xf7, ANY6, false, COUNTS(MISPREDICTS_RETURN), "BR_MISP_RETIRED.RETURN" },
    { 0xc5, 0x80, ANY6, false, COUNTS(MISPREDICTS_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN" },
    { 0xc5, 0xeb, ANY6, false, COUNTS(MISPREDICTS_INDIRECT), "BR_MISP_RETIRED.INDIRECT" },
    { 0xe6, 0x01, ANY6, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0x71, 0x00, ANY6, false, COUNTS_LESS(FE_UNDELIVERED, SLOTS_REFILLING),
      "TOPDOWN_FE_BOUND.ALL" },
    { 0x71, 0x20, ANY6, false, COUNTS(SLOTS_FOR_LINE), "TOPDOWN_FE_BOUND.ICACHE" },
    { 0x71, 0x10, ANY6, false, COUNTS(SLOTS_FOR_TRANSLATION), "TOPDOWN_FE_BOUND.ITLB" },
    { 0x71, 0x02, ANY6, false, COUNTS(SLOTS_FOR_BRANCH), "TOPDOWN_FE_BOUND.BRANCH_DETECT" },
    { 0x71, 0x40, ANY6, false, COUNTS(NEVER), "TOPDOWN_FE_BOUND.BRANCH_RESTEER" },
    { 0x71, 0x72, ANY6, false, COUNTS(SLOTS_FOR_CODE), "TOPDOWN_FE_BOUND.FRONTEND_LATENCY" },
    { 0x71, 0x01, ANY6, false, COUNTS(SLOTS_FOR_SEQUENCER), "TOPDOWN_FE_BOUND.CISC" },
    { 0x71, 0x08, ANY6, false, COUNTS_LESS(FE_UNDELIVERED, SLOTS_NOT_DECODERS),
      "TOPDOWN_FE_BOUND.DECODE" },
    { 0x71, 0x04, ANY6, false, COUNTS(NEVER), "TOPDOWN_FE_BOUND.PREDECODE" },
    { 0x71, 0x80, ANY6, false, COUNTS(SLOTS_FOR_LENGTH), "TOPDOWN_FE_BOUND.OTHER" },
    { 0x71, 0x8d, ANY6, false, COUNTS_LESS(FE_UNDELIVERED, SLOTS_NOT_BANDWIDTH),
      "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH" },
    { 0x74, 0x00, ANY6, false, COUNTS(BE_BLOCKED), "TOPDOWN_BE_BOUND.ALL" },
    { 0x74, 0x01, ANY6, false, COUNTS(SLOTS_RESTRICTED), "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS" },
    { 0x74, 0x02, ANY6, false, COUNTS(SLOTS_FOR_MEMORY), "TOPDOWN_BE_BOUND.MEM_SCHEDULER" },
    { 0x74, 0x08, ANY6, false, COUNTS(SLOTS_FOR_SCHEDULER), "TOPDOWN_BE_BOUND.NON_MEM_SCHEDULER" },
    { 0x74, 0x20, ANY6, false, COUNTS(NEVER), "TOPDOWN_BE_BOUND.REGISTER" },
    { 0x74, 0x40, ANY6, false, COUNTS(SLOTS_FOR_ROB), "TOPDOWN_BE_BOUND.REORDER_BUFFER" },
    { 0x74, 0x10, ANY6, false, COUNTS(SLOTS_SERIAL), "TOPDOWN_BE_BOUND.SERIALIZATION" },
    { 0x73, 0x00, ANY6, false, COUNTS_BOTH(SLOTS_BAD, SLOTS_REFILLING),
      "TOPDOWN_BAD_SPECULATION.ALL" },
    { 0x73, 0x04, ANY6, false, COUNTS_BOTH(SLOTS_MISPREDICT, SLOTS_REFILLING_BRANCH),
      "TOPDOWN_BAD_SPECULATION.MISPREDICT" },
    { 0x73, 0x03, ANY6, false, COUNTS_BOTH(SLOTS_NUKE, SLOTS_FAST_NUKE),
      "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS" },
    { 0x73, 0x01, ANY6, false, COUNTS(SLOTS_NUKE), "TOPDOWN_BAD_SPECULATION.NUKE" },
    { 0x73, 0x02, ANY6, false, COUNTS(SLOTS_FAST_NUKE), "TOPDOWN_BAD_SPECULATION.FASTNUKE" },
    { 0xc2, 0x00, ANY6, false, COUNTS(UOPS_RETIRED), "TOPDOWN_RETIRING.ALL" },
    { 0x0e, 0x00, ANY6, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    ORDERING_ALONE(ANY6),
    { 0xc3, 0x08, ANY6, false, COUNTS(MACHINE_CLEARS_DISAMBIGUATION),
      "MACHINE_CLEARS.DISAMBIGUATION" },
    { 0xc3, 0x01, ANY6, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC" },

    /* front end */
    { 0x85, 0x01, ANY6, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.MISS_CAUSED_WALK" },
    { 0x85, 0x0e, ANY6, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },

    /* execution */
    { 0xcd, 0x03, ANY6, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIV_ACTIVE" },

    /* memory */
    { 0xd0, 0x81, ANY6, false, COUNTS(LOADS), "MEM_UOPS_RETIRED.ALL_LOADS" },
    { 0xd0, 0x82, ANY6, false, COUNTS(STORES), "MEM_UOPS_RETIRED.ALL_STORES" },
    { 0xd0, 0x83, ANY6, false, COUNTS_BOTH(LOADS, STORES), "MEM_UOPS_RETIRED.ALL" },
    { 0xd1, 0x01, ANY6, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_UOPS_RETIRED.L1_HIT" },
    { 0xd1, 0x02, ANY6, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_UOPS_RETIRED.L2_HIT" },
    { 0xd1, 0x04, ANY6, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_UOPS_RETIRED.L3_HIT" },
    { 0xd1, 0x08, ANY6, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_UOPS_RETIRED.L1_MISS" },
    { 0xd1, 0x10, ANY6, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_UOPS_RETIRED.L2_MISS" },
    { 0xd1, 0x80, ANY6, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_UOPS_RETIRED.DRAM_HIT" },
    { 0x08, 0x0e, ANY6, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x0e, ANY6, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
};

const struct event_table alderlake_e_events = { .row = rows, .count = COUNT_OF(rows) };

static const struct part part = {
#include "alderlake_e.inc"
    .pmu.events = &alderlake_e_events,
};
CORE(alderlake_e);

const struct personality alderlake_e = {
    .name = "alderlake_e",
    .title = "Alder Lake, E core (Gracemont): 5 slots, 6 counters",
    .omitted = "see alderlake",
    .core = &part.core,
    .pmu = &part.pmu,
    .single_thread = true,
};
/* clang-format on */
