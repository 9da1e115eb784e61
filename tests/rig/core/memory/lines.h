/* The inside of a core's memory, shared by model_memory.c and model_lines.c. */
#ifndef RIG_MODEL_LINES_H
#define RIG_MODEL_LINES_H

#include "cache.h"
#include "fill.h"
#include "memory.h"
#include "prefetch.h"
#include "prefetch_l1.h"
#include "shared.h"
#include "stream.h"
#include "tlb.h"

#define CODE_LINES 65536u /* of which is kept whether code was fetched from one, by address */
#define LINE_READS 16     /* more than a load that is split makes its core ask for */

struct memory_hierarchy {
    const struct model_parameters *parameters;
    struct shared_cache *shared;
    unsigned cpu;
    struct private_caches caches;
    struct translation own;          /* of this thread */
    struct translation *translation; /* of the thread that asks */
    struct memory_hierarchy *asker;  /* that thread's memory: who is told */
    enum request asking;             /* on whose behalf lines are asked for now */
    void (*request)(void *context, enum request request, enum origin origin); /* or NULL */
    void *request_context;
    struct prefetcher prefetcher;
    struct prefetcher_l1 prefetcher_l1;
    struct fills fills;
    struct fills queue; /* of L2: all lines on their way to it */
    struct streams streams;
    bool reading; /* what is asked for now is asked for by a load */
    unsigned read_count;
    struct line_read reads[LINE_READS];
    uint8_t code[CODE_LINES / 8]; /* a bit for each */
};

/* Where and when a line was found. */
struct found {
    uint64_t ready;
    uint64_t longest;  /* cycles of the wait that `late` names */
    uint64_t buffered; /* when it had a fill buffer; 0: it needed none */
    enum level level;
    enum late late, served;
};

/* Of several waits the longest gives its name, of equal ones the last. */
void waited(struct found *found, enum late late, uint64_t cycles);
/* Finds the line below L1 from `cycle` on and leaves it in L2. A line that a prefetch has on its
 * way counts as found where it comes from. */
struct found bring(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle);
/* L1D gets the line. `flags` is ENTRY_DIRTY for a store. On a hit in L1 it is ready at `cycle`. */
struct found reach_line(struct memory_hierarchy *memory, uint64_t line, uint64_t flags,
                        uint64_t cycle);
/* A buffer of streaming stores goes to memory. */
void send_stream(struct memory_hierarchy *memory, const struct stream_line *open, uint64_t cycle);
void prefetch_to_l1(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle);

#endif
