/* Load latency, precise stores and off-core response, part by part.
 *
 * Events, counters and the filters' values: the vendor's public event lists (field MSRValue), for
 * Nehalem SDM 3B, "Load Latency Performance Monitoring Facility". Data sources: SDM 3B, "Data
 * Source Encoding for Load Latency Record"; the flags of a data source, and their places on
 * Gracemont, and the codes of other packages, as Linux reads them in arch/x86/events/intel/ds.c. */
#include "access_events.h"
#include "rows.h"

#define FROM_L3     (1u << ORIGIN_L3)
#define FROM_LOCAL  (1u << ORIGIN_MEMORY)
#define FROM_REMOTE (1u << ORIGIN_REMOTE_MEMORY)
#define FROM_DRAM   (FROM_LOCAL | FROM_REMOTE)
#define FROM_MISS   (FROM_DRAM | 1u << ORIGIN_REMOTE_CLEAN | 1u << ORIGIN_REMOTE_MODIFIED)
#define FROM_ANY    (FROM_L3 | FROM_MISS)

/* Until Haswell a line from memory has the code 0CH, or 0DH from another package's; the caches of
 * another package have 08H, and 09H when they had modified it. From Skylake on that are 0AH, 0BH,
 * 0CH and 0DH. */
#define TO_L3 [ORIGIN_L1] = 1, [ORIGIN_FILL_BUFFER] = 2, [ORIGIN_L2] = 3, [ORIGIN_L3] = 4
#define SOURCES_NEHALEM                                                                            \
    {                                                                                              \
        TO_L3, [ORIGIN_MEMORY] = 0xc, [ORIGIN_REMOTE_MEMORY] = 0xd, [ORIGIN_REMOTE_CLEAN] = 8,     \
               [ORIGIN_REMOTE_MODIFIED] = 9                                                        \
    }
#define SOURCES_SKYLAKE                                                                            \
    {                                                                                              \
        TO_L3, [ORIGIN_MEMORY] = 0xa, [ORIGIN_REMOTE_MEMORY] = 0xb, [ORIGIN_REMOTE_CLEAN] = 0xc,   \
               [ORIGIN_REMOTE_MODIFIED] = 0xd                                                      \
    }

const struct data_source nehalem_source = {.origin = SOURCES_NEHALEM};
const struct data_source ivybridge_source = {
    .origin = SOURCES_NEHALEM, .walked = 1u << 4, .locked = 1u << 5};
const struct data_source skylake_source = {
    .origin = SOURCES_SKYLAKE, .walked = 1u << 4, .locked = 1u << 5};
const struct data_source golden_cove_source = {.origin = SOURCES_SKYLAKE,
                                               .walked = 1u << 4,
                                               .locked = 1u << 5,
                                               .blocked = 1u << 6,
                                               .aliased = 1u << 7};
const struct data_source gracemont_source = {
    .origin = SOURCES_SKYLAKE, .walked = 1u << 5, .locked = 1u << 4, .blocked = 1u << 6};

const struct pmu_event nehalem_access_events[ACCESS_EVENTS_NEHALEM] = {
    {0x0b, 0x10, ANY4, false, COUNTS_ACCESS(PER_SLOW_LOAD),
     "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD"},
};

const struct pmu_event ivybridge_access_events[ACCESS_EVENTS_IVYBRIDGE] = {
    {0xcd, 0x01, ONLY3, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_TRANS_RETIRED.LOAD_LATENCY"},
    {0xcd, 0x02, ONLY3, false, COUNTS_ACCESS(PER_STORE), "MEM_TRANS_RETIRED.PRECISE_STORE"},
    {0xb7, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_0), "OFFCORE_RESPONSE (0x1a6)"},
    {0xbb, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_1), "OFFCORE_RESPONSE (0x1a7)"},
};

const struct pmu_event haswell_access_events[ACCESS_EVENTS_HASWELL] = {
    {0xcd, 0x01, ONLY3, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_TRANS_RETIRED.LOAD_LATENCY"},
    {0xb7, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_0), "OFFCORE_RESPONSE (0x1a6)"},
    {0xbb, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_1), "OFFCORE_RESPONSE (0x1a7)"},
};

const struct pmu_event skylake_access_events[ACCESS_EVENTS_SKYLAKE] = {
    {0xcd, 0x01, ANY4, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_TRANS_RETIRED.LOAD_LATENCY"},
    {0xb7, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_0), "OFFCORE_RESPONSE (0x1a6)"},
    {0xbb, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_1), "OFFCORE_RESPONSE (0x1a7)"},
    {0xc6, 0x01, ANY4, false, COUNTS_ACCESS(PER_FETCH), "FRONTEND_RETIRED"},
};

const struct pmu_event icelake_access_events[ACCESS_EVENTS_ICELAKE] = {
    {0xcd, 0x01, ANY8, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_TRANS_RETIRED.LOAD_LATENCY"},
    {0xb7, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_0), "OCR (0x1a6)"},
    {0xbb, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_1), "OCR (0x1a7)"},
    {0xc6, 0x01, ANY8, false, COUNTS_ACCESS(PER_FETCH), "FRONTEND_RETIRED"},
};

const struct pmu_event golden_cove_access_events[ACCESS_EVENTS_GOLDEN_COVE] = {
    {0xcd, 0x01, NOT0_OF8, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_TRANS_RETIRED.LOAD_LATENCY"},
    {0xcd, 0x02, ONLY0, false, COUNTS_ACCESS(PER_STORE), "MEM_TRANS_RETIRED.STORE_SAMPLE"},
    {0x2a, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_0), "OCR (0x1a6)"},
    {0x2b, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_1), "OCR (0x1a7)"},
    {0xc6, 0x01, ANY8, false, COUNTS_ACCESS(PER_FETCH), "FRONTEND_RETIRED"},
};

