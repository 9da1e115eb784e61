#include "rows.h"

#define GENERAL(low, high) ((~0ull >> (63 - (high))) & (~0ull << (low)))
#define FIXED_0            (1ull << 32)

/* clang-format off */
#define RECORDS(use, event, code_, umask_, counters_)                                              \
    [use] = {.name = event, .code = code_, .umask = umask_, .counters = counters_}
/* With precise distribution on some of the counters. */
#define DISTRIBUTES(use, event, code_, umask_, counters_, distributed_)                            \
    [use] = {.name = event, .code = code_, .umask = umask_, .counters = counters_,                 \
             .distributed = distributed_}

/* Sandy Bridge to Skylake */
#define PREC_DIST_ON_1                                                                             \
    DISTRIBUTES(PEBS_INSTRUCTIONS, "INST_RETIRED.PREC_DIST", 0xc0, 0x01, GENERAL(1, 1),            \
                GENERAL(1, 1))
/* Since Ice Lake */
#define PREC_DIST_ON_FIXED                                                                         \
    DISTRIBUTES(PEBS_INSTRUCTIONS, "INST_RETIRED.PREC_DIST", 0x00, 0x01, FIXED_0, FIXED_0)
#define NEAR_TAKEN(counters, distributed)                                                          \
    DISTRIBUTES(PEBS_TAKEN, "BR_INST_RETIRED.NEAR_TAKEN", 0xc4, 0x20, counters, distributed)
#define ALL_LOADS(group, counters, distributed)                                                    \
    DISTRIBUTES(PEBS_LOADS, group ".ALL_LOADS", 0xd0, 0x81, counters, distributed)
#define LOAD_LATENCY(counters)                                                                     \
    RECORDS(PEBS_LATENCY, "MEM_TRANS_RETIRED.LOAD_LATENCY", 0xcd, 0x01, counters)

#define REDWOOD_COVE_EVENTS                                                                        \
    PREC_DIST_ON_FIXED,                                                                            \
    NEAR_TAKEN(GENERAL(0, 7), GENERAL(0, 0)),                                                      \
    ALL_LOADS("MEM_INST_RETIRED", GENERAL(0, 3), GENERAL(0, 0)),                                   \
    LOAD_LATENCY(GENERAL(1, 7)),

/* Since Golden Cove general counter 0, since Lion Cove also counter 1, has precise distribution
 * with any precise event (Linux only); of Ice Lake's general counters the sources do not agree. */
const struct pebs_kind intel_pebs_rows[INTEL_PEBS_ROWS] = {
    /* Larger buffers can hang the core (Linux only). */
    {.name = "core2", .buffer_bytes = 4096, .events = {
        RECORDS(PEBS_INSTRUCTIONS, "INST_RETIRED.ANY_P", 0xc0, 0x00, GENERAL(0, 0)),
    }},
    {.name = "nehalem", .latency_enable = true, .events = {
        RECORDS(PEBS_INSTRUCTIONS, "INST_RETIRED.ANY_P", 0xc0, 0x01, GENERAL(0, 3)),
        /* taken or not: none counts taken branches only */
        RECORDS(PEBS_TAKEN, "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0x04, GENERAL(0, 3)),
        RECORDS(PEBS_LOADS, "MEM_INST_RETIRED.LOADS", 0x0b, 0x01, GENERAL(0, 3)),
        RECORDS(PEBS_LATENCY, "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD", 0x0b, 0x10,
                GENERAL(0, 3)),
    }},
    {.name = "sandybridge", .latency_enable = true, .events = {
        PREC_DIST_ON_1,
        NEAR_TAKEN(GENERAL(0, 3), 0),
        ALL_LOADS("MEM_UOPS_RETIRED", GENERAL(0, 3), 0),
        LOAD_LATENCY(GENERAL(3, 3)),
    }},
    {.name = "haswell", .latency_enable = true, .events = {
        PREC_DIST_ON_1,
        NEAR_TAKEN(GENERAL(0, 3), 0),
        ALL_LOADS("MEM_UOPS_RETIRED", GENERAL(0, 3), 0),
        LOAD_LATENCY(GENERAL(3, 3)),
    }},
    {.name = "skylake", .latency_enable = true, .events = {
        PREC_DIST_ON_1,
        NEAR_TAKEN(GENERAL(0, 3), 0),
        ALL_LOADS("MEM_INST_RETIRED", GENERAL(0, 3), 0),
        LOAD_LATENCY(GENERAL(0, 3)),
    }},
    {.name = "icelake", .events = {
        PREC_DIST_ON_FIXED,
        NEAR_TAKEN(GENERAL(0, 7), 0),
        ALL_LOADS("MEM_INST_RETIRED", GENERAL(0, 3), 0),
        LOAD_LATENCY(GENERAL(0, 7)),
    }},
    /* It finds the source of a load's data only while MEM_LOADS_AUX is counted (Linux only). */
    {.name = "goldencove", .latency_halves = true, .events = {
        PREC_DIST_ON_FIXED,
        NEAR_TAKEN(GENERAL(0, 7), GENERAL(0, 0)),
        ALL_LOADS("MEM_INST_RETIRED", GENERAL(0, 3), GENERAL(0, 0)),
        [PEBS_LATENCY] = {.name = "MEM_TRANS_RETIRED.LOAD_LATENCY", .code = 0xcd, .umask = 0x01,
                          .counters = GENERAL(1, 7), .auxiliary = 0x8203},
    }},
    /* Redwood Cove. That fixed counter 0 has no latency of retirement Linux says of Meteor Lake
     * (commit c87a31093c70), and nothing of Granite Rapids. */
    {.name = "meteorlake", .latency_halves = true, .untimed = FIXED_0,
     .events = {REDWOOD_COVE_EVENTS}},
    {.name = "graniterapids", .latency_halves = true, .events = {REDWOOD_COVE_EVENTS}},
    {.name = "lioncove", .latency_halves = true, .events = {
        PREC_DIST_ON_FIXED,
        NEAR_TAKEN(GENERAL(0, 9), GENERAL(0, 1)),
        ALL_LOADS("MEM_INST_RETIRED", GENERAL(0, 3), GENERAL(0, 1)),
        LOAD_LATENCY(GENERAL(2, 9)),
    }},
    /* Gracemont has six general counters, its successors eight: the core says how many. */
    {.name = "gracemont", .latency_halves = true, .events = {
        DISTRIBUTES(PEBS_INSTRUCTIONS, "INST_RETIRED.ANY", 0x00, 0x01, FIXED_0, FIXED_0),
        DISTRIBUTES(PEBS_TAKEN, "BR_INST_RETIRED.NEAR_TAKEN", 0xc4, 0xc0, GENERAL(0, 7),
                    GENERAL(0, 0)),
        ALL_LOADS("MEM_UOPS_RETIRED", GENERAL(0, 7), GENERAL(0, 0)),
        RECORDS(PEBS_LATENCY, "MEM_UOPS_RETIRED.LOAD_LATENCY", 0xd0, 0x05, GENERAL(0, 1)),
    }},
    /* CPUID leaf 23H, sub-leaves 4 and 5 (Linux only). */
    {.name = "architectural",
        .unusable = "architectural PEBS has a buffer of its own, which slotscope does not drive"},
};
/* clang-format on */
