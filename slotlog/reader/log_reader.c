#include "log_reader.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log_text.h"
#include "inside.h"

static bool is_foreign(const struct reader *reader)
{
    return reader->totals.version != 0 && reader->totals.version != LOG_VERSION;
}

void reader_problem(struct reader *reader, unsigned long line, const char *pattern, ...)
{
    char text[READER_MESSAGE];
    va_list arguments;

    if (is_foreign(reader))
        return;
    va_start(arguments, pattern);
    vsnprintf(text, sizeof(text), pattern, arguments);
    va_end(arguments);
    log_text_plain(text);
    reader->totals.problems++;
    if (reader->sink.problem != NULL)
        reader->sink.problem(reader->sink.context, line, text);
}

void reader_emit(const struct reader *reader, const struct reader_entry *entry)
{
    if (reader->sink.entry != NULL)
        reader->sink.entry(reader->sink.context, entry);
}

struct reader *reader_new(const struct schema *schema, const struct reader_sink *sink)
{
    struct reader *reader = malloc(sizeof(*reader));

    if (reader != NULL) {
        memset(reader, 0, offsetof(struct reader, line));
        reader->schema = schema;
        reader->sink = *sink;
        reader->run.last = -1;
        reader->totals.runs = 1;
    }
    return reader;
}

void reader_free(struct reader *reader)
{
    if (reader != NULL) {
        held_free(&reader->untied);
        held_free(&reader->texts);
    }
    free(reader);
}

const struct reader_totals *reader_totals(const struct reader *reader)
{
    return &reader->totals;
}

/* A line that ends in TAP's version: what is in front of it on the line is the firmware's or noise,
 * or else the rest of a line that a reset cut. */
static void take_version(struct reader *reader, struct reader_entry *entry)
{
    const bool first = !reader->totals.begun;

    reader->totals.begun = true;
    if (entry->kind != LINE_VERSION && !first) {
        entry->kind = LINE_OTHER;
        reader->totals.damaged++;
        reader_problem(reader, entry->line, "the line was cut: \"%s\" is at its end",
                       LINE_VERSION_TEXT);
    }
    reader_decide(reader);
    if (reader->run.last >= 0 || reader->run.number > 0)
        reader_begin_run(reader, entry->line);
    reader_emit(reader, entry);
}

/* ---- lines ---- */

static void take_plan(struct reader *reader, struct reader_entry *entry)
{
    if (reader->totals.planned)
        reader_problem(reader, entry->line, "the plan comes again");
    reader->totals.planned = true;
    reader->run.plan = line_plan(entry->text, entry->length);
    reader_emit(reader, entry);
}

static bool is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e)
            return false;
    return true;
}

static void take_other(struct reader *reader, struct reader_entry *entry)
{
    const bool printable = is_printable(entry->text, entry->length);

    entry->kind = LINE_OTHER; /* also of a verdict with a byte that no log has */
    reader->totals.damaged++;
    reader_problem(reader, entry->line,
                   "neither a record, a verdict, a comment nor the plan%s%.40s",
                   printable ? ": " : "", printable ? entry->text : "");
    reader_emit(reader, entry);
}

/* Of a log of another version nothing is believed; but where it ends is seen. */
static void take_foreign(struct reader *reader, const struct reader_entry *entry)
{
    static const char end[] = "{\"type\":\"end\",";

    if (entry->kind == LINE_RECORD && strncmp(entry->text, end, sizeof(end) - 1) == 0)
        reader->totals.ended = true;
    if (entry->kind == LINE_PLAN)
        reader->totals.planned = true;
}

void reader_take(struct reader *reader, struct reader_entry *entry)
{
    if (is_foreign(reader))
        take_foreign(reader, entry);
    else if (entry->kind == LINE_RECORD)
        reader_take_record(reader, entry);
    else if (!is_printable(entry->text, entry->length) || entry->kind == LINE_OTHER)
        take_other(reader, entry);
    else if (entry->kind == LINE_VERDICT || entry->kind == LINE_COMMENT)
        reader_take_text(reader, entry);
    else if (entry->kind == LINE_PLAN)
        take_plan(reader, entry);
    else
        reader_emit(reader, entry);
}

