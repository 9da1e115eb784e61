/* The prefetchers of the first-level data cache (Optimization Reference Manual, "Data Prefetching",
 * "Data Prefetch to L1"): the next line after an ascending access to data loaded very recently, and
 * the next step of a load instruction that goes by a regular stride. They say which lines to ask
 * for; the caches do it (model_memory.c). Neither leaves the 4 KiB page of the load. */
#ifndef RIG_MODEL_PREFETCH_L1_H
#define RIG_MODEL_PREFETCH_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "core/parameters.h"

/* The bits of MSR_MISC_FEATURE_CONTROL (SDM 4) that switch them off. */
#define PREFETCH_NEXT_LINE_OFF 4u
#define PREFETCH_STRIDE_OFF    8u

/* J. Doweck, "Inside Intel Core Microarchitecture and Smart Memory Access" (Intel, 2006): a table
 * of 256 entries by the low bits of the instruction's address. */
#define PREFETCH_LOADS    256u
#define PREFETCH_L1_LINES 2u /* at most asked for by one load: the next line and the stride's */

/* How recent "very recently" is has no source: the last four lines that loads went to. */
#define PREFETCH_RECENT 4u

struct prefetch_load {
    uint64_t last;  /* address of its last access */
    int16_t stride; /* of its last step, 0 when that was too long */
    uint8_t alike;  /* steps in a row that were this stride: 2 is enough */
};

struct prefetch_recent {
    uint64_t line;    /* + 1, 0 none */
    uint8_t furthest; /* offset in it */
    bool asked;       /* for the next one */
};

struct prefetcher_l1 {
    bool next_line, stride; /* at work */
    uint8_t oldest;         /* of `recent` */
    struct prefetch_recent recent[PREFETCH_RECENT];
    struct prefetch_load load[PREFETCH_LOADS];
};

/* The instruction at `rip` loads from this address. Gives the lines (address / 64) worth asking
 * for. */
unsigned prefetch_l1_lines(struct prefetcher_l1 *prefetcher, uint64_t rip, uint64_t address,
                           uint64_t lines[PREFETCH_L1_LINES]);

#endif
