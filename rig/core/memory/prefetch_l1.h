/* The prefetchers of the first-level data cache (Optimization Reference Manual, "Data Prefetching",
 * "Data Prefetch to L1"): the next line after an ascending access to data loaded very recently, and
 * the next step of a load instruction that goes by a regular stride. They say which lines to ask
 * for; lines.c asks. Neither leaves the 4 KiB page of the load. */
#ifndef RIG_CORE_MEMORY_PREFETCH_L1_H
#define RIG_CORE_MEMORY_PREFETCH_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "core/parameters.h"

/* The bits of MSR_MISC_FEATURE_CONTROL (SDM 4) that switch them off. */
#define PREFETCH_NEXT_LINE_OFF 4u
#define PREFETCH_STRIDE_OFF    8u

/* J. Doweck, "Inside Intel Core Microarchitecture and Smart Memory Access" (Intel, 2006): a table
 * of 256 entries by the low bits of the instruction's address. */
#define PREFETCH_LOADS    256u
#define PREFETCH_L1_LINES 2u /* that one load can ask for: the next line and the stride's */

/* "Very recently" means the last four lines that loads went to: a guess. */
#define PREFETCH_RECENT 4u

struct prefetch_load {
    uint64_t last;  /* address of its last access */
    int16_t stride; /* its last step; 0: that was too long */
    uint8_t alike;  /* steps in a row of this stride: 2 are enough */
};

struct prefetch_recent {
    uint64_t line;    /* + 1, 0 none */
    uint8_t furthest; /* offset in the line */
    bool asked;       /* for the next line */
};

struct prefetcher_l1 {
    bool next_line, stride; /* switched on */
    uint8_t oldest;         /* of `recent` */
    struct prefetch_recent recent[PREFETCH_RECENT];
    struct prefetch_load load[PREFETCH_LOADS];
};

/* The instruction at `rip` loads from this address. Puts the lines (address / 64) to ask for into
 * `lines` and gives how many. */
unsigned prefetch_l1_lines(struct prefetcher_l1 *prefetcher, uint64_t rip, uint64_t address,
                           uint64_t lines[PREFETCH_L1_LINES]);

#endif
