/* What verdict.c and verdict_tree.c share. */
#ifndef HARNESS_VERDICT_INSIDE_H
#define HARNESS_VERDICT_INSIDE_H

#include "verdict.h"

/* The edges of the windows of n and 2n, five instructions each, differ by a few cycles. With one
 * repeat nothing outvotes a window in which the branch that ends the loop was mispredicted, and in
 * the other it was not: 15 to 31 cycles more. */
#define EDGE_CYCLES       8
#define EDGE_CYCLES_ALONE 40
double verdict_edge(const struct trial *trial);

/* "core 0 KERNEL SUBJECT", a pass until something is said of it. */
void verdict_begin(struct verdict *verdict, const struct trial *trial, const char *subject);
void verdict_skip(struct verdict *verdict, const char *reason);
/* "core 0 KERNEL SUBJECT 0.913 in [0.80, 1.00]"; a value that rounding would move onto its bound
 * shows more digits. */
void verdict_in_range(struct verdict *verdict, const struct trial *trial, const char *subject,
                      double value, double low, double high, bool share);
/* A formula that rests on an event which other kernels have shown to be wrong says so. */
void verdict_doubt(struct verdict *verdict, const struct trial *trial,
                   const struct formula *formula);

#endif
