/* What cores there are, what each of them is, and which nodes are measured on it. */
#ifndef HARNESS_SURVEY_SURVEY_H
#define HARNESS_SURVEY_SURVEY_H

#include "harness/run/run.h"

/* Reads the facts of every wanted core, chooses its description and its nodes, and logs them. A
 * core that does not answer, or that no description fits, is lost. A refused run surveys nothing;
 * nodes and levels that no core's description has refuse the run. */
void survey_cores(struct run *run);

#endif
