/* What code in a cell may leave behind, and C relies on: control registers, XCR0, breakpoints,
 * segments, floating point. It is put back after each run, and nothing is said of it. */
#ifndef BOOT_CELL_CELL_KEPT_H
#define BOOT_CELL_CELL_KEPT_H

#include <stdint.h>

#include "boot/context/segments.h"

struct cell_kept {
    uint64_t cr0, cr4, xcr0;
    uint64_t breakpoints[4], dr7;
    struct segments segments;
};

void cell_keep(struct cell_kept *kept);
void cell_put_back(const struct cell_kept *kept);
/* As at a reset: no exception of the image's own arithmetic, nor one of a kernel's, is noted. */
void cell_reset_floats(void);

#endif
