/* Off-core response values that the Topdown formulas ask for, from Ivy Bridge on: bits 15:0 say who
 * asked, 21:16 and 29:22 who had the line, 37:30 (and up) what the other cores answered.
 *
 * A line is counted when the instruction that asked for it retires. */
#ifndef RIG_CPU_RESPONSES_H
#define RIG_CPU_RESPONSES_H

#include "pmu/parameters.h"

#define TOPDOWN_RESPONSES 7
extern const struct pmu_response topdown_responses[TOPDOWN_RESPONSES];

#endif
