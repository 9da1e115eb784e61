/* Files of the stick that a run is configured by. */
#ifndef HARNESS_SETUP_SETUP_FILE_H
#define HARNESS_SETUP_SETUP_FILE_H

#include "harness/run/complaints.h"

/* A file in \slotscope\ on the stick, at most `limit` bytes. False: there is none, or it cannot be
 * read and the run is refused. */
bool setup_file(const char *name, size_t limit, const char **data, size_t *size,
                struct complaints *complaints);

#endif
