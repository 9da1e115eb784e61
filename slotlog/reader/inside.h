/* The parts of the reader, for its files alone. */
#ifndef SLOTLOG_READER_INSIDE_H
#define SLOTLOG_READER_INSIDE_H

#include "held_lines.h"
#include "log_entry.h"
#include "pc/log_schema.h"
#include "pc/schema.h"

#define READER_MESSAGE (LOG_SCHEMA_TEXT + LINE_TEXT)

/* What a run has had so far. */
struct reader_run {
    bool tied;              /* `begin` is known */
    unsigned long begin;    /* the CRC of its first record, from which all others go on */
    json_int_t last;        /* seq of the last record that is believed, -1 none */
    unsigned long number;   /* of the verdict before */
    unsigned long covered;  /* texts up to this one are believed, or were named */
    unsigned long believed; /* the last text that is */
    unsigned long plan;
    json_int_t end_pass, end_fail, end_skip, end_texts;
};

struct reader {
    const struct schema *schema;
    struct reader_sink sink;
    struct reader_totals totals;
    struct reader_run run;
    unsigned long other;      /* `begin` by the last records that are not the run's */
    unsigned others;          /* how many of them in a row */
    struct held_lines untied; /* lines before `begin` is known */
    struct held_lines texts;  /* verdicts and comments whose CRC has not come yet */
    size_t filled;            /* bytes of the line that is not complete */
    bool too_long;            /* the rest of that line is thrown away */
    char line[LINE_BYTES];
};

void reader_problem(struct reader *reader, unsigned long line, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));
void reader_emit(const struct reader *reader, const struct reader_entry *entry);

/* texts.c: a verdict or a comment, that with a CRC, too; and the end of a run or of the log,
 * behind which no CRC comes. */
void reader_take_text(struct reader *reader, const struct reader_entry *entry);
void reader_end_texts(struct reader *reader);

/* run.c: holds a line until it is known of which run the log is. False: it is known. */
bool reader_hold(struct reader *reader, const struct reader_entry *entry);
/* Decides it by what is held; no more of the run comes. */
void reader_decide(struct reader *reader);
/* The run's first record, whose CRC holds: ties all that follows to it. */
void reader_tie(struct reader *reader, unsigned long begin);
/* A second run begins. */
void reader_begin_run(struct reader *reader, unsigned long line);

/* records.c: a record. */
void reader_take_record(struct reader *reader, struct reader_entry *entry);
/* Whether the line says at once of which run the log is; also notes that it is of another version.
 */
bool reader_says_run(struct reader *reader, const struct reader_entry *entry);

/* log_reader.c: a line of the log, of a run that is known or never will be. */
void reader_take(struct reader *reader, struct reader_entry *entry);

#endif
