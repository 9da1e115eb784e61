/* How exactly each event counts on a core, as shown by kernels that pin the event down: their
 * counts are known. Pure. */
#ifndef HARNESS_JUDGE_EXACTNESS_H
#define HARNESS_JUDGE_EXACTNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/topdown.h"

/* An event with a larger relative error makes the formulas that need it doubtful. */
#define EXACTNESS_DOUBT 0.01

/* Why an event is not provable of which the description says nothing. */
#define EXACTNESS_NOT_RUN "no kernel of this run pinned it"

/* AT_0: kernels expect nothing of it, and nothing was counted. A counter that stands still would do
 * the same. */
enum exactness_kind {
    EXACTNESS_NOT_PROVABLE,
    EXACTNESS_EXACT,
    EXACTNESS_AT_0,
    EXACTNESS_OVER,
    EXACTNESS_UNDER
};

/* What the self-check, measured up to RECHECKS times more, made of an event: not off in the end;
 * off each time, by other values or by the same one. A later value outweighs an earlier one. */
enum miscount { MISCOUNT_NONE, MISCOUNT_PASSING, MISCOUNT_NOISY, MISCOUNT_WRONG };

/* Of one event, over all kernels that pin it. */
struct pinned {
    uint32_t times, exact; /* how often the event was pinned, and how often its count was exact */
    double expected, measured; /* sums */
    double worst; /* the largest relative error, 0 when exact; 1 when 0 was expected and something
                     was counted */
    enum miscount miscount; /* by the self-check, which measures again what is off */
};

struct exactness {
    struct pinned *events; /* one for each event of the description; null: nothing is known */
};

/* Notes that the event should have counted `expected` and counted `measured`; `exact` says whether
 * that passes. */
void exactness_note(struct exactness *exactness, const struct description *description,
                    const struct event *event, double expected, double measured, bool exact);
enum exactness_kind exactness_of(const struct pinned *pinned);
/* "not provable", "exact", "exact at 0", "over", "under". */
const char *exactness_name(enum exactness_kind kind);
/* For people, of any but MISCOUNT_NONE: "exact in the end", "noisy", "wrong". */
const char *miscount_name(enum miscount miscount);
/* measured / expected; false: 0 was expected. */
bool exactness_ratio(const struct pinned *pinned, double *ratio);
/* Whether the self-check found the event off each time: nothing that rests on it is judged. */
bool exactness_refuses(const struct exactness *exactness, const struct description *description,
                       const struct event *event);
/* The first event that the formula needs with these parameters and that the self-check refuses; if
 * there is none, the first whose worst error is above EXACTNESS_DOUBT; null: no such event is
 * known. */
const struct event *exactness_doubt(const struct exactness *exactness, const struct counts *given,
                                    const struct formula *formula);

#endif
