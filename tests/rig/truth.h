/* --truth: what really happened in every counting window of every core, one JSON object a line. */
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
