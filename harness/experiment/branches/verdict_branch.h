/* Verdicts on the recorded branches of a kernel. Pure. */
#ifndef HARNESS_EXPERIMENT_BRANCHES_VERDICT_BRANCH_H
#define HARNESS_EXPERIMENT_BRANCHES_VERDICT_BRANCH_H

#include "harness/judge/verdict_text.h"
#include "pmu/sampling/lbr.h"

/* The kernel's expected branch number `index` is record number index + 1 of the recorded branches
 * (null: not recorded, `absent` says why). Record 0 is the RET that left the kernel to
 * `return_address`. */
void verdict_branch(struct verdict *verdict, const struct trial *trial, unsigned index,
                    const struct lbr_stack *stack, const char *absent, const void *return_address);

#endif
