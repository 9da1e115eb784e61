/* How long the serial line will be busy with the log, and how much of the stick it takes, for
 * people.
 */
#ifndef HARNESS_RUN_LINE_TIME_H
#define HARNESS_RUN_LINE_TIME_H

#include "run.h"

/* Logs an estimate of the log's size and of the time that the serial line needs for it. The line
 * works only while no core measures, so that this time adds to that of the measuring. Likewise the
 * room that the stick needs, and has. Nothing of a line or a stick that is not there. */
void line_time_log(const struct config *config, const struct run_experiments *experiments,
                   unsigned cores);

#endif
