/* Off-core response values that the Topdown formulas use, from Ivy Bridge on: bits 15:0 are the
 * request, 21:16 and 29:22 the supplier of the line, 37:30 (and up) the answer of the other
 * cores.
 *
 * A line is counted when the instruction that asked for it retires. */
#ifndef RIG_CPU_RESPONSES_H
#define RIG_CPU_RESPONSES_H

#include "pmu/parameters.h"

#define TOPDOWN_RESPONSES 7
extern const struct pmu_response topdown_responses[TOPDOWN_RESPONSES];

#endif
