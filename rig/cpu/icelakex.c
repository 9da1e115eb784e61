/* Ice Lake-SP: events.
 *
 * Encodings and the counters that can count them: the vendor's public event list for this part
 * (icelakex_core V1.30). */
#include "part.h"

/* clang-format off */

static const struct pmu_event rows[] = {
    EVENTS_SINCE_SKYLAKE,
    ORDERING_ALONE(ANY8),
    EVENTS_SERVER_SINCE_SKYLAKE,

    /* architectural and clocks */
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK" },
    { 0xec, 0x02, ANY8, false, COUNTS(ALLOCATOR), "CPU_CLK_UNHALTED.DISTRIBUTED" },

    /* branches */
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL_TAKEN), "BR_INST_RETIRED.COND_TAKEN" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.COND_NTAKEN" },
    { 0xc4, 0x11, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.COND" },
    { 0xc4, 0x80, ANY8, false, COUNTS(BRANCHES_INDIRECT), "BR_INST_RETIRED.INDIRECT" },
    { 0xc5, 0x11, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.COND" },
    { 0xc5, 0x80, ANY8, false, COUNTS(MISPREDICTS_INDIRECT), "BR_MISP_RETIRED.INDIRECT" },
    { 0xe6, 0x01, LOW4, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0xa4, 0x01, ANY8, false, COUNTS_TIMES(ALLOCATOR, ICELAKE_WIDTH), "TOPDOWN.SLOTS_P" },
    { 0xa4, 0x02, ANY8, false, COUNTS(BE_BLOCKED), "TOPDOWN.BACKEND_BOUND_SLOTS" },
    { 0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, ANY8, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.SLOTS" },
    { 0x0d, 0x01, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },
    { 0x0d, 0x10, ANY8, false, COUNTS(UOP_DROPPING), "INT_MISC.UOP_DROPPING" },
    { 0x0d, 0x80, ANY8, false, COUNTS(CLEAR_RESTEER), "INT_MISC.CLEAR_RESTEER_CYCLES" },
    { 0xc1, 0x07, ANY8, false, COUNTS(ASSISTS), "ASSISTS.ANY" },
    { 0xc1, 0x02, ANY8, false, COUNTS(ASSISTS), "ASSISTS.FP" },

    /* front end */
    { 0x79, 0x04, LOW4, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS" },
    { 0x79, 0x08, LOW4, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS" },
    { 0x79, 0x30, LOW4, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS" },
    { 0x56, 0x01, LOW4, false, COUNTS(DECODER0_ONLY), "UOPS_DECODED.DEC0" },
    { 0xa8, 0x01, LOW4, false, COUNTS(LSD_UOPS), "LSD.UOPS" },
    { 0xab, 0x02, LOW4, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES" },
    { 0x87, 0x01, LOW4, false, COUNTS(LCP_STALL), "DECODE.LCP" },
    { 0x80, 0x04, LOW4, false, COUNTS(ICACHE_STALL), "ICACHE_DATA.STALLS" },
    { 0x83, 0x04, LOW4, false, COUNTS(ITLB_STALL), "ICACHE_TAG.STALLS" },
    { 0x85, 0x0e, LOW4, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x85, 0x20, LOW4, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },
    { 0x85, 0x10, LOW4, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_PENDING" },
    { 0x55, 0x01, LOW4, false, COUNTS(DECODED), "INST_DECODED.DECODERS" },

    /* execution. BOUND_ON_STORES is published with a cmask of 2, so its value in such a cycle is
     * at least 2. */
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE_CYCLES_GE_1" },
    { 0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES" },
    { 0x14, 0x09, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIVIDER_ACTIVE" },
    { 0xa3, 0x05, LOW4, false, TOGETHER(STALL_L2_MISS, 0x05), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, LOW4, false, TOGETHER(STALL_L3_MISS, 0x06), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0xa3, 0x0c, LOW4, false, TOGETHER(STALL_L1D_MISS, 0x0c), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x14, ANY8, false, TOGETHER(STALL_MEM_ANY, 0x14), "CYCLE_ACTIVITY.STALLS_MEM_ANY" },
    /* Not in the list; the published formulas use this encoding. */
    { 0xa6, 0x80, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.3_PORTS_UTIL:u0x80" },
    { 0xa6, 0x40, ANY8, false, COUNTS_TIMES(BOUND_ON_STORES, 2), "EXE_ACTIVITY.BOUND_ON_STORES" },
    /* Of two ports: the list says "uops" in its short text and "cycles during which at least one uop
     * is dispatched" in its long one; the published formulas divide by twice the cycles, as for uops.
     * The long text is played; what silicon counts is not known. */
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED.PORT_1" },
    { 0xa1, 0x04, ANY8, false, COUNTS_EITHER(PORT_2, PORT_3), "UOPS_DISPATCHED.PORT_2_3" },
    { 0xa1, 0x10, ANY8, false, COUNTS_EITHER(PORT_4, PORT_9), "UOPS_DISPATCHED.PORT_4_9" },
    { 0xa1, 0x20, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED.PORT_5" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED.PORT_6" },
    { 0xa1, 0x80, ANY8, false, COUNTS_EITHER(PORT_7, PORT_8), "UOPS_DISPATCHED.PORT_7_8" },
    { 0x0e, 0x02, ANY8, false, COUNTS(BLENDS), "UOPS_ISSUED.VECTOR_WIDTH_MISMATCH" },
    { 0xa2, 0x02, ANY8, false, COUNTS(SCOREBOARD), "RESOURCE_STALLS.SCOREBOARD" },
    { 0xcc, 0x40, ANY8, false, COUNTS(PAUSES), "MISC_RETIRED.PAUSE_INST" },
    { 0x14, 0x01, ANY8, false, COUNTS(FP_DIVIDER_ACTIVE), "ARITH.FP_DIVIDER_ACTIVE" },
    { 0xa3, 0x01, LOW4, false, TOGETHER(CYCLES_L2_MISS, 0x01), "CYCLE_ACTIVITY.CYCLES_L2_MISS" },
    { 0xa3, 0x08, LOW4, false, TOGETHER(CYCLES_L1D_MISS, 0x08), "CYCLE_ACTIVITY.CYCLES_L1D_MISS" },

    /* floating point */
    { 0xc7, 0x60, ANY8, false, COUNTS_BOTH(FP_256_SINGLE, FP_512_DOUBLE),
      "FP_ARITH_INST_RETIRED.8_FLOPS" },

    /* memory. An instruction that loads and stores counts twice in ANY: whether silicon agrees
     * is not published. */
    { 0x03, 0x02, LOW4, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x03, 0x08, LOW4, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR" },
    { 0x07, 0x01, LOW4, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS" },
    { 0x48, 0x01, LOW4, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING" },
    { 0x48, 0x02, LOW4, false, COUNTS(FILL_BUFFERS_FULL), "L1D_PEND_MISS.FB_FULL" },
    { 0x60, 0x01, LOW4, false, COUNTS(READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD" },
    { 0x60, 0x02, LOW4, false, COUNTS(CODE_READ_ACTIVE),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD" },
    { 0x60, 0x04, LOW4, false, COUNTS(RFOS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_RFO" },
    { 0x60, 0x08, LOW4, false, COUNTS(DATA_READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD" },
    { 0x24, 0x22, LOW4, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0xc2, LOW4, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x24, 0xe2, LOW4, false, COUNTS_BOTH(RFO_L2_HITS, RFO_L2_MISSES), "L2_RQSTS.ALL_RFO" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM" },
    { 0xd3, 0x10, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM" },
    { 0xd1, 0x80, LOW4, false, COUNTS(NEVER), "MEM_LOAD_RETIRED.LOCAL_PMM" },
    { 0x08, 0x0e, LOW4, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x0e, LOW4, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
    { 0x08, 0x10, LOW4, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_PENDING" },
    { 0x08, 0x20, LOW4, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x10, LOW4, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_PENDING" },
    { 0x49, 0x20, LOW4, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
};

const struct event_table icelakex_events = { .row = rows, .count = COUNT_OF(rows) };

static const struct part part = {
#include "icelakex.inc"
    .pmu.events = &icelakex_events,
};
CORE(icelakex);

static const struct personality icelakex = {
    .name = "icelakex",
    .title = "Ice Lake-SP, 06_6AH stepping 6: 5 slots, counters version 5, PERF_METRICS, LBR",
    .omitted =
        OMITTED_SAMPLING "; the skid of a PMI is a guess; " OMITTED_PLATFORM "; no HWP; "
        OMITTED_VECTORS "; SSSE3, SSE4, F16C, RTM, SGX, processor trace and VMX are hidden; "
        OMITTED_EVENTS("off-core response by snoop, front-end retired by latency or bubbles, a "
                       "full queue to L3, walks by page size")
        "; " OMITTED_ASSISTS "; no dropped uops, no loop buffer; " OMITTED_TLBS "; " OMITTED_SLOTS
        "; " OMITTED_BOTH("CORE_CYCLES") "; " OMITTED_METRICS,
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(icelakex);
