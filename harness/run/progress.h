/* What the screen shows while the run goes on, and whether somebody wants it to end. Drawing and
 * reading keys happen between measurements, when every other core is idle. */
#ifndef HARNESS_RUN_PROGRESS_H
#define HARNESS_RUN_PROGRESS_H

#include "run.h"

/* The series begins. */
void progress_begin(struct run *run);
/* Kernel number `number`, from 0, is next. False: the run is to end instead. */
bool progress_next(struct run *run, unsigned number);
/* The lanes are about to be launched: draws the page, at most four times a second and for at most a
 * small part of the run's time. */
void progress_launch(struct run *run, const struct lane *lanes, unsigned count);
/* A kernel was reported. */
void progress_reported(struct progress *progress, const char *kernel, const struct table_row *row);
/* One kernel, or one dose of it, is done. */
void progress_done(struct progress *progress);
/* The run is over, for this reason. */
void progress_end(struct run *run, const char *reason);

#endif
