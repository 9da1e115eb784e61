/* Verdicts on the tree: whether the node on trial is the largest. Pure. */
#ifndef HARNESS_EXPERIMENT_TOPDOWN_VERDICT_TREE_H
#define HARNESS_EXPERIMENT_TOPDOWN_VERDICT_TREE_H

#include "harness/judge/dose.h"
#include "harness/judge/verdict_text.h"

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
void verdict_dose(struct verdict *verdict, const struct trial *trial, const struct dose_line *line,
                  double tolerance);

#endif
