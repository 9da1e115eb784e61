/* Branch records by edge, from a branch to its target: a histogram that stacks are added to. Pure.
 */
#ifndef HARNESS_EXPERIMENT_BRANCHES_EDGES_H
#define HARNESS_EXPERIMENT_BRANCHES_EDGES_H

#include "pmu/sampling/lbr.h"

struct edge {
    uint64_t from, to;
    unsigned type;         /* enum lbr_type of its records */
    uint64_t count;        /* records */
    uint64_t flags;        /* records that say whether the branch was mispredicted */
    uint64_t mispredicted; /* records that say so */
    uint64_t timed;        /* records that have cycles */
    uint64_t cycles;       /* sum over them: core cycles since the record before */
};

struct edges {
    struct edge *rows; /* ascending by from, then by to */
    unsigned limit, count;
    uint64_t records; /* that were added */
    uint64_t dropped; /* that found no room: all rows are taken by other edges */
};

/* Adds each entry of the stack to its edge. */
void edges_add(struct edges *edges, const struct lbr_stack *stack);

#endif