const struct pmu_event redwood_cove_access_events[ACCESS_EVENTS_GOLDEN_COVE] = {
    {0xcd, 0x01, NOT0_OF8, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_TRANS_RETIRED.LOAD_LATENCY"},
    {0xcd, 0x02, ONLY0, false, COUNTS_ACCESS(PER_STORE), "MEM_TRANS_RETIRED.STORE_SAMPLE"},
    {0x2a, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_0), "OCR (0x1a6)"},
    {0x2b, 0x01, ANY4, false, COUNTS_ACCESS(PER_REQUEST_1), "OCR (0x1a7)"},
    {0xc6, 0x03, ANY8, false, COUNTS_ACCESS(PER_FETCH), "FRONTEND_RETIRED"},
};

const struct pmu_event gracemont_access_events[ACCESS_EVENTS_GRACEMONT] = {
    {0xd0, 0x05, ONLY01, false, COUNTS_ACCESS(PER_SLOW_LOAD), "MEM_UOPS_RETIRED.LOAD_LATENCY"},
    {0xb7, 0x01, ANY6, false, COUNTS_ACCESS(PER_REQUEST_0), "OCR (0x1a6)"},
    {0xb7, 0x02, ANY6, false, COUNTS_ACCESS(PER_REQUEST_1), "OCR (0x1a7)"},
};

/* A request that L3 or another core's cache served is an L3_HIT; forms that distinguish snoops are
 * unknown. */
const struct offcore_response client_responses[5] = {
    {UINT64_C(0x10000), FROM_ANY},       /* ANY_RESPONSE */
    {UINT64_C(0x3f803c0000), FROM_L3},   /* LLC_HIT or L3_HIT.ANY_RESPONSE */
    {UINT64_C(0x3fffc00000), FROM_MISS}, /* L3_MISS.ANY_RESPONSE */
    {UINT64_C(0x300400000), FROM_DRAM},  /* LLC_MISS.DRAM */
    {UINT64_C(0x100400000), FROM_LOCAL}, /* L3_MISS.LOCAL_DRAM */
};

const struct offcore_response skylake_responses[4] = {
    {UINT64_C(0x10000), FROM_ANY},        /* ANY_RESPONSE */
    {UINT64_C(0x3f803c0000), FROM_L3},    /* L3_HIT.ANY_SNOOP */
    {UINT64_C(0x3fbc000000), FROM_MISS},  /* L3_MISS.ANY_SNOOP */
    {UINT64_C(0x63b800000), FROM_REMOTE}, /* L3_MISS_REMOTE_DRAM.SNOOP_MISS_OR_NO_FWD */
};

/* Also Golden Cove's; the last two are in Alder Lake's list only. */
const struct offcore_response icelake_responses[14] = {
    {UINT64_C(0x10000), FROM_ANY},        /* ANY_RESPONSE */
    {UINT64_C(0x3f3ffc0000), FROM_ANY},   /* DEMAND_RFO and READS_TO_CORE .ANY_RESPONSE */
    {UINT64_C(0x3f803c0000), FROM_L3},    /* L3_HIT */
    {UINT64_C(0x3f003c0000), FROM_L3},    /* READS_TO_CORE.L3_HIT */
    {UINT64_C(0x3fbfc00000), FROM_MISS},  /* L3_MISS */
    {UINT64_C(0x3f3fc00000), FROM_MISS},  /* DEMAND_RFO and READS_TO_CORE .L3_MISS */
    {UINT64_C(0x3f84400000), FROM_LOCAL}, /* L3_MISS_LOCAL */
    {UINT64_C(0x3f04400000), FROM_LOCAL}, /* DEMAND_RFO and READS_TO_CORE .L3_MISS_LOCAL */
    {UINT64_C(0x73c000000), FROM_DRAM},   /* DRAM */
    {UINT64_C(0x104000000), FROM_LOCAL},  /* LOCAL_DRAM */
    {UINT64_C(0x70c000000), FROM_LOCAL},  /* LOCAL_SOCKET_DRAM */
    {UINT64_C(0x730000000), FROM_REMOTE}, /* REMOTE_DRAM */
    {UINT64_C(0x184000000), FROM_DRAM},   /* DRAM */
    {UINT64_C(0x1f803c0000), FROM_L3},    /* L3_HIT */
};

const struct offcore_response gracemont_responses[4] = {
    {UINT64_C(0x10000), FROM_ANY},       /* ANY_RESPONSE */
    {UINT64_C(0x784000000), FROM_DRAM},  /* DRAM */
    {UINT64_C(0x1f803c0000), FROM_L3},   /* L3_HIT */
    {UINT64_C(0x3f84400000), FROM_DRAM}, /* L3_MISS, L3_MISS_LOCAL */
};

/* Unknown: the other values (critical misses, bubbles, unknown branches, microcode). */
const struct frontend_filter frontend_filters[FRONTEND_FILTERS] = {
    {0x01, FETCHED_DSB_MISS},  /* ANY_DSB_MISS */
    {0x12, FETCHED_L1_MISS},   /* L1I_MISS */
    {0x13, FETCHED_L2_MISS},   /* L2_MISS */
    {0x14, FETCHED_ITLB_MISS}, /* ITLB_MISS */
    {0x15, FETCHED_STLB_MISS}, /* STLB_MISS */
};
