/* The events of Golden Cove and Redwood Cove.
 *
 * Encodings and the counters that can count them: the vendor's public event lists
 * sapphirerapids_core V1.39, alderlake_goldencove_core V1.40 and graniterapids_core V1.20, which
 * agree in all rows here. */
#include "golden_cove.h"

/* clang-format off */

/* CYCLE_ACTIVITY, MEMORY_ACTIVITY and EXE_ACTIVITY.BOUND_ON_* are published with a cmask above 1
 * only: a cycle that counts is taken to have the cmask as its value. An instruction that loads
 * and stores counts twice in MEM_UOP_RETIRED.ANY: whether silicon agrees is not published.
 * MEM_LOAD_COMPLETED.L1_MISS_ANY counts loads as they retire, since in the model every completed
 * load retires. Port 10 of the list is port 11 in sapphirerapids.inc and the other way
 * round. Numbers of 16 bits, VNNI and WAITPKG (C01, C02) are hidden, so the events of these
 * features never count. */
static const struct pmu_event rows[] = {
    EVENTS_SINCE_SKYLAKE,
    ORDERING_ALONE(ANY8),

    /* clocks, instructions, last-level cache */
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_TSC_TICK), "CPU_CLK_UNHALTED.REF_TSC_P" },
    { 0xec, 0x02, ANY8, false, COUNTS(ALLOCATOR), "CPU_CLK_UNHALTED.DISTRIBUTED" },
    { 0xc0, 0x10, ANY8, false, COUNTS(MACRO_FUSED), "INST_RETIRED.MACRO_FUSED" },

    /* branches */
    { 0xc4, 0x11, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.COND" },
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL_TAKEN), "BR_INST_RETIRED.COND_TAKEN" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.COND_NTAKEN" },
    { 0xc4, 0x80, ANY8, false, COUNTS(BRANCHES_INDIRECT), "BR_INST_RETIRED.INDIRECT" },
    { 0xc5, 0x01, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL_TAKEN),
      "BR_MISP_RETIRED.COND_TAKEN" },
    { 0xc5, 0x10, ANY8, false,
      COUNTS_LESS(MISPREDICTS_CONDITIONAL, MISPREDICTS_CONDITIONAL_TAKEN),
      "BR_MISP_RETIRED.COND_NTAKEN" },
    { 0xc5, 0x02, ANY8, false, COUNTS(MISPREDICTS_CALL_INDIRECT),
      "BR_MISP_RETIRED.INDIRECT_CALL" },
    { 0xc5, 0x11, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.COND" },
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
    { 0xc1, 0x1b, ANY8, false, COUNTS(ASSISTS), "ASSISTS.ANY" },
    { 0xc1, 0x02, ANY8, false, COUNTS(ASSISTS), "ASSISTS.FP" },

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
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE_CYCLES_GE_1" },
    { 0xa5, 0x07, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS.EMPTY" },
    { 0xb0, 0x09, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIV_ACTIVE" },
    { 0xa3, 0x0c, LOW4, false, COUNTS_TIMES(STALL_L1D_MISS, 12), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x05, LOW4, false, COUNTS_TIMES(STALL_L2_MISS, 5), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, LOW4, false, COUNTS_TIMES(STALL_L3_MISS, 6), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0x47, 0x03, LOW4, false, COUNTS_TIMES(STALL_L1D_MISS, 3), "MEMORY_ACTIVITY.STALLS_L1D_MISS" },
    { 0x47, 0x05, LOW4, false, COUNTS_TIMES(STALL_L2_MISS, 5), "MEMORY_ACTIVITY.STALLS_L2_MISS" },
    { 0x47, 0x09, LOW4, false, COUNTS_TIMES(STALL_L3_MISS, 9), "MEMORY_ACTIVITY.STALLS_L3_MISS" },
    { 0xa6, 0x21, ANY8, false, COUNTS_TIMES(STALL_MEM_ANY, 5), "EXE_ACTIVITY.BOUND_ON_LOADS" },
    { 0xa6, 0x40, ANY8, false, COUNTS_TIMES(BOUND_ON_STORES, 2), "EXE_ACTIVITY.BOUND_ON_STORES" },
    { 0xa6, 0x80, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.EXE_BOUND_0_PORTS" },
    { 0xa6, 0x0c, ANY8, false, COUNTS_BOTH(EXE_2_PORTS, EXE_3_PORTS),
      "EXE_ACTIVITY.2_3_PORTS_UTIL" },

    /* memory */
    { 0x12, 0x0e, LOW4, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x13, 0x0e, LOW4, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },

    /* conflicts of loads and stores */
    { 0x03, 0x82, LOW4, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x42, 0x02, LOW4, false, COUNTS(L1D_LOCKED), "LOCK_CYCLES.CACHE_LOCK_DURATION" },
    { 0x44, 0x01, LOW4, false, COUNTS(RFO_L2_HITS), "MEM_STORE_RETIRED.L2_HIT" },
    { 0x43, 0xfd, LOW4, false, COUNTS_BOTH(LOADS_L1_MISS, LOADS_FB_HIT),
      "MEM_LOAD_COMPLETED.L1_MISS_ANY" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_L3_HIT_RETIRED.XSNP_NO_FWD" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_L3_HIT_RETIRED.XSNP_FWD" },
    { 0xe5, 0x03, ANY8, false, COUNTS_BOTH(LOADS, STORES), "MEM_UOP_RETIRED.ANY" },

    /* lines and walks in flight */
    { 0x48, 0x01, LOW4, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING" },
    { 0x48, 0x02, LOW4, false, COUNTS(FILL_BUFFERS_FULL), "L1D_PEND_MISS.FB_FULL" },
    { 0x47, 0x02, LOW4, false, COUNTS_TIMES(CYCLES_L1D_MISS, 2),
      "MEMORY_ACTIVITY.CYCLES_L1D_MISS" },
    { 0x20, 0x01, LOW4, false, COUNTS(READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD" },
    { 0x20, 0x02, LOW4, false, COUNTS(CODE_READ_ACTIVE),
      "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_CODE_RD" },
    { 0x20, 0x04, LOW4, false, COUNTS(RFOS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_RFO" },
    { 0x20, 0x08, LOW4, false, COUNTS(DATA_READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DATA_RD" },
    { 0x2d, 0x01, LOW4, false, COUNTS(SUPERQUEUE_FULL), "XQ.FULL_CYCLES" },
    { 0x24, 0x22, LOW4, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0xc2, LOW4, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x12, 0x10, LOW4, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_PENDING" },
    { 0x12, 0x20, LOW4, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x13, 0x10, LOW4, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_PENDING" },
    { 0x13, 0x20, LOW4, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
    { 0x11, 0x10, LOW4, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_PENDING" },

    /* front end, microcode */
    { 0x75, 0x01, LOW4, false, COUNTS(DECODED), "INST_DECODED.DECODERS" },
    { 0xad, 0x40, ANY8, false, COUNTS(UNKNOWN_BRANCH_CYCLES), "INT_MISC.UNKNOWN_BRANCH_CYCLES" },
    { 0xc2, 0x04, ANY8, false, COUNTS(MS_UOPS_RETIRED), "UOPS_RETIRED.MS" },

    /* execution */
    { 0xa2, 0x02, ANY8, false, COUNTS(SCOREBOARD), "RESOURCE_STALLS.SCOREBOARD" },
    { 0xa5, 0x01, ANY8, false, COUNTS(EMPTY_BLOCKED), "RS.EMPTY_RESOURCE" },
    { 0xec, 0x40, ANY8, false, COUNTS(PAUSING), "CPU_CLK_UNHALTED.PAUSE" },
    { 0xec, 0x10, ANY8, false, COUNTS(NEVER), "CPU_CLK_UNHALTED.C01" },
    { 0xec, 0x20, ANY8, false, COUNTS(NEVER), "CPU_CLK_UNHALTED.C02" },
    { 0xec, 0x70, ANY8, false, COUNTS(PAUSING), "CPU_CLK_UNHALTED.C0_WAIT" },
    { 0xe0, 0x20, ANY8, false, COUNTS(LFENCES), "MISC2_RETIRED.LFENCE" },
    { 0xb0, 0x01, ANY8, false, COUNTS(FP_DIVIDER_ACTIVE), "ARITH.FPDIV_ACTIVE" },
    { 0xb2, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED.PORT_0" },
    { 0xb2, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED.PORT_1" },
    { 0xb2, 0x04, ANY8, false, COUNTS(PORTS_2_3_11), "UOPS_DISPATCHED.PORT_2_3_10" },
    { 0xb2, 0x10, ANY8, false, COUNTS_BOTH(PORT_4, PORT_9), "UOPS_DISPATCHED.PORT_4_9" },
    { 0xb2, 0x20, ANY8, false, COUNTS(PORTS_5_10), "UOPS_DISPATCHED.PORT_5_11" },
    { 0xb2, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED.PORT_6" },
    { 0xb2, 0x80, ANY8, false, COUNTS_BOTH(PORT_7, PORT_8), "UOPS_DISPATCHED.PORT_7_8" },

    /* floating point and vectors */
    { 0xe7, 0x03, ANY8, false, COUNTS(INTEGER_VECTORS), "INT_VEC_RETIRED.ADD_128" },
    { 0xe7, 0x0c, ANY8, false, COUNTS(INTEGER_VECTORS_256), "INT_VEC_RETIRED.ADD_256" },
    { 0xe7, 0x10, ANY8, false, COUNTS(NEVER), "INT_VEC_RETIRED.VNNI_128" },
    { 0xe7, 0x20, ANY8, false, COUNTS(NEVER), "INT_VEC_RETIRED.VNNI_256" },
    { 0xe7, 0x80, ANY8, false, COUNTS(INTEGER_PRODUCTS), "INT_VEC_RETIRED.MUL_256" },
};

const struct event_table golden_cove_events = { .row = rows, .count = COUNT_OF(rows) };

/* The events that the three lists mark as precise. */
const struct precise_event golden_cove_precise[GOLDEN_COVE_PRECISE] = {
    { 0xc0, 0x00 }, { 0xc0, 0x02 }, { 0xc0, 0x10 }, { 0xc4, 0x00 }, { 0xc4, 0x11 },
    { 0xc4, 0x01 }, { 0xc4, 0x10 }, { 0xc4, 0x02 }, { 0xc4, 0x08 }, { 0xc4, 0x20 },
    { 0xc4, 0x40 }, { 0xc4, 0x80 }, { 0xc5, 0x00 }, { 0xc5, 0x11 }, { 0xc5, 0x08 },
    { 0xc5, 0x20 }, { 0xc5, 0x80 }, { 0xd0, 0x81 }, { 0xd0, 0x82 }, { 0xd0, 0x83 },
    { 0xd1, 0x01 }, { 0xd1, 0x02 }, { 0xd1, 0x04 }, { 0xd1, 0x08 }, { 0xd1, 0x10 },
    { 0xd1, 0x20 }, { 0xd1, 0x40 }, { 0xcd, 0x01 }, { 0xcd, 0x02 },
    { 0xc6, 0x01 }, { 0xc6, 0x03 },
};

const struct uncounted_event golden_cove_uncounted[GOLDEN_COVE_UNCOUNTED] = {
    { 0xc1, 0x08, "ASSISTS.PAGE_FAULT" },
    { 0xc1, 0x10, "ASSISTS.SSE_AVX_MIX" },
    { 0xe7, 0x40, "INT_VEC_RETIRED.SHUFFLES" },
    { 0x12, 0x08, "DTLB_LOAD_MISSES.WALK_COMPLETED_1G" },
    { 0x12, 0x04, "DTLB_LOAD_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x12, 0x02, "DTLB_LOAD_MISSES.WALK_COMPLETED_4K" },
    { 0x13, 0x08, "DTLB_STORE_MISSES.WALK_COMPLETED_1G" },
    { 0x13, 0x04, "DTLB_STORE_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x13, 0x02, "DTLB_STORE_MISSES.WALK_COMPLETED_4K" },
    { 0x11, 0x04, "ITLB_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x11, 0x02, "ITLB_MISSES.WALK_COMPLETED_4K" },
    { 0x48, 0x04, "L1D_PEND_MISS.L2_STALLS" },
};
/* clang-format on */
