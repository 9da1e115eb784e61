/* Caches, TLBs, fill buffers and memory of one core: how long an access takes and where it found
 * its line.
 *
 * Calls come in program order; their cycles need not: an access may begin before one that was asked
 * about earlier. Left out: the prefetchers of L1 (those of L2 are in model_prefetch.h), the traffic
 * of page walks, a limit on misses of L2, and ownership between cores (a store that hits L1 never
 * waits for another core; one that misses finds the line there, LEVEL_L3). Written-back lines take
 * their share of the way to memory, those that CLFLUSH writes back excepted. Every logical
 * processor has first and second levels of its own, SMT siblings too. */
#ifndef RIG_MODEL_MEMORY_H
#define RIG_MODEL_MEMORY_H

#include "model.h"
#include "model_parameters.h"

enum level {
    LEVEL_L1,
    LEVEL_FILL_BUFFER /* a miss of this line is already on its way */,
    LEVEL_L2,
    LEVEL_L3,
    LEVEL_MEMORY
};

/* Why an access took longer than a hit of L1, the last thing it waited for. */
enum late {
    LATE_NOT,
    LATE_TRANSLATION,     /* the second-level TLB or a walk */
    LATE_FORWARD_BLOCKED, /* an older store overlaps and cannot forward */
    LATE_SPLIT,           /* the second half of a line or page split */
    LATE_LOCK,            /* a locked access holds the line */
    LATE_FILL_BUFFER,     /* every fill buffer was busy */
    LATE_L2,              /* served by L2 */
    LATE_L3,
    LATE_CONTESTED, /* another core had the line modified */
    LATE_SHARED,    /* another core had the line */
    LATE_MEMORY,    /* memory's own latency */
    LATE_BANDWIDTH, /* the way to memory was busy */
    LATE_ALIAS,     /* a store to the same offset of another 4 KiB page */
    LATE_COUNT
};

struct reach {     /* the answer to one access */
    uint64_t done; /* cycle in which the value can be used (loads, code) or the line is owned in L1
                      (stores) */
    enum level level;
    enum late late;
    bool second_level; /* the translation came from the STLB */
    bool walk;         /* it needed a page walk */
    bool evicted;      /* code only: another line left the instruction cache: evicted_line */
    uint64_t evicted_line;
};

struct memory;
/* NULL when memory ran out, `cpu` is taken, or a figure is impossible (more than 32 fill buffers,
 * ways that do not divide the entries of a TLB). The plain names are the guest memory's (memory.h)
 * for the linker, so they exist only inside this file's users. */
struct memory *memory_model_new(const struct model_parameters *parameters, unsigned cpu,
                                struct shared_cache *shared, struct model_world world);
void memory_model_free(struct memory *memory);

static inline struct memory *memory_new(const struct model_parameters *parameters, unsigned cpu,
                                        struct shared_cache *shared, struct model_world world)
{
    return memory_model_new(parameters, cpu, shared, world);
}

static inline void memory_free(struct memory *memory)
{
    memory_model_free(memory);
}

/* A load of `size` bytes that begins at `cycle`. A line or page split takes the later of its halves
 * plus one cycle. With every fill buffer busy the miss waits for one. */
struct reach memory_load(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle);
/* A committed store that wants its line in L1 for writing. */
struct reach memory_store(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle);
/* Translation of a store's address when it executes (before it commits): cycles added, *walk set.
 */
unsigned memory_translate_store(struct memory *memory, uint64_t address, bool *walk);
/* Fetch of the 64-byte line that holds `address` by the legacy path. done = cycle when no stall. */
struct reach memory_code(struct memory *memory, uint64_t address, uint64_t cycle);
/* Whether the instruction TLB translates the address at once. */
bool memory_code_translated(struct memory *memory, uint64_t address);
void memory_prefetch(struct memory *memory, uint64_t address, uint64_t cycle);
/* CLFLUSH: out of every level of every core. */
void memory_flush_line(struct memory *memory, uint64_t address);
/* Another core wrote the line: out of L1D, L1I and L2 of this one. */
void memory_invalidate(struct memory *memory, uint64_t address);
/* The line leaves the instruction cache only (it was written to). */
void memory_drop_code(struct memory *memory, uint64_t address);
/* Whether the line is in the instruction cache (self-modifying code). */
bool memory_in_code_cache(const struct memory *memory, uint64_t address);
/* Switches prefetchers off and on: the bits of MSR_MISC_FEATURE_CONTROL, 1 off. All are off in a
 * new memory. */
void memory_prefetchers(struct memory *memory, unsigned off);
void memory_flush_tlb(struct memory *memory);
/* Who is told of every line asked for beyond L2; NULL: nobody. */
void memory_tell(struct memory *memory, void (*request)(void *, enum request, enum origin),
                 void *context);

#endif
