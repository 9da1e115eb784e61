/* Verdicts and comments: they are believed together, when the CRC of their lines has come. */
#include <string.h>
#include <zlib.h>

#include "inside.h"

/* Of the texts from the one number `at` on. */
static unsigned long crc_of(const struct reader *reader, size_t at)
{
    unsigned long crc = reader->run.begin;

    for (; at < reader->texts.count; at++) {
        const struct reader_entry text = held_entry(&reader->texts, at);

        crc = crc32(crc, (const unsigned char *)text.text, (unsigned)text.length);
        crc = crc32(crc, (const unsigned char *)"\n", 1);
    }
    return crc;
}

static void count_verdict(struct reader_totals *totals, const struct reader_entry *entry)
{
    const struct verdict_line verdict = line_verdict(entry->text, entry->length);

    totals->verdict_lines++;
    if (verdict.ok)
        totals->verdicts += verdict.verdicts;
    else
        totals->failed++;
    if (verdict.skipped)
        totals->skipped++;
}

static void believe_all(struct reader *reader)
{
    for (size_t i = 0; i < reader->texts.count; i++) {
        struct reader_entry text = held_entry(&reader->texts, i);

        text.believed = true;
        if (text.kind == LINE_VERDICT)
            count_verdict(&reader->totals, &text);
        reader_emit(reader, &text);
    }
    held_drop(&reader->texts, reader->texts.count);
}

static void doubt(struct reader *reader, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct reader_entry text = held_entry(&reader->texts, i);

        reader_emit(reader, &text);
    }
    reader->totals.doubted += count;
    held_drop(&reader->texts, count);
}

static void name_lost(struct reader *reader, unsigned long line, unsigned long to)
{
    struct reader_run *run = &reader->run;

    reader_problem(reader, line, "the crc of texts %lu to %lu is not there, or damaged",
                   run->covered + 1, to);
    run->covered = to;
}

/* Names the first and the last line that is held. */
static void name_changed(struct reader *reader, unsigned long line, const struct text_crc *crc)
{
    const size_t count = reader->texts.count;

    if (count == 0) {
        reader_problem(reader, line, "texts %lu to %lu are not there", crc->from, crc->to);
        return;
    }
    reader_problem(reader, line,
                   "texts %lu to %lu, lines %lu to %lu, are not as they were sent: their crc is "
                   "%08lx, and these lines give %08lx",
                   crc->from, crc->to, held_entry(&reader->texts, 0).line,
                   held_entry(&reader->texts, count - 1).line, crc->crc, crc_of(reader, 0));
}

static void name_extra(struct reader *reader, unsigned long line, size_t extra)
{
    reader_problem(reader, line,
                   "the verdicts and comments in lines %lu to %lu were not sent, or are not as "
                   "they were sent",
                   held_entry(&reader->texts, 0).line, held_entry(&reader->texts, extra - 1).line);
}

/* The CRC holds for the last `count` texts. What is in front of them is not covered by it. */
static void take_held(struct reader *reader, unsigned long line, const struct text_crc *crc,
                      size_t count)
{
    const size_t extra = reader->texts.count - count;

    if (crc->from > reader->run.covered + 1)
        name_lost(reader, line, crc->from - 1);
    else if (extra > 0)
        name_extra(reader, line, extra);
    doubt(reader, extra);
    believe_all(reader);
    reader->run.believed = reader->run.covered = crc->to;
}

/* Numbers that are far off are damaged themselves. */
static void take_changed(struct reader *reader, unsigned long line, const struct text_crc *crc)
{
    struct reader_run *run = &reader->run;

    if (crc->to <= run->covered + HELD_LINES && crc->from > run->covered + 1)
        name_lost(reader, line, crc->from - 1);
    name_changed(reader, line, crc);
    doubt(reader, reader->texts.count);
    if (crc->to <= run->covered + HELD_LINES && crc->to > run->covered)
        run->covered = crc->to;
}

static void take_crc(struct reader *reader, unsigned long line, const struct text_crc *crc)
{
    const size_t count = crc->to >= crc->from ? crc->to - crc->from + 1 : 0;

    if (crc->from <= reader->run.believed || count == 0)
        reader_problem(reader, line, "the crc is of texts %lu to %lu, expected texts from %lu on",
                       crc->from, crc->to, reader->run.covered + 1);
    else if (count <= reader->texts.count &&
             crc_of(reader, reader->texts.count - count) == crc->crc)
        take_held(reader, line, crc, count);
    else
        take_changed(reader, line, crc);
}

static void check_number(struct reader *reader, const struct reader_entry *entry)
{
    const struct verdict_line verdict = line_verdict(entry->text, entry->length);

    if (verdict.number != reader->run.number + 1)
        reader_problem(reader, entry->line, "verdict %lu, expected %lu", verdict.number,
                       reader->run.number + 1);
    reader->run.number = verdict.number;
}

/* Of a log without any line of CRCs, too: what is held is bounded. */
static void name_uncovered(struct reader *reader)
{
    const size_t count = reader->texts.count;

    reader_problem(reader, held_entry(&reader->texts, 0).line,
                   "no crc covers the verdicts and comments from here to line %lu: %zu of them",
                   held_entry(&reader->texts, count - 1).line, count);
    doubt(reader, count);
}

void reader_take_text(struct reader *reader, const struct reader_entry *entry)
{
    struct text_crc crc;

    if (entry->kind == LINE_COMMENT && line_text_crc(entry->text, entry->length, &crc)) {
        take_crc(reader, entry->line, &crc);
        return;
    }
    if (entry->kind == LINE_VERDICT)
        check_number(reader, entry);
    if (held_add(&reader->texts, entry))
        return;
    if (reader->texts.count > 0)
        name_uncovered(reader);
    if (!held_add(&reader->texts, entry))
        reader->totals.doubted++;
}

void reader_end_texts(struct reader *reader)
{
    if (reader->texts.count > 0)
        name_uncovered(reader);
    if (reader->totals.ended && (unsigned long)reader->run.end_texts > reader->run.covered)
        name_lost(reader, 0, (unsigned long)reader->run.end_texts);
}
