/* A sibling that halts for a known part of the time: how the cycles of the core by the published
 * formula answer to that. */
#ifndef HARNESS_SERIES_DUTY_H
#define HARNESS_SERIES_DUTY_H

#include "harness/run/run.h"

/* Measures the lane's thread at each duty that `sibling_duty` asks for, after the thread was
 * measured beside its sibling, and reports the line through them. Nothing without that key. */
void duty_measure(struct run *run, struct lane *lane, struct experiment *experiment, unsigned dose);

#endif
