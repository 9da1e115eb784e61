/* Whether what was measured is what was expected. Pure. */
#ifndef HARNESS_JUDGE_VERDICT_H
#define HARNESS_JUDGE_VERDICT_H

#include "verdict_text.h"

/* Expectation number `index` of the kernel. Low = high asks a single event for exactly that count
 * in every repeat. */
void verdict_expectation(struct verdict *verdict, const struct trial *trial, unsigned index);
/* An expectation pins an event down when its subject is a single event and its range is no wider
 * than PIN_COUNTS counts or a PIN_SHARE part: the branch that ends a loop may be mispredicted in
 * one window and not in the next. */
#define PIN_COUNTS 4
#define PIN_SHARE  0.01
struct pin {
    const struct event *event;
    double expected; /* the middle of the range */
    double measured; /* the median */
    bool exact;      /* the median lies in the range; in a range of one number, every repeat does */
};
/* False: expectation `index` does not pin an event down, or the event has no count; a self-check
 * takes what was counted, whatever it is. */
bool verdict_pin(const struct trial *trial, unsigned index, struct pin *pin);

#endif
