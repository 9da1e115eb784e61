/* Caches, TLBs, fill buffers and memory of one core: how long an access takes and where it found
 * its line.
 *
 * Calls come in program order; their cycles need not: an access may begin before one that was asked
 * about earlier. Left out: the traffic of page walks and the time in
 * which a line that several cores write to is on its way between them (each gets it when it asks).
 * Written-back lines take their share of the way to memory, those that CLFLUSH writes back
 * excepted. Two threads of a core use the memory of the first one, each with its own
 * translations. */
#ifndef RIG_MODEL_MEMORY_H
#define RIG_MODEL_MEMORY_H

#include "core/model.h"
#include "core/parameters.h"

enum level {
    LEVEL_L1,
    LEVEL_FILL_BUFFER /* a miss of this line is already on its way */,
    LEVEL_L2,
    LEVEL_L3,
    LEVEL_MEMORY
};

/* Why an access took longer than a hit of L1: of all it waited for what took longest, and of equal
 * waits the last. */
enum late {
    LATE_NOT,
    LATE_TRANSLATION,     /* the second-level TLB or a walk */
    LATE_FORWARD_BLOCKED, /* an older store overlaps and cannot forward */
    LATE_SPLIT,           /* the second half of a line or page split */
    LATE_LOCK,            /* a locked access holds the line */
    LATE_FILL_BUFFER,     /* every fill buffer was busy */
    LATE_L2,              /* served by L2 */
    LATE_L3,
    LATE_CONTESTED,     /* another core had the line modified */
    LATE_SHARED,        /* another core had the line */
    LATE_MEMORY,        /* memory's own latency */
    LATE_BANDWIDTH,     /* the way to memory was busy */
    LATE_ALIAS,         /* a store to the same offset of another 4 KiB page */
    LATE_UNKNOWN_STORE, /* the address of an older store was not known */
    LATE_QUEUE,         /* the queue of what L2 asks for was full */
    LATE_STREAM,        /* a streaming store: no buffer to combine its line in */
    LATE_COUNT
};

struct reach {     /* the answer to one access */
    uint64_t done; /* cycle in which the value can be used (loads, code) or the line is owned in L1
                      (stores) */
    enum level level;
    enum late late;
    enum late served;    /* which of L2, L3, other cores and memory had the line, whatever took
                            longest; LATE_NOT: none of them */
    bool second_level;   /* the translation came from the STLB */
    bool walk;           /* it needed a page walk */
    uint64_t begun;      /* loads: cycle in which memory was asked; 0: it was not */
    uint64_t translated; /* cycle in which its address was translated: loads and code */
    uint64_t buffered;   /* loads: cycle in which it had a fill buffer; 0: it needed none */
    bool evicted;        /* code only: another line left the instruction cache: evicted_line */
    uint64_t evicted_line;
};

/* A line asked for beyond L2. */
struct line_read {
    uint64_t begun, done;
    bool load; /* by a load, or a prefetch because of one */
};

struct memory_hierarchy;
/* NULL when memory ran out, `cpu` is taken, or a figure is impossible (more than 32 fill buffers,
 * ways that do not divide the entries of a TLB). The plain names are the guest memory's (memory.h)
 * for the linker, so they exist only inside this file's users. */
struct memory_hierarchy *memory_model_new(const struct model_parameters *parameters, unsigned cpu,
                                          struct shared_cache *shared, struct model_world world);
void memory_model_free(struct memory_hierarchy *memory);

/* The thread that this memory was made for uses another's from now on: all but its translations
 * goes. */
void memory_pair(struct memory_hierarchy *memory);
/* The accesses that follow are translated by what `whose` holds, and told to whom `whose` tells. */
void memory_select(struct memory_hierarchy *memory, struct memory_hierarchy *whose);

static inline struct memory_hierarchy *memory_new(const struct model_parameters *parameters,
                                                  unsigned cpu, struct shared_cache *shared,
                                                  struct model_world world)
{
    return memory_model_new(parameters, cpu, shared, world);
}

static inline void memory_free(struct memory_hierarchy *memory)
{
    memory_model_free(memory);
}

/* A load of `size` bytes that begins at `cycle`. A line or page split takes the later of its halves
 * plus one cycle, a page split also its penalty. With every fill buffer busy the miss waits for
 * one. */
struct reach memory_load(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                         uint64_t cycle);
/* The same for the load of a locked instruction, which asks for ownership
 * (OFFCORE_REQUESTS.DEMAND_RFO counts "regular RFOs, locks, ItoM"). */
struct reach memory_load_locked(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                                uint64_t cycle);
/* A committed store that wants its line in L1 for writing. */
struct reach memory_store(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                          uint64_t cycle);
/* A committed streaming store: its line leaves all caches and is written around them, in a fill
 * buffer that is kept until memory has the line. done = cycle in which it has such a buffer. */
struct reach memory_stream(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                           uint64_t cycle);
/* What streaming stores have begun is sent. Gives the cycle in which memory has all of it. */
uint64_t memory_stream_end(struct memory_hierarchy *memory, uint64_t cycle);
/* Translation of a store's address when it executes, at `cycle` (before it commits): only `done`,
 * `second_level` and `walk` are told. It shares the page walkers with the loads. */
struct reach memory_translate_store(struct memory_hierarchy *memory, uint64_t address,
                                    uint64_t cycle);
/* Fetch of the 64-byte line that holds `address` by the legacy path. done = cycle when no stall. */
struct reach memory_code(struct memory_hierarchy *memory, uint64_t address, uint64_t cycle);
/* Whether the instruction TLB translates the address at once. */
bool memory_code_translated(struct memory_hierarchy *memory, uint64_t address);
/* Tells the prefetchers of L1 about a load by the instruction at `rip`, after memory_load. */
void memory_train(struct memory_hierarchy *memory, uint64_t rip, uint64_t address, uint64_t cycle);
/* What has been asked for since the last call, as much of it as there is room for; it stays until
 * the next access. */
unsigned memory_line_reads(struct memory_hierarchy *memory, const struct line_read **reads);
void memory_prefetch(struct memory_hierarchy *memory, uint64_t address, uint64_t cycle);
/* CLFLUSH: out of every level of every core. */
void memory_flush_line(struct memory_hierarchy *memory, uint64_t address);
/* Another core wrote the line: out of L1D, L1I and L2 of this one. */
void memory_invalidate(struct memory_hierarchy *memory, uint64_t address);
/* The line leaves the instruction cache only (it was written to). */
void memory_drop_code(struct memory_hierarchy *memory, uint64_t address);
/* False when code was never fetched from the line of that address: no cache of code can hold it. */
bool memory_fetched(const struct memory_hierarchy *memory, uint64_t address);
/* Whether the line is in the instruction cache (self-modifying code). */
bool memory_in_code_cache(const struct memory_hierarchy *memory, uint64_t address);
/* Switches prefetchers off and on: the bits of MSR_MISC_FEATURE_CONTROL, 1 off. All are off in a
 * new memory. */
void memory_prefetchers(struct memory_hierarchy *memory, unsigned off);
void memory_flush_tlb(struct memory_hierarchy *memory);
/* Who is told of every line asked for beyond L2; NULL: nobody. */
void memory_tell(struct memory_hierarchy *memory,
                 void (*request)(void *, enum request, enum origin), void *context);

#endif
