/* What the files of records share. */
#ifndef HARNESS_RECORDS_INSIDE_H
#define HARNESS_RECORDS_INSIDE_H

#include "records.h"

/* A record that long is sent and its list goes on in another: what may still come must fit into
 * 4096 bytes. */
#define RECORD_FULL 3600u

/* The members that every result record of a core begins with. */
struct json_line *record_begin(const char *type, const struct measured_core *core,
                               const char *kernel, const char *unit);
/* The knob of a kernel with doses, and what the sibling thread did. */
void record_circumstances(struct json_line *record, const struct measurement *measurement);
/* By what the nodes are, in this trial. */
const char *record_method(const struct trial *trial);

#endif
