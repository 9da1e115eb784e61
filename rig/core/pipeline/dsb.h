/* The uop cache (DSB, decoded stream buffer). */
#ifndef RIG_CORE_PIPELINE_DSB_H
#define RIG_CORE_PIPELINE_DSB_H

#include "core/cycle/state.h"

/* False: the host's memory ran out. */
bool dsb_start(const struct model_parameters *p, struct front *front);
void dsb_free(struct front *front);
/* Empties the uop cache and divides it among so many threads. */
void dsb_divide(const struct model_parameters *p, struct front *front, unsigned threads);
/* The line that has the instruction at `rip`, or NULL. */
struct dsb_line *dsb_lookup(const struct model_parameters *p, struct memory_hierarchy *memory,
                            struct front *front, uint64_t rip);
/* Keeps the uops that the decoders made of the instruction at `rip`. */
void dsb_insert(const struct model_parameters *p, struct front *front, uint64_t rip,
                const struct decoded *decoded);
/* The instruction at `rip` has fused with the jump that ends before address `end`: drops its
 * window where the uop cache does not keep the pair. */
void dsb_fused(const struct model_parameters *p, struct front *front, uint64_t rip, uint64_t end);
/* Drops the uops of the 64 bytes of code at `address`. True: there were some. */
bool dsb_drop_line(const struct model_parameters *p, struct front *front, uint64_t address);
/* The instruction cache has lost the line at `address`. */
void dsb_lose_line(const struct model_parameters *p, struct front *front, uint64_t address);

/* The window of code that `rip` is in. */
static inline uint64_t window_of(const struct front *front, uint64_t rip)
{
    return rip >> front->window_shift;
}

#endif
