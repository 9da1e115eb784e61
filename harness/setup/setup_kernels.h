/* Step of the set-up: the kernels. */
#ifndef HARNESS_SETUP_SETUP_KERNELS_H
#define HARNESS_SETUP_SETUP_KERNELS_H

#include "harness/run/run.h"

/* The wanted kernels and the kernel for sibling threads, ready to be judged. */
void setup_kernels(struct run *run);

#endif