static void take_of_log(struct reader *reader, struct reader_entry *entry)
{
    if (is_foreign(reader) || reader->run.tied || reader_says_run(reader, entry) ||
        !reader_hold(reader, entry))
        reader_take(reader, entry);
}

/* Whether the line is the log's; with its first one the log begins. */
static bool is_of_log(struct reader *reader, const struct reader_entry *entry)
{
    if (reader->totals.begun)
        return true;
    if (!line_begins_log(entry->text, entry->length)) {
        reader->totals.before++;
        return false;
    }
    reader->totals.begun = true;
    reader_problem(reader, entry->line, "the log's first line is not \"%s\"", LINE_VERSION_TEXT);
    return true;
}

static void take_line(struct reader *reader)
{
    struct reader_entry entry = {.line = ++reader->totals.lines, .text = reader->line};

    if (reader->filled > 0 && reader->line[reader->filled - 1] == '\r')
        reader->filled--;
    reader->line[reader->filled] = 0;
    entry.length = reader->filled;
    entry.kind = line_kind(entry.text, entry.length);
    reader->filled = 0;
    if (line_ends_in_version(entry.text, entry.length))
        take_version(reader, &entry);
    else if (is_of_log(reader, &entry))
        take_of_log(reader, &entry);
}

/* Of a long line before the log the end may be the log's first line. */
static void shorten(struct reader *reader)
{
    const size_t kept = sizeof(LINE_VERSION_TEXT "\r");

    memmove(reader->line, reader->line + reader->filled - kept, kept);
    reader->filled = kept;
}

static void add_byte(struct reader *reader, char byte)
{
    if (!reader->totals.begun && reader->filled == LINE_BYTES - 1)
        shorten(reader);
    if (byte == '\n') {
        if (!reader->too_long)
            take_line(reader);
        reader->too_long = false;
    } else if (!reader->too_long && reader->filled < LINE_BYTES - 1) {
        reader->line[reader->filled++] = byte;
    } else if (!reader->too_long) {
        reader->too_long = true;
        reader->filled = 0;
        reader->totals.damaged++;
        reader_problem(reader, ++reader->totals.lines, "the line has over %d bytes",
                       LINE_BYTES - 1);
    }
}

void reader_feed(struct reader *reader, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        add_byte(reader, bytes[i]);
}

/* ---- the end ---- */

/* The verdicts that the `end` record counts, against the log's lines. */
static bool totals_agree(const struct reader *reader)
{
    const struct reader_totals *totals = &reader->totals;
    const struct reader_run *run = &reader->run;

    if ((unsigned long)run->end_fail != totals->failed)
        return false;
    if (totals->brief)
        return (unsigned long)(run->end_pass + run->end_skip) == totals->verdicts;
    return (unsigned long)run->end_skip == totals->skipped &&
           (unsigned long)(run->end_pass + run->end_skip + run->end_fail) == totals->verdict_lines;
}

static void check_totals(struct reader *reader)
{
    const struct reader_totals *totals = &reader->totals;
    const struct reader_run *run = &reader->run;

    if (totals->planned && run->plan != totals->verdict_lines)
        reader_problem(reader, 0, "the plan says %lu verdicts, and %lu are believed", run->plan,
                       totals->verdict_lines);
    if (totals->ended && !totals_agree(reader))
        reader_problem(reader, 0,
                       "the end record says %lld passed, %lld failed, %lld skipped; the verdicts "
                       "that are believed say otherwise",
                       (long long)run->end_pass, (long long)run->end_fail,
                       (long long)run->end_skip);
}

void reader_end(struct reader *reader)
{
    if (reader->filled > 0) {
        take_line(reader);
        if (reader->totals.begun)
            reader_problem(reader, reader->totals.lines, "the line has no end: it was cut");
    }
    reader_decide(reader);
    reader_end_texts(reader);
    if (!reader->totals.ended && reader->run.last < 0)
        reader_problem(reader, 0, "no end record: the log was cut short before its first record");
    else if (!reader->totals.ended)
        reader_problem(reader, 0, "no end record: the log was cut short behind record %lld",
                       (long long)reader->run.last);
    if (!reader->totals.planned)
        reader_problem(reader, 0, "no plan: the log was cut short");
    if (reader->totals.runs == 1)
        check_totals(reader);
}
