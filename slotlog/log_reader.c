#include "log_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "log_text.h"
#include "report/log_schema.h"

#define CRCS_KEPT 1048576 /* of so many records of a run */
#define MESSAGE   (LOG_SCHEMA_TEXT + LINE_TEXT)

struct reader {
    const struct schema *schema;
    struct reader_sink sink;
    struct reader_totals totals;
    size_t filled;         /* bytes of the line that is not complete */
    bool too_long;         /* the rest of that line is thrown away */
    json_int_t last;       /* seq of the last record that is believed, -1 none */
    unsigned long number;  /* of the verdict before */
    unsigned long checked; /* verdicts up to this one were held against their CRC */
    unsigned long crc;     /* of the lines of the verdicts since, */
    unsigned long since;   /* so many */
    bool has_crcs;         /* an older log has none */
    unsigned long plan;
    json_int_t end_pass, end_fail, end_skip;
    unsigned long *crcs; /* of the run's records that are believed, by seq; 0: none */
    size_t crcs_room;
    char line[LINE_BYTES];
};

static bool is_foreign(const struct reader *reader)
{
    return reader->totals.version != 0 && reader->totals.version != LOG_VERSION;
}

static void problem(struct reader *reader, unsigned long line, const char *pattern, ...)
{
    char text[MESSAGE];
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

static void emit(const struct reader *reader, struct reader_entry *entry)
{
    if (reader->sink.entry != NULL)
        reader->sink.entry(reader->sink.context, entry);
}

struct reader *reader_new(const struct schema *schema, const struct reader_sink *sink)
{
    struct reader *reader = calloc(1, sizeof(*reader));

    if (reader != NULL) {
        reader->schema = schema;
        reader->sink = *sink;
        reader->last = -1;
        reader->totals.runs = 1;
    }
    return reader;
}

void reader_free(struct reader *reader)
{
    if (reader != NULL)
        free(reader->crcs);
    free(reader);
}

const struct reader_totals *reader_totals(const struct reader *reader)
{
    return &reader->totals;
}

/* ---- runs ---- */

/* Whether records or verdicts of the run have come. */
static bool has_content(const struct reader *reader)
{
    return reader->last >= 0 || reader->number > 0;
}

static void begin_run(struct reader *reader, unsigned long line)
{
    problem(reader, line, "a second run begins%s",
            reader->totals.ended ? "" : ", and the run before it has no end record");
    reader->totals.runs++;
    reader->totals.ended = reader->totals.planned = reader->has_crcs = false;
    reader->last = -1;
    reader->number = reader->checked = reader->crc = reader->since = 0;
    if (reader->crcs_room > 0)
        memset(reader->crcs, 0, reader->crcs_room * sizeof(*reader->crcs));
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
        problem(reader, entry->line, "the line was cut: \"%s\" is at its end", LINE_VERSION_TEXT);
    }
    if (has_content(reader))
        begin_run(reader, entry->line);
    emit(reader, entry);
}

/* ---- records ---- */

static unsigned long crc_of(const json_t *record)
{
    return strtoul(json_string_value(json_object_get(record, "crc")), NULL, 16);
}

/* Without memory for it a record that is late is named, and begins no run. */
static void keep_crc(struct reader *reader, json_int_t seq, const json_t *record)
{
    if (seq >= CRCS_KEPT)
        return;
    if ((size_t)seq >= reader->crcs_room) {
        const size_t room = (size_t)seq + (size_t)seq / 2 + 256;
        unsigned long *crcs = realloc(reader->crcs, room * sizeof(*crcs));

        if (crcs == NULL)
            return;
        memset(crcs + reader->crcs_room, 0, (room - reader->crcs_room) * sizeof(*crcs));
        reader->crcs = crcs;
        reader->crcs_room = room;
    }
    reader->crcs[seq] = crc_of(record);
}

static void note_machine(struct reader *reader, const json_t *record)
{
    const char *detail = json_string_value(json_object_get(record, "detail"));

    reader->totals.brief = detail != NULL && strcmp(detail, "brief") == 0;
}

static void note_end(struct reader *reader, const json_t *record)
{
    reader->totals.ended = true;
    reader->end_pass = json_integer_value(json_object_get(record, "pass"));
    reader->end_fail = json_integer_value(json_object_get(record, "fail"));
    reader->end_skip = json_integer_value(json_object_get(record, "skip"));
    reader->has_crcs |= json_is_true(json_object_get(record, "verdict_crcs"));
}

static void name_gap(struct reader *reader, unsigned long line, json_int_t from, json_int_t to)
{
    reader->totals.missing += (unsigned long)(to - from);
    if (to - from == 1)
        problem(reader, line, "record %lld is not there, or damaged", (long long)from);
    else
        problem(reader, line, "records %lld to %lld are not there, or damaged", (long long)from,
                (long long)to - 1);
}

