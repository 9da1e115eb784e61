/* Which faults there are in a base run, and which of them are tried. */
#ifndef TESTS_SWEEP_PLAN_H
#define TESTS_SWEEP_PLAN_H

#include <stdint.h>

#include "domain.h"

#define PLAN_FAULT 160 /* bytes of the longest fault */

struct trial {
    const struct base *base;
    const struct fault_class *class;
    char fault[PLAN_FAULT];
};
struct plan {
    struct trial *of;
    size_t count, room;
};

/* How many faults the class has in that run, by the word in braces that says where; 0: none, or the
 * rig does not say how many. */
unsigned long class_extent(const struct fault_class *class, const struct base *base,
                           const struct extent *extent);

/* Adds so many faults by chance, none twice; fewer when there are no more. `extents` is by base;
 * `classes_wanted` NULL: all, else names of rows, separated by commas. */
void plan_draw(struct plan *plan, const struct extent *extents, const bool *used,
               const char *classes_wanted, size_t count, uint64_t seed);
/* Adds one fault of each kind, which is the first word of a pattern: of a class by chance, in the
 * shortest base run that has it. */
void plan_kinds(struct plan *plan, const struct extent *extents, const bool *used, uint64_t seed);
/* Adds every fault, by the word in braces that says where; what else is in braces is drawn. */
void plan_all(struct plan *plan, const struct extent *extents, const bool *used,
              const char *classes_wanted, uint64_t seed);
/* Whether the row is among those wanted. */
bool class_is_wanted(const struct fault_class *class, const char *wanted);

/* The class that the fault belongs to; NULL: it is of none, or beyond the run, and a line on
 * standard error says so. `extent` NULL: its numbers are not looked at. */
const struct fault_class *plan_class(const char *fault, const struct base *base,
                                     const struct extent *extent);

#endif
