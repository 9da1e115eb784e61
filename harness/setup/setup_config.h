/* Step of the set-up: the configuration, from its file and the load options. */
#ifndef HARNESS_SETUP_SETUP_CONFIG_H
#define HARNESS_SETUP_SETUP_CONFIG_H

#include "harness/run/run.h"

/* Reads \slotscope\slotscope.cfg and the load options into run->config. A key or value that is not
 * known, and keys that exclude each other, refuse the run. */
void setup_config(struct run *run);

#endif
