/* Alder Lake: the hybrid part, and its P core: what differs from the registers, CPUID and events of
 * Sapphire Rapids.
 *
 * Registers: SDM 4, tables for 06_97H. Events: golden_cove.c. The first half of the cores, rounded
 * up, are P cores, the others E cores (alderlake_e.c). */
#include "pmu/personality.h"
#include "access_events.h"
#include "alderlake.h"
#include "golden_cove.h"
#include "like.h"
#include "omitted.h"
#include "responses.h"

extern const struct model_parameters alderlake_core;

/* clang-format off */

static const struct msr_fact msrs[] = {
    GOLDEN_COVE_MSRS,
    ALDERLAKE_MSRS,
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 12, .sets = 64 }, /* 48 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 }, /* 32 KiB */
    { .type = 3, .level = 2, .ways = 10, .sets = 2048 }, /* 1.25 MiB */
    { .type = 3, .level = 3, .ways = 12, .sets = 4096, .package = true }, /* 3 MiB a core */
};

static const struct cpuid_fact cpuid[] = {
    ALDERLAKE_CPUID,
    { .leaf = 0x80000006, .ecx = 0x05007040 },
};

static const struct pmu_parameters pmu = {
#include "sapphirerapids.inc"
    .events = &golden_cove_events,
    ALDERLAKE_PART,
    .core_type = 0x40000001, /* Core, native model 1 */
};

static const struct personality alderlake = {
    .name = "alderlake",
    .title = "Alder Lake, 06_97H stepping 2: P cores (Golden Cove) first, then E cores (Gracemont)",
    .omitted =
        OMITTED_SAMPLING "; " OMITTED_CACHE_LATENCY "; " OMITTED_PLATFORM "; no HWP; "
        OMITTED_VECTORS "; SSSE3, SSE4, F16C, processor trace and VMX are hidden; "
        OMITTED_EVENTS("off-core responses by snoop, front-end retired by latency or bubbles") "; "
        OMITTED_ASSISTS "; no dropped uops; one clock for both kinds of cores, a crystal of 25 "
        "MHz, not 38.4 MHz; of each module of four E cores one is enabled, so that it shares its L2 "
        "with no core; IA32_PERF_CAPABILITIES does not announce PERF_METRICS, nor CPUID 0AH the P "
        "cores' further counters, as on the part; "
        OMITTED_METRICS,
    .core = &alderlake_core,
    .pmu = &pmu,
    .cet = true,
    .small = &alderlake_e,
};
/* clang-format on */
PERSONALITY(alderlake);
