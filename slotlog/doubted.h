/* What a log says itself is doubted: its `doubt` records. */
#ifndef SLOTLOG_DOUBTED_H
#define SLOTLOG_DOUBTED_H

#include "whole_log.h"

/* Takes the numbers and the passed verdicts that a `doubt` record names out of the log, after a line
 * on standard error for each such record. Verdicts that failed or were skipped stay. */
void doubted_leave_out(struct whole_log *log);

#endif
