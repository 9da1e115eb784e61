/* A fault that takes the write which starts a window leaves the truth a window short: the log
 * numbers the windows that it asked for, the truth those that there were. */
#ifndef TESTS_SWEEP_GAP_H
#define TESTS_SWEEP_GAP_H

#include "tests/tools/truth_log.h"

/* Puts an empty window into the truth of each core that lacks exactly one: where all records whose
 * repeats have one number of instructions are right with it, and are not without it. Where several
 * places are right, no window of these has a truth (truth_of). Returns on how many cores. */
unsigned gap_fill(struct run *run);

#endif
