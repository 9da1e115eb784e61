/* Of which run a log is: by its first record, or, where that is lost, by the others, whose CRCs go
 * on from one number. */
#include <string.h>

#include "inside.h"

#define RECORDS_ASKED 8 /* so many say which number that is */

bool reader_hold(struct reader *reader, const struct reader_entry *entry)
{
    size_t records = 0;

    if (reader->run.tied)
        return false;
    if (!held_add(&reader->untied, entry)) {
        reader_decide(reader);
        if (reader->run.tied || !held_add(&reader->untied, entry))
            return false;
    }
    for (size_t i = 0; i < reader->untied.count; i++)
        records += held_entry(&reader->untied, i).kind == LINE_RECORD;
    if (entry->kind == LINE_RECORD && records >= RECORDS_ASKED)
        reader_decide(reader);
    return true;
}

/* A record that comes again says nothing more than it said. */
static bool came_before(const struct held_lines *lines, size_t index)
{
    const struct reader_entry entry = held_entry(lines, index);

    for (size_t i = 0; i < index; i++) {
        const struct reader_entry before = held_entry(lines, i);

        if (before.length == entry.length && memcmp(before.text, entry.text, entry.length) == 0)
            return true;
    }
    return false;
}

/* What the CRCs of the records that are held go on from. */
static size_t read_begins(const struct reader *reader, unsigned long begins[RECORDS_ASKED])
{
    size_t count = 0;

    for (size_t i = 0; i < reader->untied.count && count < RECORDS_ASKED; i++) {
        const struct reader_entry entry = held_entry(&reader->untied, i);

        count += entry.kind == LINE_RECORD && !line_is_first(entry.text, entry.length) &&
                 !came_before(&reader->untied, i) &&
                 line_crc_before(entry.text, entry.length, &begins[count]);
    }
    return count;
}

/* The one that most have in common, and how many these are; 0 when as many have another. */
static size_t find_begin(const struct reader *reader, unsigned long *begin)
{
    unsigned long begins[RECORDS_ASKED];
    const size_t count = read_begins(reader, begins);
    size_t most = 0;
    bool alone = false;

    for (size_t i = 0; i < count; i++) {
        size_t votes = 0;

        for (size_t j = 0; j < count; j++)
            votes += begins[j] == begins[i];
        if (votes > most) {
            most = votes;
            alone = true;
            *begin = begins[i];
        } else if (votes == most && begins[i] != *begin) {
            alone = false;
        }
    }
    return alone ? most : 0;
}

/* The lines that were held, in their turn. */
static void replay(struct reader *reader)
{
    struct held_lines lines = reader->untied;

    reader->untied = (struct held_lines){0};
    for (size_t i = 0; i < lines.count; i++) {
        struct reader_entry entry = held_entry(&lines, i);

        reader_take(reader, &entry);
    }
    held_free(&lines);
}

/* One record may be damaged or of another run; what most have in common, two at least, is the
 * run's. */
void reader_decide(struct reader *reader)
{
    unsigned long begin = 0;
    size_t votes;

    if (reader->run.tied || reader->untied.count == 0)
        return;
    votes = find_begin(reader, &begin);
    if (votes > 1) {
        reader->run.tied = true;
        reader->run.begin = begin;
        reader->totals.version = begin == 0 ? 1 : LOG_VERSION; /* version 1 had whole CRCs */
        reader_problem(
            reader, held_entry(&reader->untied, 0).line,
            "the run's first record is not before this line; %zu records agree on its crc", votes);
    }
    replay(reader);
}

void reader_tie(struct reader *reader, unsigned long begin)
{
    reader->run.tied = true;
    reader->run.begin = begin;
    replay(reader);
}

void reader_begin_run(struct reader *reader, unsigned long line)
{
    reader_end_texts(reader);
    reader_problem(reader, line, "a second run begins%s",
                   reader->totals.ended ? "" : ", and the run before it has no end record");
    reader->totals.runs++;
    reader->totals.ended = reader->totals.planned = false;
    reader->run = (struct reader_run){.last = -1};
}
