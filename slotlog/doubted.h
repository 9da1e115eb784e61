/* What a log says itself is doubted: its `doubt` records. */
#ifndef SLOTLOG_DOUBTED_H
#define SLOTLOG_DOUBTED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct log_verdict {
    const char *claim, *reason; /* `reason` "" unless it is skipped or doubted */
    unsigned line, number, verdicts;
    bool ok, skipped, doubted;
};

/* Moves the numbers that a `doubt` record names from `records` to `left_out`, and takes the passed
 * verdicts out of the log of that name, after a line on standard error for each such record.
 * Verdicts that failed or were skipped stay. Returns how many verdicts are left out of the *count:
 * they stand behind the others, with the reason, which lives as long as the records. */
size_t doubted_leave_out(const char *name, json_t *records, json_t *left_out,
                         struct log_verdict *verdicts, size_t *count);

#endif