struct complaints {
    unsigned count;
    char first[LOG_SCHEMA_TEXT];
};

static void keep_first(void *context, const char *text)
{
    struct complaints *complaints = context;

    if (complaints->count++ == 0)
        snprintf(complaints->first, sizeof(complaints->first), "%s", text);
}

/* Whether the bytes of a record with the right CRC are what slotscope writes. */
static bool is_as_stated(struct reader *reader, unsigned long line, json_t *record, const char *why)
{
    struct complaints complaints = {0};
    const struct log_schema_sink sink = {&complaints, keep_first};

    if (record == NULL) {
        problem(reader, line, "a record is no JSON: %s", why);
        return false;
    }
    if (log_schema_check(reader->schema, record, &sink) > 0)
        problem(reader, line, "a record is not as the log's schema says: %s", complaints.first);
    else if (!log_text_make_plain(record))
        problem(reader, line, "a record has a member whose name is no printable ASCII");
    else
        return true;
    return false;
}

/* Whether the run has had this record. Of one that is beyond what is kept nothing is known. */
static bool is_known(const struct reader *reader, json_int_t seq, unsigned long crc)
{
    return seq >= CRCS_KEPT || (size_t)seq >= reader->crcs_room || reader->crcs[seq] == crc;
}

/* Whether a second run begins here, whose line with TAP's version is lost. A line does not change
 * the order of its bytes: a record that is late, and none that comes again, is another run's. Two
 * runs on one rig may have the same `machine` record, which none is in front of. */
static bool begins_run(const struct reader *reader, const json_t *record)
{
    const json_int_t seq = json_integer_value(json_object_get(record, "seq"));
    const char *type = json_string_value(json_object_get(record, "type"));

    if (seq == 0 && strcmp(type, "machine") == 0 && (reader->last > 0 || reader->number > 0))
        return true;
    return seq <= reader->last && !is_known(reader, seq, crc_of(record));
}

/* Whether the record comes in its turn. */
static bool comes_in_turn(struct reader *reader, unsigned long line, const json_t *record)
{
    const json_int_t seq = json_integer_value(json_object_get(record, "seq"));

    if (begins_run(reader, record))
        begin_run(reader, line);
    if (seq <= reader->last) {
        problem(reader, line, "record %lld comes again, or late, behind record %lld",
                (long long)seq, (long long)reader->last);
        return false;
    }
    if (reader->totals.ended) {
        problem(reader, line, "record %lld comes behind the end record", (long long)seq);
        return false;
    }
    return true;
}

static void take_believed(struct reader *reader, struct reader_entry *entry)
{
    const json_int_t seq = json_integer_value(json_object_get(entry->record, "seq"));
    const char *type = json_string_value(json_object_get(entry->record, "type"));

    if (seq > reader->last + 1)
        name_gap(reader, entry->line, reader->last + 1, seq);
    reader->last = seq;
    keep_crc(reader, seq, entry->record);
    reader->totals.records++;
    if (strcmp(type, "machine") == 0)
        note_machine(reader, entry->record);
    if (strcmp(type, "end") == 0)
        note_end(reader, entry->record);
}

static bool crc_holds(struct reader *reader, const struct reader_entry *entry)
{
    char why[LINE_TEXT];

    if (entry->length > LINE_RECORD_BYTES) {
        problem(reader, entry->line, "a record is damaged: it has %zu bytes, expected at most %d",
                entry->length, LINE_RECORD_BYTES);
        return false;
    }
    if (line_crc_holds(entry->text, entry->length, why))
        return true;
    problem(reader, entry->line, "a record is damaged: %s", why);
    return false;
}

/* Also of a record that this version's schema refuses. */
static void note_version(struct reader *reader, const json_t *record)
{
    const json_t *version = json_object_get(record, "log_version");

    if (json_is_integer(version))
        reader->totals.version = json_integer_value(version);
}

static void take_record(struct reader *reader, struct reader_entry *entry)
{
    json_error_t error;
    json_t *record = NULL;

    if (crc_holds(reader, entry)) {
        record = json_loadb(entry->text, entry->length, JSON_REJECT_DUPLICATES, &error);
        note_version(reader, record);
        if (is_as_stated(reader, entry->line, record, error.text) &&
            comes_in_turn(reader, entry->line, record))
            entry->record = record;
    }
    if (entry->record != NULL)
        take_believed(reader, entry);
    else
        reader->totals.damaged++;
    emit(reader, entry);
    json_decref(record);
}

/* ---- other lines ---- */

