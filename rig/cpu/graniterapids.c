/* Granite Rapids: events. */
#define PART_IS_LIKE_ANOTHER
#include "part.h"

/* clang-format off */

/* graniterapids_core V1.20: the events that golden_cove.c leaves out. The rig has no CXL memory. */
static const struct pmu_event rows[] = {
    GOLDEN_COVE_SERVER_EVENTS,
    { 0xd1, 0x80, LOW4, false, COUNTS(NEVER), "MEM_LOAD_RETIRED.LOCAL_CXL_MEM" },
    { 0xd3, 0x10, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM" },
    { 0xd0, 0x09, LOW4, false, COUNTS(DTLB_LOAD_STLB_HITS), "MEM_INST_RETIRED.STLB_HIT_LOADS" },
    { 0xd0, 0x0a, LOW4, false, COUNTS(DTLB_STORE_STLB_HITS), "MEM_INST_RETIRED.STLB_HIT_STORES" },
    { 0xd0, 0x11, LOW4, false, COUNTS(DTLB_LOAD_WALKS), "MEM_INST_RETIRED.STLB_MISS_LOADS" },
    { 0xd0, 0x12, LOW4, false, COUNTS(DTLB_STORE_WALKS), "MEM_INST_RETIRED.STLB_MISS_STORES" },
};

const struct event_table graniterapids_events = { .row = rows, .count = COUNT_OF(rows),
    .like = &golden_cove_events };

static const struct part part = {
#include "graniterapids.inc"
    .pmu.events = &graniterapids_events,
};
CORE(graniterapids);

static const struct personality graniterapids = {
    .name = "graniterapids",
    .title = "Granite Rapids, 06_ADH stepping 1: 6 slots, PERF_METRICS level 2, architectural LBR",
    .omitted =
        "CPUID ends at leaf 20H and the counters are of version 5, since the contents of leaf 23H "
        "and of its further sub-features are not in the sources; the MISP_COST events are missing; "
        GOLDEN_COVE_SERVER_OMITTED,
    .core = &part.core,
    .pmu = &part.pmu,
    .cet = true,
};
/* clang-format on */
PERSONALITY(graniterapids);
