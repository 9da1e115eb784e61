/* The prefetchers of L2: streams within a page, and the other half of a pair of lines (Optimization
 * Reference Manual, "Data Prefetching"). They say which lines to ask for; lines.c asks. */
#ifndef RIG_CORE_MEMORY_PREFETCH_H
#define RIG_CORE_MEMORY_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/parameters.h"

/* The bits of MSR_MISC_FEATURE_CONTROL (SDM 4) that switch off what is modelled. */
#define PREFETCH_STREAM_OFF   1u
#define PREFETCH_ADJACENT_OFF 2u

#define PREFETCH_STREAMS 32u /* followed at a time, one for each page */
/* Prefetches in flight to L2 on a core whose L2 queue has an unknown length: the entries of
 * Nehalem's queue (16) less its fill buffers (10; M. Thomadakis, "The Architecture of the Nehalem
 * Processor"). Six is too few for later cores, whose queues are said to have 32 and 48 entries. But
 * with 20 the published tma_memory_bound of be.mem.store came to 1.0046 on one of four cores of
 * Skylake-SP, so Skylake-SP has six too. */
#define PREFETCH_FLIGHTS     6u
#define PREFETCH_FLIGHTS_MAX 48u /* parameters->prefetch_flights, at most */
#define PREFETCH_LINES       3u  /* of one access: two of the stream, one of the pair */

struct prefetch_stream {
    uint64_t page;  /* address / 4096 + 1, 0 none */
    uint64_t ahead; /* the furthest line asked for; before the first, the last line accessed */
    uint64_t last;  /* line of the last access */
    uint32_t used;
    int8_t direction; /* 0 not known yet */
};

struct prefetch_flight {
    uint64_t line, ready;
    uint8_t level;        /* enum level: where it comes from */
    uint8_t late, served; /* enum late: what the line waits for longest, who has the line */
};

struct prefetcher {
    uint8_t off; /* PREFETCH_*_OFF */
    uint32_t clock;
    uint64_t last_ready; /* nothing is on its way at this cycle or later */
    struct prefetch_stream stream[PREFETCH_STREAMS];
    struct prefetch_flight flight[PREFETCH_FLIGHTS_MAX];
};

/* A demand access to data in this line (address / 64) reached L2; `missed`: L2 lacked the line.
 * Puts the lines to ask for into `lines` and gives how many. */
unsigned prefetch_lines(struct prefetcher *prefetcher, const struct model_parameters *parameters,
                        uint64_t line, bool missed, uint64_t lines[PREFETCH_LINES]);
/* A free place for one more prefetch at `cycle`, or NULL. */
struct prefetch_flight *prefetch_room(struct prefetcher *prefetcher,
                                      const struct model_parameters *parameters, uint64_t cycle);
/* The prefetch of the line, if the line is still on its way to L2 at `cycle`, else NULL. */
const struct prefetch_flight *prefetch_pending(const struct prefetcher *prefetcher, uint64_t line,
                                               const struct model_parameters *parameters,
                                               uint64_t cycle);

#endif
