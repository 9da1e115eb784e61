/* The events of Golden Cove and Redwood Cove.
 *
 * Encodings and the counters that can count them: the vendor's public event lists
 * sapphirerapids_core V1.39, alderlake_goldencove_core V1.40 and graniterapids_core V1.20, which
 * agree in all rows here. */
#include "golden_cove.h"

#define ANY8 0xff
#define LOW4 0x0f
#define ONLY0 0x01

/* CYCLE_ACTIVITY, MEMORY_ACTIVITY and EXE_ACTIVITY.BOUND_ON_* are published with a cmask above 1
 * only: the value in such a cycle is taken to be just that. An instruction that loads and stores
 * counts twice in MEM_INST_RETIRED.ANY: whether silicon agrees is not published. */
const struct pmu_event golden_cove_events[GOLDEN_COVE_EVENTS] = {
    /* clocks, instructions, last-level cache */
    { 0x3c, 0x00, ANY8, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P" },
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_TSC_TICK), "CPU_CLK_UNHALTED.REF_TSC_P" },
    { 0x3c, 0x02, ANY8, false, COUNTS_TICKS_WHILE(PER_CRYSTAL_TICK, ALONE),
      "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE" },
    { 0xec, 0x02, ANY8, false, COUNTS(ALLOCATOR), "CPU_CLK_UNHALTED.DISTRIBUTED" },
    { 0x2e, 0x4f, ANY8, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE" },
    { 0x2e, 0x41, ANY8, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS" },
    { 0xc0, 0x00, ANY8, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" },
    { 0xc0, 0x02, ANY8, false, COUNTS(NOPS_RETIRED), "INST_RETIRED.NOP" },
    { 0xc0, 0x10, ANY8, false, COUNTS(MACRO_FUSED), "INST_RETIRED.MACRO_FUSED" },

    /* branches */
    { 0xc4, 0x00, ANY8, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES" },
    { 0xc4, 0x11, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.COND" },
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL_TAKEN), "BR_INST_RETIRED.COND_TAKEN" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.COND_NTAKEN" },
    { 0xc4, 0x02, ANY8, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL" },
    { 0xc4, 0x08, ANY8, false, COUNTS(BRANCHES_RETURN), "BR_INST_RETIRED.NEAR_RETURN" },
    { 0xc4, 0x20, ANY8, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.NEAR_TAKEN" },
    { 0xc4, 0x40, ANY8, false, COUNTS(BRANCHES_FAR), "BR_INST_RETIRED.FAR_BRANCH" },
    { 0xc4, 0x80, ANY8, false, COUNTS(BRANCHES_INDIRECT), "BR_INST_RETIRED.INDIRECT" },
    { 0xc5, 0x00, ANY8, false, COUNTS(MISPREDICTS), "BR_MISP_RETIRED.ALL_BRANCHES" },
    { 0xc5, 0x11, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.COND" },
    { 0xc5, 0x08, ANY8, false, COUNTS(MISPREDICTS_RETURN), "BR_MISP_RETIRED.RET" },
    { 0xc5, 0x20, ANY8, false, COUNTS(MISPREDICTS_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN" },
    { 0xc5, 0x80, ANY8, false, COUNTS(MISPREDICTS_INDIRECT), "BR_MISP_RETIRED.INDIRECT" },
    { 0x60, 0x01, LOW4, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0xa4, 0x01, ANY8, false, COUNTS_TIMES(ALLOCATOR, GOLDEN_COVE_WIDTH), "TOPDOWN.SLOTS_P" },
    { 0xa4, 0x02, ANY8, false, COUNTS(BE_BLOCKED), "TOPDOWN.BACKEND_BOUND_SLOTS" },
    { 0xa4, 0x08, ONLY0, false, COUNTS(SLOTS_MISPREDICT), "TOPDOWN.BR_MISPREDICT_SLOTS" },
    { 0xa4, 0x10, ANY8, false, COUNTS(BE_MEMORY_SLOTS), "TOPDOWN.MEMORY_BOUND_SLOTS" },
    { 0xa4, 0x04, ONLY0, false, COUNTS(SLOTS_BAD), "TOPDOWN.BAD_SPEC_SLOTS" },
    { 0xae, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, ANY8, false, COUNTS(FE_UNDELIVERED), "IDQ_BUBBLES.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.SLOTS" },
    { 0xc2, 0x01, ANY8, false, COUNTS(SLOTS_HEAVY), "UOPS_RETIRED.HEAVY" },
    { 0xad, 0x01, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },
    { 0xad, 0x80, ANY8, false, COUNTS(CLEAR_RESTEER), "INT_MISC.CLEAR_RESTEER_CYCLES" },
    { 0xad, 0x10, ANY8, false, COUNTS(UOP_DROPPING), "INT_MISC.UOP_DROPPING" },
    { 0xc3, 0x01, ANY8, false, COUNTS(MACHINE_CLEARS), "MACHINE_CLEARS.COUNT" },
    { 0xc3, 0x02, ANY8, false, COUNTS(MACHINE_CLEARS_ORDERING), "MACHINE_CLEARS.MEMORY_ORDERING" },
    { 0xc3, 0x04, ANY8, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC" },
    { 0xc1, 0x1b, ANY8, false, COUNTS(ASSISTS), "ASSISTS.ANY" },

    /* front end */
    { 0x79, 0x04, LOW4, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS" },
    { 0x79, 0x08, LOW4, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS" },
    { 0x79, 0x20, LOW4, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS" },
    { 0x76, 0x01, LOW4, false, COUNTS(DECODER0_ONLY), "UOPS_DECODED.DEC0_UOPS" },
    { 0xa8, 0x01, ANY8, false, COUNTS(LSD_UOPS), "LSD.UOPS" },
    { 0x61, 0x02, LOW4, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES" },
    { 0x87, 0x01, LOW4, false, COUNTS(LCP_STALL), "DECODE.LCP" },
    { 0x80, 0x04, LOW4, false, COUNTS(ICACHE_STALL), "ICACHE_DATA.STALLS" },
    { 0x83, 0x04, LOW4, false, COUNTS(ITLB_STALL), "ICACHE_TAG.STALLS" },
    { 0x11, 0x0e, LOW4, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x11, 0x20, LOW4, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },

    /* execution */
    { 0xb1, 0x01, ANY8, false, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.THREAD" },
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE_CYCLES_GE_1" },
    { 0xa5, 0x07, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS.EMPTY" },
    { 0xb0, 0x09, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIV_ACTIVE" },
    { 0xa3, 0x04, ANY8, false, COUNTS_TIMES(STALL_TOTAL, 4), "CYCLE_ACTIVITY.STALLS_TOTAL" },
    { 0xa3, 0x0c, LOW4, false, COUNTS_TIMES(STALL_L1D_MISS, 12), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x05, LOW4, false, COUNTS_TIMES(STALL_L2_MISS, 5), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, LOW4, false, COUNTS_TIMES(STALL_L3_MISS, 6), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0x47, 0x03, LOW4, false, COUNTS_TIMES(STALL_L1D_MISS, 3), "MEMORY_ACTIVITY.STALLS_L1D_MISS" },
    { 0x47, 0x05, LOW4, false, COUNTS_TIMES(STALL_L2_MISS, 5), "MEMORY_ACTIVITY.STALLS_L2_MISS" },
    { 0x47, 0x09, LOW4, false, COUNTS_TIMES(STALL_L3_MISS, 9), "MEMORY_ACTIVITY.STALLS_L3_MISS" },
    { 0xa6, 0x21, ANY8, false, COUNTS_TIMES(STALL_MEM_ANY, 5), "EXE_ACTIVITY.BOUND_ON_LOADS" },
    { 0xa6, 0x40, ANY8, false, COUNTS_TIMES(BOUND_ON_STORES, 2), "EXE_ACTIVITY.BOUND_ON_STORES" },
    { 0xa6, 0x80, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.EXE_BOUND_0_PORTS" },
    { 0xa6, 0x02, ANY8, false, COUNTS(EXE_1_PORT), "EXE_ACTIVITY.1_PORTS_UTIL" },
    { 0xa6, 0x04, ANY8, false, COUNTS(EXE_2_PORTS), "EXE_ACTIVITY.2_PORTS_UTIL" },
    { 0xa6, 0x08, ANY8, false, COUNTS(EXE_3_PORTS), "EXE_ACTIVITY.3_PORTS_UTIL" },
    { 0xa6, 0x0c, ANY8, false, COUNTS_BOTH(EXE_2_PORTS, EXE_3_PORTS),
      "EXE_ACTIVITY.2_3_PORTS_UTIL" },
    { 0xa6, 0x10, ANY8, false, COUNTS(EXE_4_PORTS), "EXE_ACTIVITY.4_PORTS_UTIL" },

    /* memory */
    { 0xd0, 0x81, LOW4, false, COUNTS(LOADS), "MEM_INST_RETIRED.ALL_LOADS" },
    { 0xd0, 0x82, LOW4, false, COUNTS(STORES), "MEM_INST_RETIRED.ALL_STORES" },
    { 0xd0, 0x83, LOW4, false, COUNTS_BOTH(LOADS, STORES), "MEM_INST_RETIRED.ANY" },
    { 0xd1, 0x01, LOW4, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_RETIRED.L1_HIT" },
    { 0xd1, 0x02, LOW4, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_RETIRED.L2_HIT" },
    { 0xd1, 0x04, LOW4, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_RETIRED.L3_HIT" },
    { 0xd1, 0x08, LOW4, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_RETIRED.L1_MISS" },
    { 0xd1, 0x10, LOW4, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_RETIRED.L2_MISS" },
    { 0xd1, 0x20, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_RETIRED.L3_MISS" },
    { 0xd1, 0x40, LOW4, false, COUNTS(LOADS_FB_HIT), "MEM_LOAD_RETIRED.FB_HIT" },
    { 0x12, 0x0e, LOW4, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x13, 0x0e, LOW4, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
};

/* What the three lists mark as precise. */
const struct precise_event golden_cove_precise[GOLDEN_COVE_PRECISE] = {
    { 0xc0, 0x00 }, { 0xc0, 0x02 }, { 0xc0, 0x10 }, { 0xc4, 0x00 }, { 0xc4, 0x11 },
    { 0xc4, 0x01 }, { 0xc4, 0x10 }, { 0xc4, 0x02 }, { 0xc4, 0x08 }, { 0xc4, 0x20 },
    { 0xc4, 0x40 }, { 0xc4, 0x80 }, { 0xc5, 0x00 }, { 0xc5, 0x11 }, { 0xc5, 0x08 },
    { 0xc5, 0x20 }, { 0xc5, 0x80 }, { 0xd0, 0x81 }, { 0xd0, 0x82 }, { 0xd0, 0x83 },
    { 0xd1, 0x01 }, { 0xd1, 0x02 }, { 0xd1, 0x04 }, { 0xd1, 0x08 }, { 0xd1, 0x10 },
    { 0xd1, 0x20 }, { 0xd1, 0x40 }, { 0xcd, 0x01 }, { 0xcd, 0x02 },
    { 0xc6, 0x01 }, { 0xc6, 0x03 },
};
