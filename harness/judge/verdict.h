/* Whether what was measured is what was expected. Pure: a verdict is a value, the caller logs it.
 */
#ifndef HARNESS_VERDICT_H
#define HARNESS_VERDICT_H

#include <stdbool.h>

#include "dose.h"
#include "exactness.h"
#include "harness/plan/experiment.h"
#include "results.h"

/* Fewer cycles than this for n iterations are the noise of the window: shares of their slots mean
 * nothing. */
#define VERDICT_CYCLES_MIN 100

enum outcome { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP };

struct verdict {
    enum outcome outcome;
    char text[280];   /* "core 0 be.mem.l1 tma_memory_bound 0.913 in [0.80, 1.00]" */
    char reason[160]; /* of a skip */
};

/* A node's value is found once for all that ask. */
struct node_value {
    bool asked;
    struct formula_result result;
};

/* What is judged: one kernel on one core. */
struct trial {
    unsigned core;
    const struct experiment *experiment;
    const struct description *description;
    const struct results *results; /* null: nothing was counted, */
    const char *blocked;           /* because of this; every verdict is then a skip */
    struct counts counts;
    struct node_memo
        *memos; /* the same, for what formulas rest on, zeroed; null: nothing is kept */
    const struct selection *asked;     /* the nodes that were to be measured; null: all */
    const struct exactness *exactness; /* what is known of the events; null: nothing */
    const char
        *corunner; /* the kernel on the sibling thread: only exact counts and the sum hold then */
    unsigned repeats;  /* of each window; 0 and all above 1: the median of several */
    bool both_threads; /* the counts are sums over the threads of the core */
    bool drilled;      /* level by level, where a node was over its threshold */
    struct node_value *
        nodes; /* one for each of the description's, not asked yet; needed when there are results */
};

/* Expectation number `index` of the kernel. Low = high asks for exactly that count: of a single
 * event in every repeat. */
void verdict_expectation(struct verdict *verdict, const struct trial *trial, unsigned index);
/* When expectation `index` leaves a single event no more room than PIN_COUNTS counts or a PIN_SHARE
 * part (what ends a loop may be mispredicted in one window and not in the next): the middle of that
 * room, the median of what was counted, and whether it lay inside; without any room, every repeat.
 */
#define PIN_COUNTS 4
#define PIN_SHARE  0.01
struct pin {
    const struct event *event;
    double expected, measured;
    bool exact;
};
bool verdict_pin(const struct trial *trial, unsigned index, struct pin *pin);
/* The nodes of level 1 sum to 1 within 0.01. */
void verdict_sum(struct verdict *verdict, const struct trial *trial);
/* Of both threads of a core (trial->both_threads) over the same windows: the event that counts for
 * any thread and whose counts on the two differ most, by that much for n iterations. */
struct any_thread {
    const struct event *event; /* null: none was counted */
    int64_t skew;
};
void verdict_compare_any(const struct measurement *one, const struct measurement *other,
                         struct any_thread *any);
/* Whether sums over the two threads mean nothing, and why: their windows are more than
 * SIBLING_SKEW_MAX of one apart, or what they do differs from repeat to repeat. */
bool verdict_core_refused(const struct results *results, double skew, char *why, size_t size);
/* It differs by no more than their windows may (SIBLING_SKEW_MAX of the cycles). */
void verdict_any(struct verdict *verdict, const struct trial *trial, const struct any_thread *any);
/* The slots of the published formula are width x cycles of the core within 0.01. */
void verdict_slots(struct verdict *verdict, const struct trial *trial);
/* The family's own node is the largest of level 1. */
void verdict_family(struct verdict *verdict, const struct trial *trial);
/* The node that the kernel puts on trial is the largest of its siblings: the nodes with its parent.
 * There is such a verdict when the CPU has the node and its level is measured, or when nothing can
 * be said (a skip). */
bool verdict_has_leaf(const struct trial *trial);
void verdict_leaf(struct verdict *verdict, const struct trial *trial);
/* The node that the kernel puts on trial, or null: the CPU has none of its names. */
const struct node *verdict_leaf_node(const struct trial *trial);
/* The node answers to the dose: it rises, nowhere falls by more than what the windows' edges blur,
 * and lies on a line with R squared of at least DOSE_R_SQUARED. */
#define DOSE_R_SQUARED 0.98
void verdict_dose(struct verdict *verdict, const struct trial *trial, const struct dose_line *line,
                  double tolerance);
/* How much two shares of that node may differ because of the windows' edges and PERF_METRICS's
 * rounding. */
double verdict_tolerance(const struct trial *trial, const struct node *node);
/* Entry `index` of the expected branches stands where it should among the recorded ones (null: not
 * recorded, `absent` says why). The newest record is the RET that left the kernel to
 * `return_address`; the expected ones follow. */
void verdict_branch(struct verdict *verdict, const struct trial *trial, unsigned index,
                    const struct lbr_stack *stack, const char *absent, const void *return_address);
/* One node by the bytes of PERF_METRICS and by counters, of the same windows where they fit into a
 * pass. */
struct two_methods {
    bool metrics_valid, formula_valid;
    double metrics, formula;
    double error;       /* what the 8 bits of the bytes can make of the first */
    double tolerance;   /* that, and what the windows' edges can make of the second */
    const char *reason; /* why one of them has no value, in `detail` */
    char detail[FORMULA_REASON];
};
/* Whether the node is compared: levels 1 and 2, and it rests on PERF_METRICS, and can do without.
 */
bool verdict_has_methods(const struct trial *trial, const struct node *node);
void verdict_compare(const struct trial *trial, const struct node *node, struct two_methods *two);
/* They are no further apart than that. A null node: the core has no PERF_METRICS, which is a skip.
 */
void verdict_methods(struct verdict *verdict, const struct trial *trial, const struct node *node);
/* A node's value, or why there is none (too few cycles counted, too). The description's own node;
 * there are results. */
const struct formula_result *verdict_node(const struct trial *trial, const struct node *node);
/* What nodes came to, before another trial uses the same room for `count` of them. */
void verdict_forget(struct node_value *nodes, struct node_memo *memos, unsigned count);

#endif
