/* Step of the set-up: the user's own kernels. */
#ifndef HARNESS_SETUP_SETUP_OWN_H
#define HARNESS_SETUP_SETUP_OWN_H

#include "harness/run/run.h"

/* Fills run->own with the kernels in \slotscope\kernels\ on the stick: NAME.bin, machine code, and
 * beside it NAME.exp. A malformed file, one without the other, and a name that another kernel has
 * refuse the run. Before setup_config, which may name them. */
void setup_own(struct run *run);

#endif
