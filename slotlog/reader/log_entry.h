/* What the reader of a log hands on. */
#ifndef SLOTLOG_READER_LOG_ENTRY_H
#define SLOTLOG_READER_LOG_ENTRY_H

#include <jansson.h>

#include "log_line.h"

#define LOG_VERSION 2 /* member `log_version` of the first record */

struct reader_entry {
    unsigned long line; /* from 1 */
    enum line_kind kind;
    const char *text; /* `length` bytes, for the call only */
    size_t length;
    json_t *record; /* of a record that is believed, for the call only; else NULL */
    bool believed;  /* of a record, a verdict and a comment */
};

/* The receiver. The texts live for the call only. `line` of a problem is 0 when the problem is the
 * whole log's. */
struct reader_sink {
    void *context;
    void (*entry)(void *context, const struct reader_entry *entry);
    void (*problem)(void *context, unsigned long line, const char *text);
};

struct reader_totals {
    unsigned long lines, records, damaged; /* records that are believed; lines that are none */
    unsigned long doubted;                 /* verdicts and comments that are not believed */
    unsigned long missing;                 /* records that must have been there */
    unsigned long problems;
    unsigned long verdict_lines, failed, skipped; /* that are believed */
    unsigned long verdicts;                       /* that did not fail, as these lines count them */
    unsigned long doubts; /* `doubt` records that name verdicts or records of the log */
    unsigned long runs;   /* 1, and one more for each that begins behind another */
    unsigned long before; /* lines before the log */
    json_int_t version;   /* of the log's form, as it says; 0: it does not say. Of another version
                           * than LOG_VERSION nothing further is named. */
    bool begun, ended, planned, brief;
};

#endif
