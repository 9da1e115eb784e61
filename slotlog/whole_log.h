/* A whole log in memory: the records and the verdicts that are believed. */
#ifndef SLOTLOG_WHOLE_LOG_H
#define SLOTLOG_WHOLE_LOG_H

#include "doubted.h"
#include "reader/log_reader.h"

#define STATUS_GOOD  0 /* exit status of every command: all is well */
#define STATUS_FOUND 1 /* the log, or the run that it is of, has a fault */
#define STATUS_USAGE 2 /* the command cannot be carried out */

#define LOG_VERDICTS 4000000 /* a log with more is refused: 512 cores have a quarter of that */

struct text_block;

struct whole_log {
    const char *name;             /* of the file */
    json_t *records, *left_out;   /* arrays; the second: numbers that the log doubts itself */
    struct log_verdict *verdicts; /* that are believed: a CRC that holds covers them */
    size_t verdict_count, failed, skipped;
    size_t self_doubted;      /* behind these, with the reason: passed ones that the log doubts */
    size_t doubted;           /* verdicts that are there, and not believed or doubted by the log */
    struct text_block *texts; /* of the verdicts */
    bool too_many;            /* verdicts */
    struct reader_totals totals;
};

/* The schema of logs, read once. Ends the program when there is no memory. */
const struct schema *whole_log_schema(void);

/* Reads a file, "-" standard input. Returns STATUS_GOOD, or STATUS_USAGE after a line on standard
 * error: it cannot be read, is empty, is no log, is of another version, or of two runs. A log that
 * is damaged is read as far as it is believed, and without what it doubts itself (doubted.h), after
 * lines on standard error that say so. */
int whole_log_read(struct whole_log *log, const char *name);
void whole_log_free(struct whole_log *log);

/* Why a log of another version than LOG_VERSION is refused. */
void whole_log_refusal(json_int_t version, char why[LINE_TEXT]);

/* The first record of that type; NULL: there is none. */
const json_t *whole_log_record(const struct whole_log *log, const char *type);

/* Whether the run came to its end, nothing failed, the log is not damaged, and it doubts nothing of
 * itself. */
bool whole_log_is_good(const struct whole_log *log);

/* Whether a run that ended for this reason is whole: complete, or nothing but help was asked for.
 */
bool whole_log_reason_is_good(const char *reason);

/* A member that is text, else `otherwise`. */
const char *record_text(const json_t *record, const char *member, const char *otherwise);

/* Memory that must be there. */
void *allocate_or_end(void *old, size_t count, size_t size);
/* JSON for which there must be memory: returns `made`, which jansson has made. */
json_t *json_made(json_t *made);

#endif
