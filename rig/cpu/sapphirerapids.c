/* Sapphire Rapids: registers, CPUID and events.
 *
 * Registers: SDM 4, tables for 06_8FH and "Architectural MSRs"; the architectural last-branch
 * records and PERF_METRICS: SDM 3B, "Last Branch Records" and "Performance Metrics". Events:
 * golden_cove.c. The rig plays a 2.0 GHz part at a constant 2.6 GHz, so that the reference clocks
 * never agree with the core clock by accident. */
#include "pmu/personality.h"
#include "access_events.h"
#include "golden_cove.h"
#include "omitted.h"
#include "responses.h"

extern const struct model_parameters sapphirerapids_core;

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

static const struct msr_fact msrs[] = {
    GOLDEN_COVE_MSRS,
    BIOS_SIGN_ID(0x2b000590),
    PLATFORM_INFO(0x80030001400), /* 20, 8 */
    PERF_STATUS_AND_CTL(0x1a00), /* ratio 26 */
    TURBO_RATIO_LIMIT(0x1a1a1a1a1a1a1a1a),
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 12, .sets = 64 }, /* 48 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 }, /* 32 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 2048 }, /* 2 MiB */
    { .type = 3, .level = 3, .ways = 15, .sets = 2048, .package = true }, /* 1.875 MiB a core */
};

static const struct cpuid_fact cpuid[] = {
    GOLDEN_COVE_SERVER_CPUID,
    { .leaf = 0x80000008, .eax = 0x302e },
};

static const struct pmu_parameters pmu = {
#include "sapphirerapids.inc"
    .events = &sapphirerapids_events,
};

static const struct personality sapphirerapids = {
    .name = "sapphirerapids",
    .title = "Sapphire Rapids, 06_8FH stepping 8: 6 slots, PERF_METRICS level 2, architectural LBR",
    .omitted = GOLDEN_COVE_SERVER_OMITTED,
    .core = &sapphirerapids_core,
    .pmu = &pmu,
    .cet = true,
};
/* clang-format on */
PERSONALITY(sapphirerapids);
