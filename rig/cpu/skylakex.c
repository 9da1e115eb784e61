/* Skylake-SP: events.
 *
 * Encodings and the counters that can count them: the vendor's public event list for this part
 * (skylakex_core V1.37). */
#include "part.h"

/* clang-format off */

static const struct pmu_event rows[] = {
    EVENTS_SINCE_SKYLAKE,
    ORDERING_WITH_DISAMBIGUATION,
    EVENTS_SERVER_SINCE_SKYLAKE,

    /* architectural and clocks */
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK" },
    { 0xc0, 0x01, ONLY1, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.PREC_DIST" },

    /* branches */
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.CONDITIONAL" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.NOT_TAKEN" },
    { 0xc5, 0x01, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.CONDITIONAL" },
    { 0xe6, 0x01, ANY8, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, ANY8, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.RETIRE_SLOTS" },
    { 0xc2, 0x04, ANY8, false, COUNTS(MACRO_FUSED), "UOPS_RETIRED.MACRO_FUSED" },
    { 0x0d, 0x01, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },
    { 0x0d, 0x80, ANY8, false, COUNTS(CLEAR_RESTEER), "INT_MISC.CLEAR_RESTEER_CYCLES" },
    { 0xc1, 0x3f, ANY8, false, COUNTS(NEVER), "OTHER_ASSISTS.ANY" },
    { 0xca, 0x1e, ANY8, false, COUNTS(ASSISTS), "FP_ASSIST.ANY" },

    /* front end */
    { 0x79, 0x04, ANY8, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS" },
    { 0x79, 0x08, ANY8, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS" },
    { 0x79, 0x18, ANY8, false, COUNTS(DSB_UOPS), "IDQ.ALL_DSB_CYCLES_ANY_UOPS" },
    { 0x79, 0x24, ANY8, false, COUNTS(MITE_UOPS), "IDQ.ALL_MITE_CYCLES_ANY_UOPS" },
    { 0x79, 0x30, ANY8, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS" },
    { 0xa8, 0x01, ANY8, false, COUNTS(LSD_UOPS), "LSD.UOPS" },
    { 0xab, 0x02, ANY8, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES" },
    { 0x87, 0x01, ANY8, false, COUNTS(LCP_STALL), "DECODE.LCP" },
    { 0x80, 0x04, ANY8, false, COUNTS(ICACHE_STALL), "ICACHE_16B.IFDATA_STALL" },
    { 0x83, 0x04, ANY8, false, COUNTS(ITLB_STALL), "ICACHE_TAG.STALLS" },
    { 0x85, 0x01, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.MISS_CAUSES_A_WALK" },
    { 0x85, 0x0e, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x85, 0x20, ANY8, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },
    { 0x85, 0x10, ANY8, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_PENDING" },
    { 0x55, 0x01, ANY8, false, COUNTS(DECODED), "INST_DECODED.DECODERS" },

    /* execution */
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE" },
    { 0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES" },
    { 0x14, 0x01, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIVIDER_ACTIVE" },
    { 0xa3, 0x05, ANY8, false, TOGETHER(STALL_L2_MISS, 0x05), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, ANY8, false, TOGETHER(STALL_L3_MISS, 0x06), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0xa3, 0x0c, ANY8, false, TOGETHER(STALL_L1D_MISS, 0x0c), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x14, LOW4, false, TOGETHER(STALL_MEM_ANY, 0x14), "CYCLE_ACTIVITY.STALLS_MEM_ANY" },
    { 0xa6, 0x01, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.EXE_BOUND_0_PORTS" },
    { 0xa6, 0x40, ANY8, false, COUNTS(BOUND_ON_STORES), "EXE_ACTIVITY.BOUND_ON_STORES" },
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED_PORT.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED_PORT.PORT_1" },
    { 0xa1, 0x04, ANY8, false, COUNTS(PORT_2), "UOPS_DISPATCHED_PORT.PORT_2" },
    { 0xa1, 0x08, ANY8, false, COUNTS(PORT_3), "UOPS_DISPATCHED_PORT.PORT_3" },
    { 0xa1, 0x10, ANY8, false, COUNTS(PORT_4), "UOPS_DISPATCHED_PORT.PORT_4" },
    { 0xa1, 0x20, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED_PORT.PORT_5" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED_PORT.PORT_6" },
    { 0xa1, 0x80, ANY8, false, COUNTS(PORT_7), "UOPS_DISPATCHED_PORT.PORT_7" },
    { 0x0e, 0x02, ANY8, false, COUNTS(BLENDS), "UOPS_ISSUED.VECTOR_WIDTH_MISMATCH" },
    { 0x59, 0x01, ANY8, false, COUNTS(SCOREBOARD), "PARTIAL_RAT_STALLS.SCOREBOARD" },
    { 0xcc, 0x40, ANY8, false, COUNTS(PAUSES), "ROB_MISC_EVENTS.PAUSE_INST" },
    { 0xa3, 0x01, ANY8, false, TOGETHER(CYCLES_L2_MISS, 0x01), "CYCLE_ACTIVITY.CYCLES_L2_MISS" },
    { 0xa3, 0x02, ANY8, false, TOGETHER(CYCLES_L3_MISS, 0x02), "CYCLE_ACTIVITY.CYCLES_L3_MISS" },
    { 0xa3, 0x08, ANY8, false, TOGETHER(CYCLES_L1D_MISS, 0x08), "CYCLE_ACTIVITY.CYCLES_L1D_MISS" },

    /* floating point. The list gives 8_FLOPS the encoding of 4_FLOPS, surely by mistake; 60H is in
     * no list. */

    /* memory. An instruction that loads and stores counts twice in ANY: whether silicon agrees
     * is not published. */
    { 0x03, 0x02, ANY8, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x03, 0x08, ANY8, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR" },
    { 0xb2, 0x01, ANY8, false, COUNTS(SUPERQUEUE_FULL), "OFFCORE_REQUESTS_BUFFER.SQ_FULL" },
    { 0x07, 0x01, ANY8, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS" },
    { 0x48, 0x01, ANY8, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING" },
    { 0x48, 0x02, ANY8, false, COUNTS(FILL_BUFFER_WAITS), "L1D_PEND_MISS.FB_FULL" },
    { 0x60, 0x01, ANY8, false, COUNTS(READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD" },
    { 0x60, 0x02, ANY8, false, COUNTS(CODE_READ_ACTIVE),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD" },
    { 0x60, 0x04, ANY8, false, COUNTS(RFOS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO" },
    { 0x60, 0x08, ANY8, false, COUNTS(DATA_READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD" },
    { 0x24, 0x22, ANY8, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0xc2, ANY8, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x24, 0xe2, ANY8, false, COUNTS_BOTH(RFO_L2_HITS, RFO_L2_MISSES), "L2_RQSTS.ALL_RFO" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM" },
    { 0x08, 0x01, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK" },
    { 0x08, 0x0e, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x01, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK" },
    { 0x49, 0x0e, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
    { 0x08, 0x10, ANY8, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_PENDING" },
    { 0x08, 0x20, ANY8, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x10, ANY8, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_PENDING" },
    { 0x49, 0x20, ANY8, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
};

const struct event_table skylakex_events = { .row = rows, .count = COUNT_OF(rows) };

static const struct part part = {
#include "skylakex.inc"
    .pmu.events = &skylakex_events,
};
CORE(skylakex);

static const struct personality skylakex = {
    .name = "skylakex",
    .title = "Skylake-SP, 06_55H stepping 4: 4 slots, counters version 4, LBR",
    .omitted =
        OMITTED_SAMPLING "; the skid of a PMI is a guess; " OMITTED_PLATFORM "; no HWP; "
        OMITTED_VECTORS "; SSSE3, SSE4, F16C, RTM, SGX, processor trace and VMX are hidden; "
        OMITTED_EVENTS("off-core response by snoop, front-end retired by latency or bubbles, walks "
                       "by page size")
        "; " OMITTED_ASSISTS "; no dropped uops, no loop buffer; IDQ.ALL_DSB and IDQ.ALL_MITE "
        "leave out microcode; " OMITTED_TLBS "; " OMITTED_BOTH("ANY, UOPS_EXECUTED.CORE")
        "; PMC3 is taken by TSX under --fault tsx alone",
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(skylakex);
