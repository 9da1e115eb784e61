/* What the cores share: the last-level cache, the way to memory, and the knowledge of each other's
 * caches.
 *
 * Non-inclusive (l3_inclusive false): a victim cache of the private second levels. Lines come from
 * memory into L2 and L1 only; one that leaves L2 goes to L3, and an L3 hit takes it out again, so
 * that the sizes of L2 and L3 add up, unless another core has the line too. Inclusive: every line
 * from memory is also put here, hits leave it, and a line that has to go leaves all private caches
 * with it.
 *
 * Who has written to a line that several cores use: an entry of L1D or L2 that is dirty belongs to
 * one core alone. A read by another core makes it clean and leaves the written data in L3; a write
 * by another core takes it away. The machine tells of a write (model_snoop_write) before the
 * writer's own model has seen it, so what was taken away is kept as handed over until the writer
 * asks for it.
 *
 * Lines are chosen by number modulo the sets of all slices: a contiguous buffer fills every set
 * equally, whatever the number of cores. Addresses are those the program uses; the guest maps them
 * one to one. */
#ifndef RIG_MODEL_SHARED_H
#define RIG_MODEL_SHARED_H

#include "core/model.h"
#include "bus.h"
#include "cache.h"
#include "core/parameters.h"

#define PROCESSORS_MAX 1024u
#define HANDED_LINES                                                                               \
    64u /* taken away by a write and not yet asked for: an instruction's at most                   \
         */

struct private_caches {
    struct cache l1d, l1i, l2;
    struct bus bus;
};

/* Where a line was found below the second level. */
enum shared_found {
    SHARED_NOWHERE,
    SHARED_L3,      /* or in caches of several cores: none of them can have written to it */
    SHARED_CLEAN,   /* one other core has it and had to be asked */
    SHARED_MODIFIED /* another core has written to it */
};

struct handed {
    uint64_t line; /* + 1, 0 none */
    unsigned cpu;  /* it was taken from */
    bool modified;
};

struct shared_cache {
    const struct model_parameters *parameters;
    struct cache l3;
    struct private_caches *processor[PROCESSORS_MAX]; /* NULL: none */
    unsigned processors;                              /* one more than the highest in use */
    struct handed handed[HANDED_LINES];
};

/* False when that place is taken or does not exist. */
bool shared_join(struct shared_cache *shared, unsigned cpu, struct private_caches *caches);
void shared_leave(struct shared_cache *shared, unsigned cpu);

/* Looks in L3 and in the other cores' caches. An entry that leaves L3 for the asking core's L2
 * keeps its dirty flag, which is given in *flags. */
enum shared_found shared_take(struct shared_cache *shared, unsigned cpu, uint64_t line,
                              uint64_t *flags, uint64_t cycle);
/* The core has the line and is about to write to it: which others had it until now. */
enum shared_found shared_own(struct shared_cache *shared, unsigned cpu, uint64_t line);
/* Another core writes to the line: out of this one's caches. */
void shared_take_away(struct shared_cache *shared, unsigned cpu, uint64_t line);
/* Gives the cycle in which the line's transfer from memory begins. */
uint64_t shared_read_memory(struct shared_cache *shared, unsigned cpu, uint64_t line,
                            uint64_t cycle);
/* A line is written around the caches: begins when the way to memory has room. */
uint64_t shared_write_memory(struct shared_cache *shared, unsigned cpu, uint64_t cycle);
/* An entry of L2 had to go. */
void shared_put_victim(struct shared_cache *shared, unsigned cpu, uint64_t entry, uint64_t cycle);
/* Out of every level of every core. */
void shared_flush(struct shared_cache *shared, uint64_t line);

#endif
