/* A line of counts, as programs hand them over: one JSON object of names with numbers or nulls. */
#ifndef PC_COUNTS_LINE_H
#define PC_COUNTS_LINE_H

#include <stdbool.h>
#include <stddef.h>

#define COUNTS_LINE_ERROR 256

/* Calls `member` for every name of the line (`length` bytes, no newline), in order; `present` is
 * false and `value` 0 for null. False when the line is no such object, has a name twice or a number
 * that no double can hold: then no member was handed over, and `error` says what is wrong and
 * where, "column 50: invalid token near 'x'" or "member \"x\": a string, expected a number or
 * null", in printable ASCII. Columns count characters from 1 and are those of the end of the word.
 */
bool counts_line_read(const char *line, size_t length,
                      void (*member)(void *context, const char *name, bool present, double value),
                      void *context, char error[COUNTS_LINE_ERROR]);

#endif
