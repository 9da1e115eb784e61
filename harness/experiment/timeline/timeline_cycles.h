/* From what the first N cycles count, for each N, to what each cycle counts. Pure. */
#ifndef HARNESS_EXPERIMENT_TIMELINE_TIMELINE_CYCLES_H
#define HARNESS_EXPERIMENT_TIMELINE_TIMELINE_CYCLES_H

#include "timeline.h"

/* Cycles are numbered from 0, the first one counted. A cycle is known when windows ended right
 * before it and right after it. */
struct timeline_cycle {
    bool known;
    int64_t count;  /* the median over the repeats */
    uint64_t apart; /* the largest count of a repeat less the smallest: 0 where all agree */
    unsigned few;   /* the windows that it rests on, where these are fewer than repeats; else 0 */
};
struct timeline_cycle timeline_cycle(const struct timeline *timeline, unsigned event,
                                     uint64_t cycle);
/* What the first `cycles` cycles count of the event: the median over the repeats. False: no window
 * ended there. Zero cycles count nothing. */
bool timeline_total(const struct timeline *timeline, unsigned event, uint64_t cycles,
                    uint32_t *total);

/* Of all counted events. */
struct timeline_summary {
    uint64_t cycles; /* that the timeline has, known or not: at most the limit */
    uint64_t known;  /* cycles in which every event is known */
    uint64_t
        agreed; /* known cycles in which all repeats agree on every event, and most ended there */
    uint64_t fallen;  /* known cycles in which an event counts backwards */
    unsigned counted; /* events */
};
void timeline_summarise(const struct timeline *timeline, struct timeline_summary *summary);

#endif
