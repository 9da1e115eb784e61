/* Alder Lake: the hybrid part, and its P core, whose events are those of golden_cove.c.
 *
 * The first half of the cores, rounded up, are P cores, the others E cores (alderlake_e.c). */
#define PART_IS_LIKE_ANOTHER
#include "part.h"

extern const struct personality alderlake_e; /* the E cores */

/* clang-format off */

static const struct part part = {
#include "alderlake.inc"
    .pmu.events = &golden_cove_events,
};
CORE(alderlake);

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
    .core = &part.core,
    .pmu = &part.pmu,
    .cet = true,
    .small = &alderlake_e,
};
/* clang-format on */
PERSONALITY(alderlake);
