/* What the cores share: the last-level cache, the way to memory, and the knowledge of each other's
 * caches.
 *
 * Non-inclusive (l3_inclusive false): a victim cache of the private second levels. Lines come from
 * memory into L2 and L1 only; one that leaves L2 goes to L3, and an L3 hit takes it out again, so
 * that the sizes of L2 and L3 add up. Inclusive: every line from memory is also put here, hits
 * leave it, and a line that has to go leaves all private caches with it.
 *
 * Lines are chosen by number modulo the sets of all slices: a contiguous buffer fills every set
 * equally, whatever the number of cores. Addresses are those the program uses; the guest maps them
 * one to one. */
#ifndef RIG_MODEL_SHARED_H
#define RIG_MODEL_SHARED_H

#include "model.h"
#include "model_bus.h"
#include "model_cache.h"
#include "model_parameters.h"

#define PROCESSORS_MAX 1024u

struct private_caches {
    struct cache l1d, l1i, l2;
    struct bus bus;
};

struct shared_cache {
    const struct model_parameters *parameters;
    struct cache l3;
    struct private_caches *processor[PROCESSORS_MAX]; /* NULL: none */
    unsigned processors;                              /* one more than the highest in use */
};

/* False when that place is taken or does not exist. */
bool shared_join(struct shared_cache *shared, unsigned cpu, struct private_caches *caches);
void shared_leave(struct shared_cache *shared, unsigned cpu);

/* Whether L3 or another core's cache has the line. An entry that leaves L3 for the asking core's L2
 * keeps its dirty flag, which is given in *flags. */
bool shared_take(struct shared_cache *shared, unsigned cpu, uint64_t line, uint64_t *flags);
/* Gives the cycle in which the line's transfer from memory begins. */
uint64_t shared_read_memory(struct shared_cache *shared, unsigned cpu, uint64_t line,
                            uint64_t cycle);
/* An entry of L2 had to go. */
void shared_put_victim(struct shared_cache *shared, unsigned cpu, uint64_t entry, uint64_t cycle);
/* Out of every level of every core. */
void shared_flush(struct shared_cache *shared, uint64_t line);

#endif
