/* Verdicts on level 1 of a thread whose sibling is loaded, and of the core with both threads.
 *
 * What is claimed follows from what each kernel says of its own thread (BESIDE of
 * kernels/kernel.inc), and from what the published formula divides by and leaves out. A verdict
 * that fails names the fault of the formula that explains the value, where one does. Pure. */
#ifndef HARNESS_JUDGE_VERDICT_BESIDE_H
#define HARNESS_JUDGE_VERDICT_BESIDE_H

#include "verdict_text.h"

/* The nodes of level 1. */
#define BESIDE_NODES 4u

/* Instructions that each thread retired while n iterations were measured: the measured thread's,
 * then its sibling's. */
struct beside_work {
    double instructions[2];
};

/* Whether the kernel claims something of node `index`, below BESIDE_NODES, beside the kernel on the
 * other thread, and the node was to be measured. */
bool verdict_has_beside(const struct trial *trial, unsigned index);
/* Whether expectation `index` of the kernel is a range of a node of which verdict_beside says what
 * holds beside another kernel. */
bool verdict_beside_replaces(const struct trial *trial, unsigned index);
/* The node of the measured thread. */
void verdict_beside(struct verdict *verdict, const struct trial *trial, unsigned index);
/* The node of the core; trial->counts are sums over both threads. */
void verdict_beside_core(struct verdict *verdict, const struct trial *trial,
                         const struct beside_work *work, unsigned index);

#endif
