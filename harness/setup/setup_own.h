/* Step of the set-up: the user's own kernels. */
#ifndef HARNESS_SETUP_SETUP_OWN_H
#define HARNESS_SETUP_SETUP_OWN_H

#include "boot/pool.h"
#include "harness/own/own_kernel.h"
#include "harness/run/complaints.h"

/* Adds the kernels in \slotscope\kernels\ on the stick to the list, by name: NAME.bin, machine
 * code, and beside it NAME.exp. A malformed file, one without the other, and a name that another
 * kernel has refuse the run. Before setup_config, which may name them. */
void setup_own(struct own_kernel **own, struct pool *pool, struct complaints *complaints);

#endif
