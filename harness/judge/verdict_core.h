/* Verdicts on both threads of a core over the same windows. Pure. */
#ifndef HARNESS_JUDGE_VERDICT_CORE_H
#define HARNESS_JUDGE_VERDICT_CORE_H

#include "verdict_text.h"

/* Of the events that count for any thread, the one whose counts on the two threads differ most. */
struct any_thread {
    const struct event *event; /* null: none was counted */
    int64_t difference;        /* for n iterations */
};
void verdict_compare_any(const struct measurement *one, const struct measurement *other,
                         struct any_thread *any);
/* The instructions that the thread retired while n iterations were measured, in the first pass that
 * counted them. False: none did. */
bool verdict_core_work(const struct measurement *thread, double *instructions);
/* Whether sums over the two threads mean nothing, and why: their windows differ by more than
 * SIBLING_SKEW_MAX, or the instructions that they retire differ from repeat to repeat; or one of
 * the two is not known. */
bool verdict_core_refused(const struct results *results, const struct sibling_counters *counters,
                          char *why, size_t size);
/* any->difference is at most SIBLING_SKEW_MAX of the core's cycles. */
void verdict_any(struct verdict *verdict, const struct trial *trial, const struct any_thread *any);
/* The slots of the published formula are width x cycles of the core within 0.01. */
void verdict_slots(struct verdict *verdict, const struct trial *trial);

#endif
