#include "cpuid_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const char *at, *end;
    uint32_t number; /* from 1 */
};

struct reader {
    const struct cpuid_sink *sink;
    const char *machine;
    bool begun; /* `record` holds a record that is not handed over yet */
    unsigned good, errors;
    struct cpuid_record record;
};

static void complain(struct reader *reader, uint32_t line, const char *text)
{
    struct cpuid_error error = {.line = line};

    snprintf(error.text, sizeof(error.text), "%s", text);
    reader->errors++;
    reader->sink->complain(reader->sink->context, &error);
}

/* Hands the record over. One whose rows were refused was complained about already. */
static void finish(struct reader *reader)
{
    struct cpuid_error error;

    if (!reader->begun)
        return;
    reader->begun = false;
    if (reader->record.malformed)
        return;
    if (cpuid_record_check(&reader->record, &error)) {
        reader->good++;
        reader->sink->record(reader->sink->context, &reader->record);
    } else {
        complain(reader, error.line, error.text);
    }
}

/* Ends the record before and begins another. Names of machines come from a file: what is not
 * printable becomes '?'. */
static void begin(struct reader *reader, const char *machine, size_t length, uint32_t core,
                  uint32_t line)
{
    struct cpuid_record *record = &reader->record;

    finish(reader);
    if (length >= CPUID_MACHINE)
        length = CPUID_MACHINE - 1;
    for (size_t i = 0; i < length; i++)
        record->machine[i] = machine[i] > ' ' && machine[i] <= '~' ? machine[i] : '?';
    record->machine[length] = '\0';
    record->core = core;
    record->line = line;
    record->complete = true;
    record->malformed = false;
    record->count = 0;
    reader->begun = true;
}

static void begin_core(struct reader *reader, uint32_t core, uint32_t line)
{
    begin(reader, reader->machine, strlen(reader->machine), core, line);
}

/* Says what is wrong with the record's row, once a record. */
static void refuse(struct reader *reader, uint32_t line, const char *text)
{
    if (!reader->record.malformed)
        complain(reader, line, text);
    reader->record.malformed = true;
}

static void add(struct reader *reader, const uint32_t words[6], uint32_t line)
{
    struct cpuid_record *record = &reader->record;

    if (record->count == CPUID_ROWS) {
        refuse(reader, line, "the record has more than 512 answers");
        return;
    }
    record->rows[record->count++] =
        (struct cpuid_row){words[0], words[1], {words[2], words[3], words[4], words[5]}, line};
}

static bool skip_text(struct line *line, const char *text)
{
    const size_t length = strlen(text);

    if ((size_t)(line->end - line->at) < length || memcmp(line->at, text, length) != 0)
        return false;
    line->at += length;
    return true;
}

static void skip_blanks(struct line *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
}

/* -1: no digit of that base. */
static int digit_of(char c, int base)
{
    int digit = -1;

    if (c >= '0' && c <= '9')
        digit = c - '0';
    else if (c >= 'a' && c <= 'f')
        digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F')
        digit = c - 'A' + 10;
    return digit < base ? digit : -1;
}

/* A number of `least` to 8 digits. */
static bool take_number(struct line *line, int base, unsigned least, uint32_t *value)
{
    unsigned digits = 0;
    uint64_t sum = 0;

    while (digits < 8 && line->at < line->end && digit_of(*line->at, base) >= 0) {
        sum = sum * (unsigned)base + (unsigned)digit_of(*line->at++, base);
        digits++;
    }
    *value = (uint32_t)sum;
    return digits >= least && digits > 0 &&
           (line->at == line->end || digit_of(*line->at, base) < 0);
}

static bool take_hex(struct line *line, const char *before, unsigned least, uint32_t *value)
{
    return skip_text(line, before) && take_number(line, 16, least, value);
}

/* The text up to the next comma; the comma is skipped. */
static bool take_field(struct line *line, const char **text, size_t *length)
{
    const char *comma = memchr(line->at, ',', (size_t)(line->end - line->at));

    if (comma == NULL)
        return false;
    *text = line->at;
    *length = (size_t)(comma - line->at);
    line->at = comma + 1;
    return true;
}

/* Whether the record that is begun is of this machine; long names are compared as far as kept. */
static bool is_machine(const struct cpuid_record *record, const char *name, size_t length)
{
    if (length >= CPUID_MACHINE)
        length = CPUID_MACHINE - 1;
    return strlen(record->machine) == length && memcmp(record->machine, name, length) == 0;
}

static void read_table_row(struct reader *reader, struct line line)
{
    const char *machine, *ignored;
    size_t length, ignored_length;
    uint32_t core, words[6];
    bool good;

    if (!take_field(&line, &machine, &length)) {
        machine = "?";
        length = 1;
    }
    good = take_field(&line, &ignored, &ignored_length) &&
           take_field(&line, &ignored, &ignored_length) && take_number(&line, 10, 1, &core);
    for (unsigned i = 0; i < 6; i++)
        good = good && take_hex(&line, ",", 8, &words[i]);
    good = good && line.at == line.end;
    if (!reader->begun || !is_machine(&reader->record, machine, length) ||
        (good && core != reader->record.core)) {
        begin(reader, machine, length, good ? core : 0, line.number);
        reader->record.complete = false;
    }
    if (good)
        add(reader, words, line.number);
    else
        refuse(reader, line.number,
               "malformed row, expected " CPUID_TABLE
               " with eight hexadecimal digits from leaf on");
}

