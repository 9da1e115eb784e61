/* Verdicts on nodes by PERF_METRICS and by counters. Pure. */
#ifndef HARNESS_JUDGE_VERDICT_METHODS_H
#define HARNESS_JUDGE_VERDICT_METHODS_H

#include "verdict_text.h"

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
