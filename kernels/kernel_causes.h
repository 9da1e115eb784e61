/* The instructions of a kernel whose loop is known instruction by instruction: which of them retire
 * as taken branches and as loads, and where their data is. A kernel without such a table is counted
 * but not sampled by PEBS.
 *
 * causes.inc lays out a struct kernel_causes for each such kernel file, so the two must agree. */
#ifndef KERNELS_KERNEL_CAUSES_H
#define KERNELS_KERNEL_CAUSES_H

#include <stdint.h>

#define CAUSES_MAX 32 /* instructions of a loop */

/* Flags of a cause. */
enum {
    CAUSE_BRANCH = 1,  /* taken, always */
    CAUSE_LOAD = 2,    /* loads once, always from [low, high) of the arena */
    CAUSE_L2 = 4,      /* the load misses L1 and hits L2 */
    CAUSE_COUNTED = 8, /* rdi, the iterations that are left, is less by one when it has retired */
};

struct kernel_cause {
    const void *at;
    const void *to; /* of a branch; null: the next cause follows */
    uint64_t flags;
    uint64_t low, high; /* offsets from the arena */
};

/* The causes of one iteration, in the order in which they retire; the last is a branch to the
 * first. */
struct kernel_causes {
    const char *kernel; /* its name */
    const struct kernel_cause *causes;
    uint64_t count;
    uint64_t xmm7; /* what the low half of XMM7 holds in the loop */
};

/* The causes of the kernel of that name; null: they are not known. */
const struct kernel_causes *kernel_causes_of(const char *kernel);

#endif
