/* Counters that agreed at the start may disagree later: they are compared again after each kernel,
 * and at each core's end. */
#ifndef HARNESS_SURVEY_COMPARE_AGAIN_H
#define HARNESS_SURVEY_COMPARE_AGAIN_H

#include "harness/run/run.h"

/* The core's counters were compared for the first time just now. */
void compare_again_begin(struct measured_core *core);
/* All that was logged until now rests on windows from before the counters last agreed; nothing when
 * windows came after that. */
void compare_again_reported(struct measured_core *core);
/* Compares them once more. Returns whether one is off, or was: that has its verdict, and plans
 * avoid it from now on, or its `error` record. What was logged since they last agreed is doubted
 * then. A comparison that cannot be made says nothing. */
bool compare_again(struct run_comparison *comparison, struct run_verdicts *verdicts,
                   struct measured_core *core);
/* The same at the core's end, with a verdict that they agree, or why that is not known. */
void compare_at_end(struct run_comparison *comparison, struct run_verdicts *verdicts,
                    struct measured_core *core);

#endif
