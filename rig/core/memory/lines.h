/* The state of a core's memory, and the way of one line into L1 (lines.c). What an access asks of
 * it is in memory.c. */
#ifndef RIG_CORE_MEMORY_LINES_H
#define RIG_CORE_MEMORY_LINES_H

#include "core/cache.h"
#include "core/model.h"
#include "fill.h"
#include "prefetch.h"
#include "prefetch_l1.h"
#include "reach.h"
#include "shared.h"
#include "stream.h"
#include "tlb.h"

#define CODE_LINES 65536u /* by address: whether code was fetched from the line */
#define LINE_READS 16     /* more than one split load makes its core ask for */

struct memory_hierarchy {
    const struct model_parameters *parameters;
    struct shared_cache *shared;
    unsigned cpu;
    struct private_caches caches;
    unsigned mhz, first_mhz;         /* of the core's clock now, and at first; 0: always so */
    struct translation own;          /* of the thread that this memory was made for */
    struct translation *translation; /* of the thread that asks now */
    struct memory_hierarchy *asker;  /* the memory of the thread that asks: reports go there */
    enum request asking;             /* why lines are asked for now */
    void (*request)(void *context, enum request request, enum origin origin); /* or NULL */
    void *request_context;
    struct prefetcher prefetcher;
    struct prefetcher_l1 prefetcher_l1;
    struct fills fills;
    struct fills queue; /* L2's queue: all lines in flight to L2 */
    struct streams streams;
    uint64_t beyond; /* how often a line was asked for beyond L1, or written around it */
    bool reading;    /* the line asked for now is for a load */
    unsigned read_count;
    struct line_read reads[LINE_READS];
    uint8_t code[CODE_LINES / 8]; /* a bit for each of CODE_LINES */
};

/* Where and when a line was found. */
struct found_line {
    uint64_t ready;
    uint64_t longest;  /* cycles of the wait that `late` names */
    uint64_t buffered; /* cycle in which it had a fill buffer; 0: it needed none */
    enum level level;
    enum late late, served;
};

/* The line also waited `cycles` for `late`. The longest wait is the cause; of equal waits the last.
 */
void waited(struct found_line *found, enum late late, uint64_t cycles);
/* Finds the line below L1 from `cycle` on and leaves it in L2. A line that a prefetch has in flight
 * counts as found at the level that the prefetch found it. */
struct found_line bring(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle);
/* Brings the line to L1D. `flags` is ENTRY_DIRTY for a store, else 0. On a hit in L1 the line is
 * ready at `cycle`. */
struct found_line reach_line(struct memory_hierarchy *memory, uint64_t line, uint64_t flags,
                             uint64_t cycle);
/* Leaves the line where reach_line would leave it, at once: nothing is waited for or prefetched,
 * and nobody is told. */
void keep_line(struct memory_hierarchy *memory, uint64_t line, uint64_t flags, uint64_t cycle);
/* The buffer of the streaming stores `open` goes to memory. */
void send_stream(struct memory_hierarchy *memory, const struct stream_line *open, uint64_t cycle);
/* A prefetch into L1 of this line, if enough fill buffers are free. */
void prefetch_to_l1(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle);

#endif
