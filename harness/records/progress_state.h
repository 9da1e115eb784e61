/* Where the run is, as progress.h keeps it. */
#ifndef HARNESS_RECORDS_PROGRESS_STATE_H
#define HARNESS_RECORDS_PROGRESS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/firmware/screen.h"
#include "boot/rate_limit.h"
#include "table.h"

struct progress {
    bool stopped;            /* ESC was pressed: no further kernel is measured */
    uint64_t started, began; /* TSC: of the run, and of this series */
    unsigned done,
        total; /* kernels on a core, each dose one; with lanes in parallel on all cores */
    unsigned kernels;
    unsigned number;             /* of the kernel that is measured, from 1 */
    const char *kernel;          /* the kernel that was reported last, null: none was */
    const struct table_row *row; /* its results */
    struct rate_limit draws, keys;
    struct screen_page page;
};

#endif