static void take_verdict(struct reader *reader, struct reader_entry *entry)
{
    const struct verdict_line verdict = line_verdict(entry->text, entry->length);

    if (verdict.number != reader->number + 1)
        problem(reader, entry->line, "verdict %lu, expected %lu", verdict.number,
                reader->number + 1);
    reader->number = verdict.number;
    reader->crc = crc32(reader->crc, (const unsigned char *)entry->text, (unsigned)entry->length);
    reader->crc = crc32(reader->crc, (const unsigned char *)"\n", 1);
    reader->since++;
    reader->totals.verdict_lines++;
    if (verdict.ok)
        reader->totals.verdicts += verdict.verdicts;
    else
        reader->totals.failed++;
    if (verdict.skipped)
        reader->totals.skipped++;
    emit(reader, entry);
}

/* A letter that changed in a verdict shows here alone. */
static void check_verdicts(struct reader *reader, unsigned long line, const struct verdict_crc *crc)
{
    if (crc->from <= reader->checked)
        problem(reader, line, "the crc of verdicts %lu to %lu, expected that from %lu on",
                crc->from, crc->to, reader->checked + 1);
    else if (crc->from != reader->checked + 1)
        problem(reader, line, "the crc of verdicts %lu to %lu is not there, or damaged",
                reader->checked + 1, crc->from - 1);
    else if (crc->crc != reader->crc || crc->to != reader->number)
        problem(reader, line,
                "verdicts %lu to %lu are not as they were sent: their crc is %08lx, and these "
                "lines give %08lx",
                crc->from, crc->to, crc->crc, reader->crc);
    else if (reader->sink.believe != NULL)
        reader->sink.believe(reader->sink.context, reader->since);
    reader->checked = crc->to;
    reader->crc = reader->since = 0;
    reader->has_crcs = true;
}

static void take_comment(struct reader *reader, struct reader_entry *entry)
{
    struct verdict_crc crc;

    if (line_verdict_crc(entry->text, entry->length, &crc))
        check_verdicts(reader, entry->line, &crc);
    emit(reader, entry);
}

static void take_plan(struct reader *reader, struct reader_entry *entry)
{
    reader->totals.planned = true;
    reader->plan = line_plan(entry->text, entry->length);
    emit(reader, entry);
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
    problem(reader, entry->line, "neither a record, a verdict, a comment nor the plan%s%.40s",
            printable ? ": " : "", printable ? entry->text : "");
    emit(reader, entry);
}

static void take_kind(struct reader *reader, struct reader_entry *entry)
{
    if (entry->kind == LINE_RECORD)
        take_record(reader, entry);
    else if (!is_printable(entry->text, entry->length))
        take_other(reader, entry);
    else if (entry->kind == LINE_VERDICT)
        take_verdict(reader, entry);
    else if (entry->kind == LINE_COMMENT)
        take_comment(reader, entry);
    else if (entry->kind == LINE_PLAN)
        take_plan(reader, entry);
    else if (entry->kind == LINE_OTHER)
        take_other(reader, entry);
    else
        emit(reader, entry);
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
    problem(reader, entry->line, "the log's first line is not \"%s\"", LINE_VERSION_TEXT);
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
        take_kind(reader, &entry);
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
        problem(reader, ++reader->totals.lines, "the line has over %d bytes", LINE_BYTES - 1);
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

    if ((unsigned long)reader->end_fail != totals->failed)
        return false;
    if (totals->brief)
        return (unsigned long)(reader->end_pass + reader->end_skip) == totals->verdicts;
    return (unsigned long)reader->end_skip == totals->skipped &&
           (unsigned long)(reader->end_pass + reader->end_skip + reader->end_fail) ==
               totals->verdict_lines;
}

static void check_totals(struct reader *reader)
{
    const struct reader_totals *totals = &reader->totals;

    if (totals->planned && reader->plan != totals->verdict_lines)
        problem(reader, 0, "the plan says %lu verdicts, the log has %lu", reader->plan,
                totals->verdict_lines);
    if (reader->has_crcs && totals->ended && reader->number != reader->checked)
        problem(reader, 0, "the crc of verdicts %lu to %lu is not there, or damaged",
                reader->checked + 1, reader->number);
    if (totals->ended && !totals_agree(reader))
        problem(reader, 0,
                "the end record says %lld passed, %lld failed, %lld skipped; the lines of the log "
                "say otherwise",
                (long long)reader->end_pass, (long long)reader->end_fail,
                (long long)reader->end_skip);
}

void reader_end(struct reader *reader)
{
    if (reader->filled > 0) {
        take_line(reader);
        if (reader->totals.begun)
            problem(reader, reader->totals.lines, "the line has no end: it was cut");
    }
    if (!reader->totals.ended && reader->last < 0)
        problem(reader, 0, "no end record: the log was cut short before its first record");
    else if (!reader->totals.ended)
        problem(reader, 0, "no end record: the log was cut short behind record %lld",
                (long long)reader->last);
    if (!reader->totals.planned)
        problem(reader, 0, "no plan: the log was cut short");
    if (reader->totals.runs == 1)
        check_totals(reader);
}
