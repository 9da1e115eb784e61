/* What the cores share: the last-level cache, the way to memory, and which core has which line.
 *
 * Non-inclusive (l3_inclusive false): L3 is a victim cache of the private second levels. Lines come
 * from memory into L2 and L1 only; a line that leaves L2 goes to L3, and an L3 hit takes it out
 * again, so that the sizes of L2 and L3 add up, unless another core has the line too. With
 * l3_if_reused, a clean line that L2 was asked for once, and that did not come from L3, is dropped
 * instead: what lets a processor expect that a line is used again is a guess. Inclusive:
 * every line from memory is also put into L3, hits leave it there, and a line that leaves L3 leaves
 * all private caches too.
 *
 * A dirty entry of L1D or L2 belongs to one core alone: it shows which core wrote to the line. A
 * read by another core makes the entry clean and leaves the written data in L3; a write by another
 * core takes the line away. The machine reports a write (model_snoop_write) before the writer's own
 * model accounts for it, so a line that was taken away is remembered until the writer asks for it.
 *
 * The set of a line is its number modulo the sets of all slices: a contiguous buffer fills every
 * set equally, whatever the number of cores. Addresses are the program's, which the guest maps one
 * to one.
 *
 * Several packages: each has an L3 of its own, and a part of the memory. A line that the own
 * package lacks comes from another package that has it, or else from memory, near or far. A write
 * takes the line out of the L3 of all other packages. That a line which another package has clean
 * comes from there and not from memory is a guess. */
#ifndef RIG_CORE_MEMORY_SHARED_H
#define RIG_CORE_MEMORY_SHARED_H

#include "core/model.h"
#include "bus.h"
#include "core/cache.h"
#include "core/parameters.h"

#define PROCESSORS_MAX 1024u
#define HANDED_LINES   64u /* taken away by a write and not yet asked for: one instruction's */

struct private_caches {
    struct cache l1d, l1i, l2;
    struct bus bus;   /* by the core's clock, */
    uint64_t skipped; /* which is so many cycles above the cycles that calls name */
    /* Called before another core changes what these caches hold; or NULL. */
    void (*changes)(void *context);
    void *context;
};

/* Where a line was found below the second level. */
enum shared_found {
    SHARED_NOWHERE,
    SHARED_L3,       /* or in the caches of several cores: none of them can have written to it */
    SHARED_CLEAN,    /* one other core has it and had to be asked */
    SHARED_MODIFIED, /* another core has written to it */
    /* a cache of another package has it, none of the own package */
    SHARED_REMOTE_CLEAN,
    SHARED_REMOTE_MODIFIED
};

struct handed {
    uint64_t line; /* + 1, 0 none */
    unsigned cpu;  /* that the line was taken from */
    bool modified;
};

struct shared_cache {
    const struct model_parameters *parameters;
    struct model_packages packages;
    struct cache l3[PACKAGES_MAX];                    /* of each package */
    struct private_caches *processor[PROCESSORS_MAX]; /* NULL: none */
    unsigned processors;                              /* one more than the highest in use */
    struct handed handed[HANDED_LINES];
};

/* Core number `cpu`, with these caches, takes part. False: `cpu` is taken or too large. */
bool shared_join(struct shared_cache *shared, unsigned cpu, struct private_caches *caches);
void shared_leave(struct shared_cache *shared, unsigned cpu);

/* Looks for the line in L3 and in the other cores' caches. *flags: the dirty flag of an entry that
 * leaves L3 for the asking core's L2. */
enum shared_found shared_take(struct shared_cache *shared, unsigned cpu, uint64_t line,
                              uint64_t *flags, uint64_t cycle);
/* The core has the line and is about to write to it: where else the line was until now. */
enum shared_found shared_own(struct shared_cache *shared, unsigned cpu, uint64_t line);
/* The core is about to write to a line that it had to fetch: the line leaves the L3 of all other
 * packages. shared_own does the same. */
void shared_claim(struct shared_cache *shared, unsigned cpu, uint64_t line);
/* Whether the line's memory is that of another package. */
bool shared_is_remote(const struct shared_cache *shared, unsigned cpu, uint64_t line);
/* So many cycles to the near memory or package are so many to a far one. */
uint64_t shared_far(const struct shared_cache *shared, uint64_t cycles);
/* Another core writes to the line: it leaves this core's caches. */
void shared_take_away(struct shared_cache *shared, unsigned cpu, uint64_t line);
/* Reads the line from memory: gives the cycle in which its transfer begins. */
uint64_t shared_read_memory(struct shared_cache *shared, unsigned cpu, uint64_t line,
                            uint64_t cycle);
/* A line is written around the caches: gives the cycle in which its transfer begins. */
uint64_t shared_write_memory(struct shared_cache *shared, unsigned cpu, uint64_t cycle);
/* This entry had to leave the core's L2; its flags say whether it is dirty and was reused. */
void shared_put_victim(struct shared_cache *shared, unsigned cpu, uint64_t entry, uint64_t cycle);
/* The line leaves every level of every core. */
void shared_flush(struct shared_cache *shared, uint64_t line);

#endif
