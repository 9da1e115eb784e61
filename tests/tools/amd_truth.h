/* AMD's tree against the truth of the rig. */
#ifndef TESTS_TOOLS_AMD_TRUTH_H
#define TESTS_TOOLS_AMD_TRUTH_H

#include "truth_log.h"

/* Compares each node of a `topdown` record of the method amd with the truth; `trial` names the
 * record. */
void check_amd(struct run *run, struct tests *tests, const json_t *topdown, const char *trial);

#endif
