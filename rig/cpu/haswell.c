/* Haswell: events.
 *
 * Encodings and the counters that can count them: the vendor's public event list for this part
 * (haswell_core V36). */
#define PART_IS_LIKE_ANOTHER
#include "part.h"

/* clang-format off */

static const struct pmu_event rows[] = {
    /* slots: issue, retirement, clears */
    { 0xc1, 0x40, ANY8, false, COUNTS(ASSISTS), "OTHER_ASSISTS.ANY_WB_ASSIST" },

    /* front end */
    { 0x85, 0x0e, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x85, 0x60, ANY8, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },

    /* execution */
    { 0xb1, 0x01, LOW4, false, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC" },
    { 0xa3, 0x04, LOW4, false, COUNTS_TIMES(STALL_TOTAL, 4), "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE" },
    { 0xa3, 0x06, LOW4, false, COUNTS_TIMES(STALL_MEM_ANY, 6),
      "CYCLE_ACTIVITY.STALLS_LDM_PENDING" },
    { 0xa3, 0x0c, ONLY2, false, COUNTS_TIMES(STALL_L1D_MISS, 12),
      "CYCLE_ACTIVITY.STALLS_L1D_PENDING" },
    { 0xa3, 0x05, LOW4, false, COUNTS_TIMES(STALL_L2_MISS, 5), "CYCLE_ACTIVITY.STALLS_L2_PENDING" },
    { 0x14, 0x02, ANY8, false, COUNTS(DIVISIONS), "ARITH.DIVIDER_UOPS" },
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED_PORT.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED_PORT.PORT_1" },
    { 0xa1, 0x04, ANY8, false, COUNTS(PORT_2), "UOPS_DISPATCHED_PORT.PORT_2" },
    { 0xa1, 0x08, ANY8, false, COUNTS(PORT_3), "UOPS_DISPATCHED_PORT.PORT_3" },
    { 0xa1, 0x10, ANY8, false, COUNTS(PORT_4), "UOPS_DISPATCHED_PORT.PORT_4" },
    { 0xa1, 0x20, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED_PORT.PORT_5" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED_PORT.PORT_6" },
    { 0xa1, 0x80, ANY8, false, COUNTS(PORT_7), "UOPS_DISPATCHED_PORT.PORT_7" },

    /* memory */
    { 0x48, 0x02, ANY8, false, COUNTS(FILL_BUFFER_WAITS), "L1D_PEND_MISS.REQUEST_FB_FULL" },
    { 0x24, 0x22, ANY8, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0xc2, ANY8, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x24, 0xe2, ANY8, false, COUNTS_BOTH(RFO_L2_HITS, RFO_L2_MISSES), "L2_RQSTS.ALL_RFO" },
    { 0xd2, 0x01, LOW4, false, COUNTS(NEVER), "MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_MISS" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_HITM" },
    { 0x08, 0x10, ANY8, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_DURATION" },
    { 0x08, 0x60, ANY8, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x10, ANY8, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_DURATION" },
    { 0x49, 0x60, ANY8, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
    { 0x85, 0x10, ANY8, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_DURATION" },
    { 0xd1, 0x04, LOW4, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_UOPS_RETIRED.L3_HIT" },
    { 0xd1, 0x20, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_UOPS_RETIRED.L3_MISS" },
    { 0x08, 0x01, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK" },
    { 0x08, 0x0e, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x0e, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
};

const struct event_table haswell_events = { .row = rows, .count = COUNT_OF(rows),
    .like = &ivybridge_haswell_events };

static const struct part part = {
#include "haswell.inc"
    .pmu.events = &haswell_events,
};
CORE(haswell);

static const struct personality haswell = {
    .name = "haswell",
    .title = "Haswell, 06_3CH stepping 3: 4 slots, counters version 3, LBR of 16 with call stack",
    .omitted =
        OMITTED_SAMPLING "; " OMITTED_PLATFORM "; " OMITTED_VECTORS "; SSSE3, SSE4, F16C, RTM, "
        "VMX, SMEP and RDRAND are hidden; "
        OMITTED_EVENTS("most off-core responses by snoop, executed branches") "; " OMITTED_ASSISTS
        "; " OMITTED_SMT_ERRATA "; " OMITTED_TLBS "; " OMITTED_BOTH("ANY, UOPS_EXECUTED.CORE"),
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(haswell);
