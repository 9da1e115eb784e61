/* How often each block of a kernel runs, as the kernel's file says. Pure. */
#ifndef HARNESS_PLAN_BLOCK_COUNTS_H
#define HARNESS_PLAN_BLOCK_COUNTS_H

#include "boot/pool.h"
#include "kernels/kernel_map.h"
#include "pmu/topdown.h"

/* executed[b] of each block in a window of n iterations, below 0 where the file does not say it or
 * the expression has no value; `given` has the core's extras, whose `n` is not used. False: the
 * file says nothing of any block. */
bool block_counts(double *executed, const struct kernel_map *map, const struct counts *given,
                  uint64_t n, struct pool *pool);

#endif
