/* Records: which of them are believed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log_text.h"
#include "inside.h"

static void note_form(struct reader *reader, const json_t *form)
{
    reader->totals.brief = strcmp(json_string_value(form), "brief") == 0;
}

static void note_end(struct reader *reader, const json_t *record)
{
    reader->totals.ended = true;
    reader->run.end_pass = json_integer_value(json_object_get(record, "pass"));
    reader->run.end_fail = json_integer_value(json_object_get(record, "fail"));
    reader->run.end_skip = json_integer_value(json_object_get(record, "skip"));
    reader->run.end_texts = json_integer_value(json_object_get(record, "texts"));
}

static void name_gap(struct reader *reader, unsigned long line, json_int_t from, json_int_t to)
{
    reader->totals.missing += (unsigned long)(to - from);
    if (to - from == 1)
        reader_problem(reader, line, "record %lld is not there, or damaged", (long long)from);
    else
        reader_problem(reader, line, "records %lld to %lld are not there, or damaged",
                       (long long)from, (long long)to - 1);
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
        reader_problem(reader, line, "a record is no JSON: %s", why);
        return false;
    }
    if (log_schema_check(reader->schema, record, &sink) > 0)
        reader_problem(reader, line, "a record is not as the log's schema says: %s",
                       complaints.first);
    else if (!log_text_make_plain(record))
        reader_problem(reader, line, "a record has a member whose name is no printable ASCII");
    else
        return true;
    return false;
}

/* Whether the record comes in its turn. */
static bool comes_in_turn(struct reader *reader, unsigned long line, const json_t *record)
{
    const json_int_t seq = json_integer_value(json_object_get(record, "seq"));

    if (seq <= reader->run.last) {
        reader_problem(reader, line, "record %lld comes again, or late, behind record %lld",
                       (long long)seq, (long long)reader->run.last);
        return false;
    }
    if (reader->totals.ended) {
        reader_problem(reader, line, "record %lld comes behind the end record", (long long)seq);
        return false;
    }
    return true;
}

static void take_believed(struct reader *reader, struct reader_entry *entry)
{
    const json_int_t seq = json_integer_value(json_object_get(entry->record, "seq"));
    const char *type = json_string_value(json_object_get(entry->record, "type"));

    if (seq > reader->run.last + 1)
        name_gap(reader, entry->line, reader->run.last + 1, seq);
    reader->run.last = seq;
    reader->totals.records++;
    if (strcmp(type, "log") == 0)
        note_form(reader, json_object_get(entry->record, "form"));
    if (strcmp(type, "machine") == 0)
        note_form(reader, json_object_get(entry->record, "detail"));
    if (strcmp(type, "end") == 0)
        note_end(reader, entry->record);
    if (strcmp(type, "doubt") == 0 && (json_is_array(json_object_get(entry->record, "verdicts")) ||
                                       json_is_array(json_object_get(entry->record, "records"))))
        reader->totals.doubts++;
}

/* A record whose CRC does not go on from the run's first one is damaged; several of them that go on
 * from one other are whole, and of another run or form. Returns how many there were in a row. */
static unsigned name_other(struct reader *reader, const struct reader_entry *entry, const char *why)
{
    unsigned long begin;

    if (!line_crc_before(entry->text, entry->length, &begin)) {
        reader_problem(reader, entry->line, "a record is damaged: %s", why);
        return 0;
    }
    reader->others = begin == reader->other ? reader->others + 1 : 1;
    reader->other = begin;
    if (!reader->run.tied)
        reader_problem(reader, entry->line, "nothing says of which run a record is");
    else if (reader->others > 1)
        reader_problem(reader, entry->line, "a record is of another run, or of the other form");
    else
        reader_problem(reader, entry->line, "a record is damaged: %s", why);
    return reader->others;
}

/* The first record of a second run may be lost: so many in a row begin it. */
#define OTHERS_BEGIN 4

static bool crc_holds(struct reader *reader, const struct reader_entry *entry)
{
    char why[LINE_TEXT] = "";

    if (entry->length > LINE_RECORD_BYTES) {
        reader_problem(reader, entry->line,
                       "a record is damaged: it has %zu bytes, expected at most %d", entry->length,
                       LINE_RECORD_BYTES);
        return false;
    }
    if (line_is_first(entry->text, entry->length)) { /* its CRC would go on from nothing */
        reader_problem(reader, entry->line, "a log's first record is damaged");
        return false;
    }
    if (line_crc_holds(entry->text, entry->length, reader->run.begin, why) && reader->run.tied) {
        reader->others = 0;
        return true;
    }
    if (name_other(reader, entry, why) == OTHERS_BEGIN && reader->run.tied) {
        reader_begin_run(reader, entry->line);
        reader_tie(reader, reader->other);
    }
    return false;
}

/* The CRC of a record that is the first one of a log; false: it is not one, or does not hold. */
static bool is_first(const struct reader_entry *entry, unsigned long *crc)
{
    char why[LINE_TEXT];

    if (!line_is_first(entry->text, entry->length) || entry->length > LINE_RECORD_BYTES ||
        !line_crc_holds(entry->text, entry->length, 0, why))
        return false;
    *crc = strtoul(entry->text + entry->length - 10, NULL, 16);
    return true;
}

/* Also of a record that this version's schema refuses. */
static void note_version(struct reader *reader, const json_t *record)
{
    const json_t *version = json_object_get(record, "log_version");

    if (json_is_integer(version))
        reader->totals.version = json_integer_value(version);
}

/* What the run is tied to, or another run. */
static bool take_first(struct reader *reader, const struct reader_entry *entry, json_t *record,
                       unsigned long crc)
{
    if (!reader->run.tied) {
        reader_tie(reader, crc);
    } else if (crc != reader->run.begin) {
        reader_begin_run(reader, entry->line);
        reader_tie(reader, crc);
    }
    return comes_in_turn(reader, entry->line, record);
}

void reader_take_record(struct reader *reader, struct reader_entry *entry)
{
    json_error_t error;
    json_t *record = NULL;
    unsigned long crc;
    const bool first = is_first(entry, &crc);

    if (first || crc_holds(reader, entry)) {
        record = json_loadb(entry->text, entry->length, JSON_REJECT_DUPLICATES, &error);
        if (first)
            note_version(reader, record);
        if (is_as_stated(reader, entry->line, record, error.text) &&
            (first ? take_first(reader, entry, record, crc)
                   : comes_in_turn(reader, entry->line, record)))
            entry->record = record;
    }
    entry->believed = entry->record != NULL;
    if (entry->believed)
        take_believed(reader, entry);
    else
        reader->totals.damaged++;
    reader_emit(reader, entry);
    json_decref(record);
}

/* The first record says at once of which run the log is, and a log of version 1 that it is one. */
bool reader_says_run(struct reader *reader, const struct reader_entry *entry)
{
    unsigned long begin;
    json_t *record;

    if (entry->kind != LINE_RECORD)
        return false;
    if (is_first(entry, &begin))
        return true;
    if (line_crc_before(entry->text, entry->length, &begin) && begin == 0) {
        record = json_loadb(entry->text, entry->length, JSON_REJECT_DUPLICATES, NULL);
        note_version(reader, record);
        json_decref(record);
    }
    return false;
}
