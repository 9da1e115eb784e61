/* Evaluates a description's nodes and lets on a set of counts. Pure. */
#ifndef PMU_TOPDOWN_H
#define PMU_TOPDOWN_H

#include "description.h"

struct count {
    const struct event *event;
    bool measured;
    double value;
    double error;       /* by how much the value may be off; 0: it is exact */
    const char *reason; /* why not measured */
};

/* A parameter that replaces the description's, or adds to them (`n`, `arena`, `#SMT_on`,
 * `l1d_size`). Its name then means nothing else; with the value FORMULA_NA it has no value at all.
 */
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
    const uint16_t *hints; /* null, or a table of COUNT_HINTS: see count_hint */
};

/* Where to look in the table of hints: the entry is the event's index in `counts` + 1, or 0 when
 * the event has no count there. Two events may share an entry, so the count found must be checked.
 */
#define COUNT_HINTS 1024u
static inline unsigned count_hint(const struct event *event)
{
    return (unsigned)((uintptr_t)event / sizeof(*event) % COUNT_HINTS);
}

/* Evaluates any formula over events, nodes, lets, parameters and extras. Where something is
 * missing, *result is not finite and has a reason. */
void topdown_evaluate(const struct counts *counts, const struct formula *formula,
                      struct formula_result *result);
/* Evaluates a node of the description, with all nodes that its formula names. */
void topdown_node(const struct counts *counts, const struct node *node,
                  struct formula_result *result);
/* topdown_node for many nodes over the same counts. `memos`, one for each node of the description,
 * keeps every node's result; it must be zeroed before the first call and forgotten (topdown_forget)
 * whenever the counts change. */
struct node_memo {
    bool known;
    struct formula_result result;
};
void topdown_node_once(const struct counts *counts, struct node_memo *memos,
                       const struct node *node, struct formula_result *result);
void topdown_forget(struct node_memo *memos, unsigned count);

/* formula_arms for a node or let. */
bool topdown_arms(const struct counts *counts, struct node_memo *memos, const struct node *node,
                  char out[FORMULA_ARMS]);

/* Whether what a node's formula gives is a share of slots: not less than 0 and not more than 1, by
 * more than `tolerance` and by more than 0.01. (Formulas that subtract counts of different windows
 * are off by what these windows differ by; formulas that charge each event its whole latency count
 * cycles several times in which several events are under way.) False: no value of the node may be
 * shown, and `why` says what the formula gives. */
#define TOPDOWN_WHY 64
bool topdown_is_share(double value, double tolerance, char why[TOPDOWN_WHY]);

/* Results of nodes. The result that `of` returns need only hold until its next call. */
struct topdown_results {
    void *context;
    const struct formula_result *(*of)(void *context, const struct node *node);
};
/* Returns whether the node is flagged: its value passes its threshold, or the value of the node
 * after `or` passes that node's; where the threshold says `& parent`, the parent must be flagged
 * too. */
bool topdown_flagged(const struct description *description, const struct node *node,
                     const struct topdown_results *results);

/* Appends to `events` the events that `formula` needs, through nodes and lets and in both arms of
 * every condition, each once, in order of first need. `count` is the number of events already
 * there. Returns the new count, at most `limit`. Parameters are skipped. *unknown (may be null)
 * gets the first name that the description does not define, null when it defines them all. */
unsigned topdown_events(const struct description *description, const struct formula *formula,
                        const struct event **events, unsigned count, unsigned limit,
                        const char **unknown);
/* topdown_events for one way of measuring: a condition over parameters and extras alone (#SMT_on,
 * #PERF_METRICS_MSR) adds only the events of the arm that it selects, which saves the passes of the
 * other arm. An extra is a known name. The counts in `given` are not looked at. */
unsigned topdown_events_given(const struct counts *given, const struct formula *formula,
                              const struct event **events, unsigned count, unsigned limit,
                              const char **unknown);

#endif
