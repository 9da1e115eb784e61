/* Reads a log as its bytes come, says what is believed and what is damaged. Pure: bytes in, calls
 * of the sink out; it takes any bytes.
 *
 * A record is believed when its CRC holds, it is JSON as doc/log.schema.json says, and its `seq` is
 * above that of every record before it. Every record that is not believed is named: by its line
 * when there is something like it, and by its `seq` when a later record, or the end, shows that it
 * is not there. A verdict has no CRC of its own: its form and number are checked, its totals
 * against `end`, and up to 16 of them against the CRC in the comment behind them, which makes them
 * believed. Texts that are handed on are printable ASCII (log_text.h).
 *
 * What comes before the log's first line, such as the firmware's lines, is no damage. A second run
 * begins with "TAP version 14", also behind the rest of a line that a reset cut; where that is
 * lost, with a `machine` record behind other records, or with a record that is late and was not
 * there. */
#ifndef SLOTLOG_LOG_READER_H
#define SLOTLOG_LOG_READER_H

#include <jansson.h>

#include "log_line.h"
#include "report/schema.h"

#define LOG_VERSION 1 /* member `log_version` of the `machine` record */

struct reader_entry {
    unsigned long line; /* from 1 */
    enum line_kind kind;
    const char *text; /* `length` bytes, for the call only */
    size_t length;
    json_t *record; /* of a record that is believed, for the call only; else NULL */
};

/* The receiver. The texts live for the call only. `line` of a problem is 0 when the problem is the
 * whole log's. */
struct reader_sink {
    void *context;
    void (*entry)(void *context, const struct reader_entry *entry);
    void (*problem)(void *context, unsigned long line, const char *text);
    /* The last `count` verdicts that came are as they were sent: from now on they are believed. May
     * be NULL. */
    void (*believe)(void *context, unsigned long count);
};

struct reader_totals {
    unsigned long lines, records, damaged; /* records that are believed; lines that are not */
    unsigned long missing;                 /* records that must have been there */
    unsigned long problems;
    unsigned long verdict_lines, failed, skipped;
    unsigned long verdicts; /* that did not fail, as the lines count them */
    unsigned long runs;     /* 1, and one more for each that begins behind another */
    unsigned long before;   /* lines before the log */
    json_int_t version;     /* of the log's form, as it says; 0: it does not say. Of another version
                             * than LOG_VERSION nothing further is named. */
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
