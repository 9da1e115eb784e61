/* What the screen shows while the run goes on, and whether somebody wants it to end. Drawing and
 * reading keys happen between measurements, when every other core is idle. */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include "run.h"

/* The series begins. `turns`: how often each kernel is measured, on one core after the other. */
void progress_begin(struct progress *progress, const struct run_experiments *experiments,
                    unsigned turns);
/* Kernel number `number`, from 0, is next. False: the run is to end instead. */
bool progress_next(struct progress *progress, unsigned number);
/* The lanes are about to be launched: draws the page, at most four times a second and for at most a
 * small part of the run's time. */
void progress_launch(struct progress *progress, const struct run_cores *cores,
                     const struct rounds *rounds, const struct lane *lanes, unsigned count);
/* A kernel was reported. */
void progress_reported(struct progress *progress, const char *kernel, const struct table_row *row);
/* One kernel, or one dose of it, is done. */
void progress_done(struct progress *progress);
/* The run is over, for this reason. */
void progress_end(struct progress *progress, const struct run_cores *cores, const char *reason);

#endif
