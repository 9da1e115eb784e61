/* The page that the screen shows of a run: where it is, how long it will take, what failed last,
 * and the Topdown shares of the kernel before. Pure. */
#ifndef HARNESS_RECORDS_PAGE_H
#define HARNESS_RECORDS_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/firmware/screen.h"
#include "boot/log.h"
#include "table.h"

/* A bar of this many columns is all of the slots. */
#define PAGE_BAR 40u

/* Texts may be null, "" or too long: they are cut. */
struct page_facts {
    const char *brand; /* of the processor */
    const char *core;  /* "core 2 (3 of 4), skylakex" */
    const char *kernel;
    unsigned number, kernels; /* the kernel is the number-th of these; 0: none runs */
    unsigned passes, repeats; /* of the kernel; 0 passes: nothing is counted */
    uint64_t elapsed_us;
    bool left_known;
    uint64_t left_us;
    struct log_totals totals;
    uint64_t discarded;                 /* windows */
    const char *last_kernel;            /* null: none has been measured yet */
    const struct table_row *last;       /* its results on a core; null: there are none */
    const char *troubles[LOG_TROUBLES]; /* newest first, then null */
    const char *ended;                  /* how the run ended; null: it goes on */
    const char *keeps;                  /* where the log is */
};

void page_fill(struct screen_page *page, const struct page_facts *facts);

#endif
