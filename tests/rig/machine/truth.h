/* --truth: what really happened in every counting window of every core, one JSON object a line:
 *
 *   core, window                 which; a core's windows are numbered from 1
 *   cycles, instructions, uops_issued, uops_retired, branches, taken, mispredicts, loads, stores
 *   nodes                        slots by cause, all levels of the Topdown tree: those of the node
 *                                and of all below it. A parent is the sum of its children and of
 *                                what none of them fits. What the core cannot have (a loop buffer)
 *                                is absent, what did not happen is 0. signals.h says what each node
 *                                means, and which is whose parent.
 *   slots                        the same at level 2 only, for those who add up: they are width x
 *                                cycles
 *
 * On a core of two threads "sibling", in both, is that of the cycles in which the allocator served
 * the other thread; it is missing where there are none, as when the other is halted. Over a time in
 * which both run, the two threads' slots of other causes add up to those of the core. */
#ifndef RIG_TRUTH_H
#define RIG_TRUTH_H

#include <stdbool.h>
#include <stdio.h>

struct core;
struct truth;

struct truth *truth_new(FILE *out);
void truth_free(struct truth *truth);
/* The window of this core that has just ended; `truth` may be NULL. */
void truth_write(struct truth *truth, const struct core *core);

#endif
