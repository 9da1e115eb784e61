/* A kernel of which some window lies apart from its fellows, or breaks an identity, is measured a
 * second time: what both measurements agree on stands, and of the rest there is no number. */
#ifndef HARNESS_DOUBT_SECOND_LOOK_H
#define HARNESS_DOUBT_SECOND_LOOK_H

#include "harness/judge/outliers.h"
#include "harness/judge/results.h"
#include "harness/judge/trial.h"

/* What the first of two measurements counted. */
struct second_look {
    struct outliers outliers;
    uint64_t discarded[GUARD_KINDS]; /* windows of measurements that were replaced */
    unsigned count;                  /* of events; 0: the kernel was measured once */
    struct first_count {
        const struct event *event;
        double value, error;
    } first[PLAN_EVENTS];
};

/* Forgets the first measurement: the next one is the first of another kernel. */
void second_look_forget(struct second_look *look);
/* Looks at the first measurement of a kernel and remembers it. Returns whether there must be a
 * second one; else the look is forgotten. */
bool second_look_wanted(struct second_look *look, const struct trial *trial,
                        const struct measurement *measurement);
/* Whether two counts of an event may be of the same: by 64 counts and 2 % of the cycles of n
 * iterations (the edges of windows), by a tenth of the larger one, and by what each of them may be
 * off, they may differ. */
bool second_look_agree(const struct first_count *first, const struct count *second, double cycles);
/* Those cycles; 0: they are not known. */
double second_look_cycles(const struct results *results);
/* Makes each event unmeasured of which the two measurements disagree; nothing when there was one.
 * An event of which the first one had no number has that of the second. */
void second_look_apply(const struct second_look *look, struct results *results);

#endif
