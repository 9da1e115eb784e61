/* A stick without room for all of the log: its log gets its end where it is whole, and the run its
 * reason. */
#ifndef HARNESS_OUTCOME_CUT_H
#define HARNESS_OUTCOME_CUT_H

#include "harness/run/run.h"

/* The kernel was logged on that core. If the stick has no room for more, ends the log there; and
 * the run, where no serial line is known to lead somewhere. */
void cut_look(struct run *run, const char *kernel, unsigned core);
/* The log's end follows: looks likewise, and gives it the room that is kept for it. Null: there was
 * no memory for the run. */
void cut_before_end(struct run *run);

#endif
