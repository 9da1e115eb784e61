/* Holds back work that may be slow and need not be done each time, such as drawing the screen: so
 * much that it takes a small part of the run, however slow it is. Pure. */
#ifndef BOOT_RATE_LIMIT_H
#define BOOT_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* The work is left alone for this many times as long as it took. */
#define RATE_LIMIT_REST 10u

/* All 0: never done yet. Times are values of one clock, in its ticks. */
struct rate_limit {
    uint64_t ended, took;
    bool done;
};

/* Whether the work may be done at `now`: it was never done, or its end is at least `least` ticks
 * and RATE_LIMIT_REST times as long ago as it took. */
bool rate_limit_allows(const struct rate_limit *limit, uint64_t now, uint64_t least);
/* The work was done from `began` to `now`. */
void rate_limit_done(struct rate_limit *limit, uint64_t began, uint64_t now);

#endif
