/* Step of the set-up: the configuration, from its file and the load options. */
#ifndef HARNESS_SETUP_SETUP_CONFIG_H
#define HARNESS_SETUP_SETUP_CONFIG_H

#include "harness/own/own_kernel.h"
#include "harness/run/complaints.h"

/* Reads \slotscope\slotscope.cfg and the load options into *config, which has the defaults. A key
 * or value that is not known, keys that exclude each other, and a name that no kernel has, nor one
 * of the user's own, refuse the run. */
void setup_config(struct config *config, const struct own_kernel *own,
                  struct complaints *complaints);

#endif
