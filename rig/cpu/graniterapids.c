/* Granite Rapids: what differs from the registers, CPUID and events of Sapphire Rapids.
 *
 * Registers: SDM 4, tables for 06_ADH. Events: golden_cove.c. The rig plays a 2.4 GHz part at a
 * constant 3.1 GHz, so that the reference clocks never agree with the core clock by accident. */
#include "pmu/personality.h"
#include "access_events.h"
#include "golden_cove.h"
#include "like.h"
#include "omitted.h"
#include "responses.h"

extern const struct model_parameters graniterapids_core;

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

static const struct msr_fact msrs[] = {
    GOLDEN_COVE_MSRS,
    BIOS_SIGN_ID(0x010003f3),
    PLATFORM_INFO(0x80030001800), /* 24, 8 */
    PERF_STATUS_AND_CTL(0x1f00), /* ratio 31 */
    TURBO_RATIO_LIMIT(0x1f1f1f1f1f1f1f1f),
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 12, .sets = 64 }, /* 48 KiB */
    { .type = 2, .level = 1, .ways = 16, .sets = 64 }, /* 64 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 2048 }, /* 2 MiB */
    { .type = 3, .level = 3, .ways = 16, .sets = 4096, .package = true }, /* 4 MiB a core */
};

static const struct cpuid_fact cpuid[] = {
    GOLDEN_COVE_SERVER_CPUID,
    { .leaf = 0x80000008, .eax = 0x3034 },
};

static const struct pmu_parameters pmu = {
#include "sapphirerapids.inc"
    .core_mhz = 3100, .tsc_mhz = 2400, .max_mhz = 3100,
    .events = &graniterapids_events,
    .access_events = redwood_cove_access_events,
    .signature = 0xa06d1,
    .brand = "Intel(R) Xeon(R) 6972P",
};

static const struct personality graniterapids = {
    .name = "graniterapids",
    .title = "Granite Rapids, 06_ADH stepping 1: 6 slots, PERF_METRICS level 2, architectural LBR",
    .omitted =
        "CPUID ends at leaf 20H and the counters are of version 5, since the contents of leaf 23H "
        "and of its further sub-features are not in the sources; the MISP_COST events and timing "
        "in PEBS records are missing; " GOLDEN_COVE_SERVER_OMITTED,
    .core = &graniterapids_core,
    .pmu = &pmu,
    .cet = true,
};
/* clang-format on */
PERSONALITY(graniterapids);
