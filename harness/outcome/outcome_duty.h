/* What the duty of a sibling comes to: points, a verdict, a record. */
#ifndef HARNESS_OUTCOME_OUTCOME_DUTY_H
#define HARNESS_OUTCOME_OUTCOME_DUTY_H

#include "harness/run/run.h"

/* Cycles of the core, as the published formulas work them out. */
#define DUTY_CORE_CYCLES "tma_info_core_core_clks"

struct outcome_duty {
    struct dose_point points[100 / CONFIG_DUTY_STEP];
    unsigned count;
    char why[120]; /* a duty has no value; "" while each has one */
};

/* The cycles of n iterations; 0: they were not counted. */
double outcome_duty_cycles(struct run *run, struct lane *lane, const struct experiment *experiment);
/* Adds what the lane measured at this duty; a duty at which it has no value leaves a gap. */
void outcome_duty_add(struct run *run, struct lane *lane, const struct experiment *experiment,
                      unsigned duty, struct outcome_duty *to);
/* Logs the record and the verdict; a lane that is blocked has a SKIP with its reason. */
void outcome_duty(struct run *run, struct lane *lane, const struct experiment *experiment,
                  const struct outcome_duty *duty);

#endif
