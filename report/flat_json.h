/* A line that is one JSON object of names and numbers, as counts are handed over between programs.
 * Nothing nested: what else a value may be is an error that names its column. */
#ifndef REPORT_FLAT_JSON_H
#define REPORT_FLAT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#define FLAT_NAME 128 /* what goes beyond is cut off: nothing that is looked for is so long */

struct flat_error {
    size_t column; /* from 1 */
    const char *expected;
};

/* Calls `member` for each pair of a line (without its newline), in order. `present` is false for
 * null. False with *error when the line is no such object; members before the error were handed
 * over. A number that no double can hold is an error too. */
bool flat_json(const char *line, size_t length,
               void (*member)(void *context, const char *name, bool present, double value),
               void *context, struct flat_error *error);

#endif
