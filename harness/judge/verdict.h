/* Whether what was measured is what was expected. Pure. */
#ifndef HARNESS_VERDICT_H
#define HARNESS_VERDICT_H

#include "dose.h"
#include "harness/measure/recording.h"
#include "verdict_text.h"

/* --- expectations (verdict.c, verdict_branch.c) --- */

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
/* False: expectation `index` does not pin an event down, or nothing was counted. */
bool verdict_pin(const struct trial *trial, unsigned index, struct pin *pin);
/* The kernel's expected branch number `index` is record number index + 1 of the recorded branches
 * (null: not recorded, `absent` says why). Record 0 is the RET that left the kernel to
 * `return_address`. */
void verdict_branch(struct verdict *verdict, const struct trial *trial, unsigned index,
                    const struct lbr_stack *stack, const char *absent, const void *return_address);

/* What the recording of a kernel with listed branches should hold: for each kind of recording as
 * enum recording_kind says, record by record. `absent` says why the recording is not there.
 * (verdict_recording.c) */
void verdict_recording(struct verdict *verdict, const struct trial *trial,
                       const struct recording *recording, const char *absent,
                       const void *return_address);

/* --- the tree (verdict_tree.c) --- */

/* The nodes of level 1 sum to 1 within 0.01. */
void verdict_sum(struct verdict *verdict, const struct trial *trial);
/* The family's own node is the largest of level 1. */
void verdict_family(struct verdict *verdict, const struct trial *trial);
/* The node that the kernel puts on trial is the largest of the nodes with its parent. */
void verdict_leaf(struct verdict *verdict, const struct trial *trial);
/* Whether the kernel has such a verdict. False: it puts no node on trial, its node was not to be
 * measured, or the CPU has no such node and the kernel is of level 1. */
bool verdict_has_leaf(const struct trial *trial);
/* The node that the kernel puts on trial; null: the kernel or the CPU has none. */
const struct node *verdict_leaf_node(const struct trial *trial);
/* The node that the kernel puts on trial rises with the dose: its slope is positive, no step falls
 * by more than `tolerance`, and R squared is at least DOSE_R_SQUARED. */
#define DOSE_R_SQUARED 0.98
void verdict_dose(struct verdict *verdict, const struct trial *trial, const struct dose_line *line,
                  double tolerance);

/* --- both threads of a core over the same windows (verdict_core.c) --- */

/* Of the events that count for any thread, the one whose counts on the two threads differ most. */
struct any_thread {
    const struct event *event; /* null: none was counted */
    int64_t difference;        /* for n iterations */
};
void verdict_compare_any(const struct measurement *one, const struct measurement *other,
                         struct any_thread *any);
/* Whether sums over the two threads mean nothing, and why: their windows differ by more than
 * SIBLING_SKEW_MAX, or the instructions that they retire differ from repeat to repeat. */
bool verdict_core_refused(const struct results *results, double skew, char *why, size_t size);
/* any->difference is at most SIBLING_SKEW_MAX of the core's cycles. */
void verdict_any(struct verdict *verdict, const struct trial *trial, const struct any_thread *any);
/* The slots of the published formula are width x cycles of the core within 0.01. */
void verdict_slots(struct verdict *verdict, const struct trial *trial);

/* --- PERF_METRICS and counters (verdict_methods.c) --- */

/* One node by the bytes of PERF_METRICS and by counters, over the same windows when both fit into a
 * pass. */
struct two_methods {
    bool metrics_valid, formula_valid;
    double metrics, formula;
    double error;       /* how far the 8 bits of the bytes can move `metrics` */
    double tolerance;   /* `error`, and how far the windows' edges can move `formula` */
    const char *reason; /* why one of the two has no value, in `detail`; null: both have one */
    char detail[FORMULA_REASON];
};
/* Whether the node is compared: it is of level 1 or 2 and was to be measured, its formula needs
 * PERF_METRICS, and it has a formula without. */
bool verdict_has_methods(const struct trial *trial, const struct node *node);
void verdict_compare(const struct trial *trial, const struct node *node, struct two_methods *two);
/* The two differ by at most the tolerance. A null node: the core has no PERF_METRICS, which is a
 * skip. */
void verdict_methods(struct verdict *verdict, const struct trial *trial, const struct node *node);

#endif
