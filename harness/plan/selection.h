/* Which nodes of a description are measured: by level, by name, or step by step from a node over
 * its threshold to its children; and the events that are counted beside. Pure. */
#ifndef HARNESS_PLAN_SELECTION_H
#define HARNESS_PLAN_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/plan.h"
#include "pmu/topdown.h"

struct asked_events;

struct selection {
    const struct asked_events *asked; /* counted beside what the nodes need; null: none */
    uint64_t nodes[DESCRIPTION_STATEMENTS / 64]; /* bit n: the description's node n */
    uint64_t both; /* not 0: nodes of levels 1 and 2 by PERF_METRICS and by counters */
};

static inline bool selection_has(const struct selection *selection, unsigned node)
{
    return selection->nodes[node / 64] >> node % 64 & 1;
}

static inline void selection_add(struct selection *selection, unsigned node)
{
    selection->nodes[node / 64] |= 1ull << node % 64;
}

bool selection_is_empty(const struct selection *selection);
/* Adds the nodes of `more` to *selection. */
void selection_join(struct selection *selection, const struct selection *more);
/* The nodes of levels 1 to `levels`. */
void selection_levels(struct selection *selection, const struct description *description,
                      unsigned levels);
/* The node of that name, or of the name that Linux perf gave it before TMA 5.2; null: none. */
const struct node *selection_node(const struct description *description, const char *name);
/* Adds the node of that name and the nodes above it, which say whether it matters. False: the
 * description has no such node. */
bool selection_named(struct selection *selection, const struct description *description,
                     const char *name);
/* The children of the nodes in `over` that are not in `measured` yet. */
void selection_children(struct selection *selection, const struct description *description,
                        const struct selection *over, const struct selection *measured);
/* The deepest level of the description's nodes, 0 without any. */
unsigned selection_depth(const struct description *description);

#endif
