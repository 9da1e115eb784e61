/* The prefetchers of L2: streams within a page, and the other half of a pair of lines (Optimization
 * Reference Manual, "Data Prefetching"). They say which lines to ask for; the caches do it
 * (model_memory.c). */
#ifndef RIG_MODEL_PREFETCH_H
#define RIG_MODEL_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/parameters.h"

/* The bits of MSR_MISC_FEATURE_CONTROL (SDM 4) that switch off what is modelled. */
#define PREFETCH_STREAM_OFF   1u
#define PREFETCH_ADJACENT_OFF 2u

#define PREFETCH_STREAMS 32u /* one a page: that many are followed */
/* Lines on their way to L2 because of a prefetch, where the length of L2's queue is a guess or not
 * known: what the fill buffers (10) leave of it (16 entries) on Nehalem (M. Thomadakis, "The
 * Architecture of the Nehalem Processor"). For later cores it is too few: queues of 32 and 48 are
 * spoken of. With 20 the published tma_memory_bound of be.mem.store came to 1.0046 on one of four
 * cores of Skylake-SP, so six it is there too. */
#define PREFETCH_FLIGHTS     6u
#define PREFETCH_FLIGHTS_MAX 48u /* parameters->prefetch_flights, at most */
#define PREFETCH_LINES                                                                             \
    3u /* at most asked for by one access: two of the stream, one of the pair                      \
        */

struct prefetch_stream {
    uint64_t page;  /* address / 4096 + 1, 0 none */
    uint64_t ahead; /* the furthest line asked for, or the last one accessed */
    uint64_t last;  /* line of the last access */
    uint32_t used;
    int8_t direction; /* 0 not known yet */
};

struct prefetch_flight {
    uint64_t line, ready;
    uint8_t level;        /* enum level: where it comes from */
    uint8_t late, served; /* enum late: what it waits for longest, who has it */
};

struct prefetcher {
    uint8_t off; /* PREFETCH_*_OFF */
    uint32_t clock;
    uint64_t last_ready; /* nothing is on its way at this cycle or later */
    struct prefetch_stream stream[PREFETCH_STREAMS];
    struct prefetch_flight flight[PREFETCH_FLIGHTS_MAX];
};

/* A demand access of data to this line (address / 64) reached L2, `missed` it there or not. Gives
 * the lines worth asking for. */
unsigned prefetch_lines(struct prefetcher *prefetcher, const struct model_parameters *parameters,
                        uint64_t line, bool missed, uint64_t lines[PREFETCH_LINES]);
/* Room for one more at `cycle`, or null. */
struct prefetch_flight *prefetch_room(struct prefetcher *prefetcher,
                                      const struct model_parameters *parameters, uint64_t cycle);
/* The line's way to L2 if it is not over at `cycle`, or null. */
const struct prefetch_flight *prefetch_pending(const struct prefetcher *prefetcher, uint64_t line,
                                               const struct model_parameters *parameters,
                                               uint64_t cycle);

#endif
