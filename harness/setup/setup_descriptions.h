/* Step of the set-up: the CPU descriptions. */
#ifndef HARNESS_SETUP_SETUP_DESCRIPTIONS_H
#define HARNESS_SETUP_SETUP_DESCRIPTIONS_H

#include "harness/configure/library.h"
#include "harness/run/complaints.h"

/* Fills the library with the descriptions of the image and of the stick. Those of the stick are
 * parsed at once; a malformed one refuses the run. */
void setup_descriptions(struct library *library, const struct config *config,
                        struct complaints *complaints);

#endif
