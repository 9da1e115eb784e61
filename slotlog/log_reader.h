/* Reads a log as its bytes come, says what is believed and what is damaged. Pure: bytes in, calls
 * of the sink out; it takes any bytes.
 *
 * A record is believed when its CRC holds, it is JSON as doc/log.schema.json says, and its `seq` is
 * above that of every record before it. Every record that is not believed is named: by its line
 * when there is something like it, and by its `seq` when a later record, or the end, shows that it
 * is not there. A verdict has no CRC: its form and number are checked, and its totals against
 * `end`. */
#ifndef SLOTLOG_LOG_READER_H
#define SLOTLOG_LOG_READER_H

#include <jansson.h>

#include "log_line.h"
#include "report/schema.h"

struct reader_entry {
    unsigned long line; /* from 1 */
    enum line_kind kind;
    const char *text; /* `length` bytes, for the call only */
    size_t length;
    json_t *record; /* of a record that is believed, for the call only; else NULL */
    bool again;     /* a second run begins with this record */
};

/* The receiver. The texts live for the call only. `line` of a problem is 0 when the problem is the
 * whole log's. */
struct reader_sink {
    void *context;
    void (*entry)(void *context, const struct reader_entry *entry);
    void (*problem)(void *context, unsigned long line, const char *text);
};

struct reader_totals {
    unsigned long lines, records, damaged; /* records that are believed; lines that are not */
    unsigned long missing;                 /* records that must have been there */
    unsigned long problems;
    unsigned long verdict_lines, failed, skipped;
    unsigned long verdicts; /* that did not fail, as the lines count them */
    unsigned long runs;     /* `machine` records */
    json_int_t version;     /* of the log's form, as it says; 0: it does not say */
    bool begun, ended, planned, brief;
};

struct reader;

/* NULL: no memory. The schema must live as long as the reader. */
struct reader *reader_new(const struct schema *schema, const struct reader_sink *sink);
void reader_free(struct reader *reader);
void reader_feed(struct reader *reader, const char *bytes, size_t size);
/* No more bytes will come: names what is missing at the end. */
void reader_end(struct reader *reader);
const struct reader_totals *reader_totals(const struct reader *reader);

#endif
