/* Load latency, precise stores, off-core response, tagged fetches: what several parts share. */
#ifndef RIG_CPU_ACCESS_EVENTS_H
#define RIG_CPU_ACCESS_EVENTS_H

#include "core/model.h"
#include "pmu/parameters.h"

/* How records encode where a load was served. */
extern const struct data_source nehalem_source, ivybridge_source, skylake_source,
    golden_cove_source, gracemont_source;

/* The events, by the lists' names. */
#define ACCESS_EVENTS_NEHALEM     1
#define ACCESS_EVENTS_IVYBRIDGE   4
#define ACCESS_EVENTS_HASWELL     3
#define ACCESS_EVENTS_SKYLAKE     4
#define ACCESS_EVENTS_ICELAKE     4
#define ACCESS_EVENTS_GOLDEN_COVE 5
#define ACCESS_EVENTS_GRACEMONT   3
extern const struct pmu_event nehalem_access_events[ACCESS_EVENTS_NEHALEM],
    ivybridge_access_events[ACCESS_EVENTS_IVYBRIDGE], haswell_access_events[ACCESS_EVENTS_HASWELL],
    skylake_access_events[ACCESS_EVENTS_SKYLAKE], icelake_access_events[ACCESS_EVENTS_ICELAKE],
    golden_cove_access_events[ACCESS_EVENTS_GOLDEN_COVE],
    redwood_cove_access_events[ACCESS_EVENTS_GOLDEN_COVE],
    gracemont_access_events[ACCESS_EVENTS_GRACEMONT];

#define FRONTEND_FILTERS 5
extern const struct frontend_filter frontend_filters[FRONTEND_FILTERS];

extern const struct offcore_response client_responses[5], skylake_responses[4],
    icelake_responses[14], gracemont_responses[4];

/* Requests by bit. Requests that the model never makes are left out: requests of L3's
 * prefetchers and of prefetchers of code. */
#define REQUESTS_OF_L2_PREFETCH                                                                    \
    [4] = 1u << REQUEST_PREFETCH_READ, [5] = 1u << REQUEST_PREFETCH_OWNERSHIP

/* Ivy Bridge and Haswell: no published value distinguishes prefetches into L1 from reads. */
#define CLIENT_OFFCORE                                                                             \
    {                                                                                              \
        .request_known = 0x3f7,                                                                    \
        .request = {[0] = 1u << REQUEST_DATA_READ | 1u << REQUEST_SOFTWARE_PREFETCH |              \
                          1u << REQUEST_L1_PREFETCH,                                               \
                    [1] = 1u << REQUEST_OWNERSHIP,                                                 \
                    [2] = 1u << REQUEST_CODE_READ,                                                 \
                    REQUESTS_OF_L2_PREFETCH},                                                      \
        .response = client_responses, .response_count = 5                                          \
    }

/* Bit 10: PF_L1D_AND_SW. */
#define SKYLAKE_OFFCORE                                                                            \
    {                                                                                              \
        .request_known = 0x7f7,                                                                    \
        .request = {[0] = 1u << REQUEST_DATA_READ,                                                 \
                    [1] = 1u << REQUEST_OWNERSHIP,                                                 \
                    [2] = 1u << REQUEST_CODE_READ,                                                 \
                    REQUESTS_OF_L2_PREFETCH,                                                       \
                    [10] = 1u << REQUEST_SOFTWARE_PREFETCH | 1u << REQUEST_L1_PREFETCH},           \
        .response = skylake_responses, .response_count = 4                                         \
    }

/* Bit 10: PF_L1D_AND_SW; bit 11: STREAMING_WR; HWPF_L3 also has bit 13. */
#define ICELAKE_OFFCORE                                                                            \
    {                                                                                              \
        .request_known = 0x2ff7,                                                                   \
        .request = {[0] = 1u << REQUEST_DATA_READ,                                                 \
                    [1] = 1u << REQUEST_OWNERSHIP,                                                 \
                    [2] = 1u << REQUEST_CODE_READ,                                                 \
                    REQUESTS_OF_L2_PREFETCH,                                                       \
                    [10] = 1u << REQUEST_SOFTWARE_PREFETCH | 1u << REQUEST_L1_PREFETCH,            \
                    [11] = 1u << REQUEST_STREAMING},                                               \
        .response = icelake_responses, .response_count = 14                                        \
    }

/* Bit 10: HWPF_L1D; bit 11: STREAMING_WR; bit 14: SWPF_RD. */
#define GOLDEN_COVE_OFFCORE                                                                        \
    {                                                                                              \
        .request_known = 0x6ff7,                                                                   \
        .request = {[0] = 1u << REQUEST_DATA_READ,         [1] = 1u << REQUEST_OWNERSHIP,          \
                    [2] = 1u << REQUEST_CODE_READ,         REQUESTS_OF_L2_PREFETCH,                \
                    [10] = 1u << REQUEST_L1_PREFETCH,      [11] = 1u << REQUEST_STREAMING,         \
                    [14] = 1u << REQUEST_SOFTWARE_PREFETCH},                                       \
        .response = icelake_responses, .response_count = 14                                        \
    }

#define GRACEMONT_OFFCORE                                                                          \
    {                                                                                              \
        .request_known = 0x4007,                                                                   \
        .request = {[0] = 1u << REQUEST_DATA_READ,                                                 \
                    [1] = 1u << REQUEST_OWNERSHIP,                                                 \
                    [2] = 1u << REQUEST_CODE_READ,                                                 \
                    [14] = 1u << REQUEST_SOFTWARE_PREFETCH},                                       \
        .response = gracemont_responses, .response_count = 4                                       \
    }

#endif
