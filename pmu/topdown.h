/* Nodes over counts: evaluates a description's nodes and lets on one set of counts. Pure. */
#ifndef PMU_TOPDOWN_H
#define PMU_TOPDOWN_H

#include "description.h"

struct count {
    const struct event *event;
    bool measured;
    double value;
    const char *reason; /* why not measured */
};

/* Parameters that override or add to the description's (`n`, `arena`, `#SMT_on`, l1d_size ...). An
 * extra hides whatever else its name means. */
struct extra {
    const char *name;
    double value;
};

struct counts {
    const struct description *description;
    const struct count *counts;
    unsigned count_count;
    const struct extra *extras;
    unsigned extra_count;
    const uint16_t *hints; /* null, or where a count may be found, see count_hint */
};

/* Where in a table of COUNT_HINTS the place of this event's count stands, from 1; 0: it has none.
 * Two events may share a line, so what is found must be looked at. */
#define COUNT_HINTS 1024u
static inline unsigned count_hint(const struct event *event)
{
    return (unsigned)((uintptr_t)event / sizeof(*event) % COUNT_HINTS);
}

/* Any expression over events, nodes, lets, parameters and extras. Missing things give finite =
 * false with a reason. */
void topdown_evaluate(const struct counts *counts, const struct formula *formula,
                      struct formula_result *result);
/* A node by description; children are evaluated on the way. */
void topdown_node(const struct counts *counts, const struct node *node,
                  struct formula_result *result);
/* The same where many nodes are asked for: what a node came to is kept in `memos`, one for each
 * node of the description, zeroed whenever the counts change. */
struct node_memo {
    bool known;
    struct formula_result result;
};
void topdown_node_once(const struct counts *counts, struct node_memo *memos,
                       const struct node *node, struct formula_result *result);
/* Before memos are used for other counts. */
void topdown_forget(struct node_memo *memos, unsigned count);
/* What the nodes came to. The result need only hold until the next call. */
struct topdown_results {
    void *context;
    const struct formula_result *(*of)(void *context, const struct node *node);
};
/* Whether the node's value passes its own threshold (above/below); false when it has none or no
 * value. */
bool topdown_over_threshold(const struct node *node, const struct formula_result *result);
/* Whether the node is noteworthy: past its threshold or that of the node after `or`, and its parent
 * noteworthy too where the threshold says so. */
bool topdown_flagged(const struct description *description, const struct node *node,
                     const struct topdown_results *results);

/* Adds the events that `formula` rests on (through nodes and lets, both arms) to `events`, each
 * once, in order of first need; returns the new count, at most `limit`. Parameters are skipped;
 * *unknown (may be null) gets the first name that is nothing at all, null when there is none. */
unsigned topdown_events(const struct description *description, const struct formula *formula,
                        const struct event **events, unsigned count, unsigned limit,
                        const char **unknown);
/* The same for one way of measuring: a condition that rests only on parameters and extras (#SMT_on,
 * #PERF_METRICS_MSR) brings the events of the arm it takes, and saves the passes of the other.
 * Extras are no unknown names. Counts are not looked at. */
unsigned topdown_events_given(const struct counts *given, const struct formula *formula,
                              const struct event **events, unsigned count, unsigned limit,
                              const char **unknown);

#endif
