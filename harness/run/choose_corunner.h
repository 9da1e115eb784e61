/* Which core works beside the measured one, and with what: a kernel's partner on another core, or a
 * loaded sibling thread. */
#ifndef HARNESS_CHOOSE_CORUNNER_H
#define HARNESS_CHOOSE_CORUNNER_H

#include "run.h"

/* The kernel that the sibling thread runs during this experiment on the lane's core; null: none. */
struct experiment *choose_sibling_load(const struct run *run, const struct lane *lane,
                                       const struct experiment *experiment);
/* Finds the core that the lane's measurement needs beside its own, and makes its corunner ready.
 * True also when it needs none; false, with lane->blocked, when there is no such core. */
bool choose_corunner(struct run *run, struct lane *lane, const struct experiment *experiment);

#endif
