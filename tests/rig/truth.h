/* --truth: what really happened in every counting window of every core, one JSON object a line.
 *
 * `slots` has every slot of the window's cycles once, by cause: they add up to width * cycles. On a
 * core of two threads the cause "sibling" is that of the cycles in which the allocator served the
 * other thread; it is missing where there are none, as when the other is halted. Over a time in
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
