/* How true each event has shown to be on a core: kernels whose counts are known exactly pin it.
 * Pure.
 */
#ifndef HARNESS_EXACTNESS_H
#define HARNESS_EXACTNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/topdown.h"

/* An event that is further off than that makes the formulas that rest on it doubtful. */
#define EXACTNESS_DOUBT 0.01

enum exactness_kind { EXACTNESS_NOT_PROVABLE, EXACTNESS_EXACT, EXACTNESS_OVER, EXACTNESS_UNDER };

/* Of one event, over all kernels that pin it. */
struct pinned {
    uint32_t times, exact;     /* how often it was pinned, and how often every repeat was right */
    double expected, measured; /* sums */
    double worst; /* the largest relative error, 0 when exact; of a count that should be
                     none, 1 */
};

struct exactness {
    struct pinned *events; /* one for each of the description's */
};

/* The event should have counted `expected` and counted `measured`; `exact`: as near as can be
 * asked. */
void exactness_note(struct exactness *exactness, const struct description *description,
                    const struct event *event, double expected, double measured, bool exact);
enum exactness_kind exactness_of(const struct pinned *pinned);
const char *exactness_name(enum exactness_kind kind);
/* Measured for each expected; false when nothing should have been counted. */
bool exactness_ratio(const struct pinned *pinned, double *ratio);
/* The first event that the formula rests on (given these parameters) and that is off by more than
 * EXACTNESS_DOUBT, null: none is known. */
const struct event *exactness_doubt(const struct exactness *exactness, const struct counts *given,
                                    const struct formula *formula);

#endif
