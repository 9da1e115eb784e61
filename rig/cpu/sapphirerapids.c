/* Sapphire Rapids: events. */
#include "part.h"

/* clang-format off */

/* sapphirerapids_core V1.39: the events that golden_cove.c leaves out. The rig has no persistent
 * memory. */
static const struct pmu_event rows[] = {
    GOLDEN_COVE_SERVER_EVENTS,
    { 0xd1, 0x80, LOW4, false, COUNTS(NEVER), "MEM_LOAD_RETIRED.LOCAL_PMM" },
    { 0xd3, 0x10, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM" },
};

const struct event_table sapphirerapids_events = { .row = rows, .count = COUNT_OF(rows),
    .like = &golden_cove_events };

static const struct part part = {
#include "sapphirerapids.inc"
    .pmu.events = &sapphirerapids_events,
};
CORE(sapphirerapids);

static const struct personality sapphirerapids = {
    .name = "sapphirerapids",
    .title = "Sapphire Rapids, 06_8FH stepping 8: 6 slots, PERF_METRICS level 2, architectural LBR",
    .omitted = GOLDEN_COVE_SERVER_OMITTED,
    .core = &part.core,
    .pmu = &part.pmu,
    .cet = true,
};
/* clang-format on */
PERSONALITY(sapphirerapids);
