/* A kernel cycle by cycle, as a value: the core under test writes it, the boot processor reads it
 * afterwards. A window whose counters freeze after N cycles says what the kernel's first N cycles
 * count; N = 1, 2, 3 ... over fresh windows gives each event as a function of the cycle. */
#ifndef HARNESS_EXPERIMENT_TIMELINE_TIMELINE_H
#define HARNESS_EXPERIMENT_TIMELINE_TIMELINE_H

#include "harness/window/measurement.h"
#include "pmu/freeze.h"

#define TIMELINE_EVENTS 10 /* of the list in timeline.c */
#define TIMELINE_PASSES 8
#define TIMELINE_DOSE   50 /* of kernels with doses */

struct timeline_event {
    const char *name;          /* as this CPU's description has it, else the first of its names */
    const struct event *event; /* null: not counted */
    const char *missing;       /* why not */
    unsigned pass, reading;
};

struct timeline {
    /* What to do. */
    unsigned limit;   /* cycles, at most */
    unsigned repeats; /* windows for each cycle and pass, at most STATS_VALUES */
    enum freeze freeze;
    struct plan plan;
    struct pass armed[TIMELINE_PASSES]; /* the plan's passes, with the freeze */
    struct timeline_event events[TIMELINE_EVENTS];
    /* What came of it. */
    uint64_t n;           /* iterations of each window */
    uint64_t cycles;      /* of the undisturbed window, in which nothing freezes */
    uint64_t undisturbed; /* its number */
    uint64_t first_window, last_window;
    uint64_t delay_min, delay_max; /* cycles from the overflow to the freeze */
    unsigned delays;               /* windows that showed it */
    uint64_t dropped;              /* windows that counted what no kernel does */
    const char *absent;            /* why there is nothing; null: there is a timeline */
    /* Of the windows that counted `cycle` cycles with that pass: how many are kept, at
     * kept[pass * (limit + 1) + cycle], and what they counted, at
     * counts[(event * (limit + 1) + cycle) * repeats]. */
    uint8_t *kept;
    uint32_t *counts;
};

/* The bytes of `kept` and of `counts`. */
size_t timeline_kept_bytes(unsigned limit);
size_t timeline_counts_bytes(unsigned limit, unsigned repeats);

/* Forgets what was measured; the limit, the repeats and the memory stay. */
void timeline_begin(struct timeline *timeline);
/* Makes the plan for the core: every event of the list that its description and its counters have.
 * False: timeline->absent says why there can be none. */
bool timeline_plan(struct timeline *timeline, const struct facts *facts,
                   const struct description *description, struct pool *pool);
/* Keeps what a window of that pass counted in its first `cycle` cycles. Other cycles, and more
 * windows than repeats, have no place. A window with a count above 2^32 - 1, or whose counter
 * overflowed, is among those that were dropped. */
void timeline_keep(struct timeline *timeline, unsigned pass, uint64_t cycle,
                   const struct raw_counts *raw);

static inline unsigned timeline_kept(const struct timeline *timeline, unsigned pass, uint64_t cycle)
{
    return timeline->kept[pass * (timeline->limit + 1) + cycle];
}

static inline uint32_t *timeline_counts(const struct timeline *timeline, unsigned event,
                                        uint64_t cycle)
{
    return timeline->counts + (event * (timeline->limit + 1ull) + cycle) * timeline->repeats;
}

#endif