/* "   0x00000004 0x00: eax=0x1c004121 ebx=0x01c0003f ecx=0x0000003f edx=0x00000000" */
static void read_raw_line(struct reader *reader, struct line line)
{
    static const char *const before[6] = {"0x", " 0x", ": eax=0x", " ebx=0x", " ecx=0x", " edx=0x"};
    uint32_t words[6], core = 0;
    bool good = true;

    if (skip_text(&line, "CPU")) {
        skip_blanks(&line);
        if (skip_text(&line, ":") || (take_number(&line, 10, 1, &core) && skip_text(&line, ":")))
            begin_core(reader, core, line.number);
        else
            complain(reader, line.number, "malformed line, expected \"CPU N:\"");
        return;
    }
    skip_blanks(&line);
    if (line.at == line.end)
        return;
    for (unsigned i = 0; i < 6; i++)
        good = good && take_hex(&line, before[i], i == 1 ? 1 : 8, &words[i]);
    skip_blanks(&line);
    if (!reader->begun)
        begin_core(reader, 0, line.number);
    if (good && line.at == line.end)
        add(reader, words, line.number);
    else
        refuse(reader, line.number,
               "malformed line, expected \"0xLEAF 0xSUBLEAF: eax=0x... ebx=0x... ecx=0x... "
               "edx=0x...\"");
}

/* "CPU #0" or "CPU#000" anywhere in the line. */
static bool names_core(struct line line, uint32_t *core)
{
    for (; line.at < line.end; line.at++) {
        struct line rest = line;

        if ((skip_text(&rest, "CPU #") || skip_text(&rest, "CPU#")) &&
            take_number(&rest, 10, 1, core))
            return true;
    }
    return false;
}

/* "CPUID 00000004: 1C004121-01C0003F-0000003F-00000000 [SL 00]"; what follows the words and is not
 * a subleaf is a remark. All other lines are prose. */
static void read_listing_line(struct reader *reader, struct line line)
{
    static const char *const before[5] = {"CPUID ", ": ", "-", "-", "-"};
    uint32_t words[6] = {0}, core;
    bool good = true;

    if ((size_t)(line.end - line.at) < 7 || memcmp(line.at, "CPUID ", 6) != 0 ||
        digit_of(line.at[6], 16) < 0) {
        if (names_core(line, &core))
            begin_core(reader, core, line.number);
        return;
    }
    for (unsigned i = 0; i < 5; i++)
        good = good && take_hex(&line, before[i], 8, &words[i == 0 ? 0 : i + 1]);
    skip_blanks(&line);
    if (good && skip_text(&line, "[SL "))
        good = take_number(&line, 16, 1, &words[1]) && skip_text(&line, "]");
    if (!reader->begun)
        begin_core(reader, 0, line.number);
    if (good)
        add(reader, words, line.number);
    else
        refuse(reader, line.number,
               "malformed line, expected \"CPUID LEAF: EAX-EBX-ECX-EDX\" and perhaps \"[SL "
               "SUBLEAF]\"");
}

static bool next_line(const char **at, const char *stop, struct line *line)
{
    const char *newline;

    if (*at == stop)
        return false;
    newline = memchr(*at, '\n', (size_t)(stop - *at));
    line->at = *at;
    line->end = newline != NULL ? newline : stop;
    line->number++;
    *at = newline != NULL ? newline + 1 : stop;
    while (line->end > line->at && (line->end[-1] == '\r' || line->end[-1] == ' '))
        line->end--;
    return true;
}

typedef void read_line(struct reader *reader, struct line line);

/* The form of the text by its first lines; null: none of the three. */
static read_line *form_of(const char *at, const char *stop)
{
    struct line line = {0};

    while (next_line(&at, stop, &line)) {
        struct line rest = line;
        uint32_t ignored;

        if (skip_text(&rest, CPUID_TABLE))
            return read_table_row;
        rest = line;
        if (skip_text(&rest, "CPUID ") && take_hex(&rest, "", 8, &ignored))
            return read_listing_line;
        rest = line;
        skip_blanks(&rest);
        if (skip_text(&rest, "0x") && take_hex(&rest, "", 8, &ignored))
            return read_raw_line;
    }
    return NULL;
}

unsigned cpuid_text_read(const char *text, size_t size, const char *machine,
                         const struct cpuid_sink *sink)
{
    struct reader *reader = calloc(1, sizeof(*reader));
    const char *at = text, *const stop = text + size;
    read_line *read = size != 0 ? form_of(text, stop) : NULL;
    struct line line = {0};
    unsigned good;

    if (reader == NULL) {
        sink->complain(sink->context, &(struct cpuid_error){0, "no memory"});
        return 0;
    }
    reader->sink = sink;
    reader->machine = machine;
    if (read == NULL)
        complain(reader, 1,
                 "no recorded CPUID, expected a table, the output of cpuid -r or an InstLatx64 "
                 "file");
    while (read != NULL && next_line(&at, stop, &line))
        if (line.number > 1 || read != read_table_row)
            read(reader, line);
    finish(reader);
    if (reader->good + reader->errors == 0)
        complain(reader, line.number, "no record, expected rows below the table's head");
    good = reader->good;
    free(reader);
    return good;
}
