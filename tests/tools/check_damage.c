/* Damages a log at random places and holds slotlog's reader against what was there: every record,
 * verdict and comment that is not whole is named, and none that was changed is believed.
 *
 *   check_damage LOG SEED ROUNDS PLACES [OTHER]...
 *
 * What is believed must be of one of the logs alone: a copy whose first record is another log's is
 * that log, damaged.
 *
 * Each of ROUNDS copies is damaged at PLACES places: up to 40 bytes are dropped, flipped, doubled
 * or filled with noise, a digit is changed, lines are dropped, doubled, moved or swapped, lines of
 * OTHER logs (of other runs, of the other form) take the place of such lines or come between them,
 * or the copy is cut. Exit status 0 when all of it holds; 1 after a line for each violation; 2 when
 * a log cannot be read. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slotlog/whole_log.h"

#define LINES   65536
#define OTHERS  8
#define SIZE    4000000
#define LONGEST 40   /* bytes that one damage touches */
#define BLOCK   40   /* lines that one damage moves or brings */
#define ROOM    8000 /* bytes by which one damage makes a log longer */

struct line {
    const char *text;
    size_t length; /* without its end */
};

/* A log, and of it the records by seq, and the texts in their order. */
struct original {
    char *text;
    size_t size;
    struct line *lines, *records, *texts;
    unsigned count, record_count, text_count;
};

struct round {
    const struct original *original;
    bool *believed, *named;           /* records */
    bool *text_believed, *text_named; /* texts */
    unsigned text_at;                 /* behind the last text that is believed */
    unsigned long violations;
    char first[120]; /* violation */
};

static uint64_t state;

static size_t random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return limit > 0 ? (size_t)(state % limit) : 0;
}

static bool is_text(const char *line)
{
    return (line[0] == '#' && strncmp(line, "# crc of texts ", 15) != 0) ||
           strncmp(line, "ok ", 3) == 0 || strncmp(line, "not ok ", 7) == 0;
}

static bool read_original(struct original *original, const char *name)
{
    FILE *file = fopen(name, "rb");

    original->lines = calloc(LINES, sizeof(struct line));
    original->records = calloc(LINES, sizeof(struct line));
    original->texts = calloc(LINES, sizeof(struct line));
    original->text = calloc(1, SIZE);
    if (file == NULL || original->text == NULL || original->texts == NULL)
        return false;
    original->size = fread(original->text, 1, SIZE - 1, file);
    fclose(file);
    for (char *at = original->text; at < original->text + original->size;) {
        const struct line line = {at, strcspn(at, "\n")};

        if (original->count == LINES)
            return false;
        original->lines[original->count++] = line;
        if (at[0] == '{')
            original->records[original->record_count++] = line;
        else if (is_text(at))
            original->texts[original->text_count++] = line;
        at += line.length + 1;
    }
    return original->record_count > 0;
}

/* ---- what the reader says ---- */

static void violate(struct round *round, const char *what, const char *which, size_t number)
{
    if (round->violations++ == 0)
        snprintf(round->first, sizeof(round->first), "%s %zu %s", which, number, what);
}

static bool is_same(const struct reader_entry *entry, const struct line *line)
{
    return entry->length == line->length && memcmp(entry->text, line->text, line->length) == 0;
}

static void take_record(struct round *round, const struct reader_entry *entry)
{
    const size_t seq = (size_t)json_integer_value(json_object_get(entry->record, "seq"));

    if (seq >= round->original->record_count || !is_same(entry, &round->original->records[seq]))
        violate(round, "is believed, and was never written", "record", seq);
    else if (round->believed[seq])
        violate(round, "is believed twice", "record", seq);
    else
        round->believed[seq] = true;
}

/* Texts come in their order. */
static void take_text(struct round *round, const struct reader_entry *entry)
{
    const struct original *original = round->original;
    unsigned at = round->text_at;

    while (at < original->text_count && !is_same(entry, &original->texts[at]))
        at++;
    if (at == original->text_count) {
        violate(round, "is believed, and was never written there", "a text behind text",
                round->text_at);
        return;
    }
    round->text_believed[at] = true;
    round->text_at = at + 1;
}

static void take(void *context, const struct reader_entry *entry)
{
    struct round *round = context;

    if (entry->record != NULL)
        take_record(round, entry);
    else if (entry->believed)
        take_text(round, entry);
}

static void name_from(bool *named, unsigned long from, unsigned long to)
{
    for (unsigned long i = from; i <= to && i < LINES; i++)
        named[i] = true;
}

static void name_all_behind(struct round *round, unsigned long seq)
{
    name_from(round->named, seq, LINES - 1);
    name_from(round->text_named, 0, LINES - 1);
}

static void note(void *context, unsigned long line, const char *text)
{
    struct round *round = context;
    unsigned long from, to;

    (void)line;
    if (sscanf(text, "records %lu to %lu are not there", &from, &to) == 2)
        name_from(round->named, from, to);
    else if (strstr(text, "is not there") != NULL && sscanf(text, "record %lu is", &from) == 1)
        name_from(round->named, from, from);
    else if (sscanf(text, "texts %lu to %lu", &from, &to) == 2 ||
             sscanf(text, "the crc of texts %lu to %lu is not there", &from, &to) == 2)
        name_from(round->text_named, from - 1, to - 1);
    else if (sscanf(text, "no end record: the log was cut short behind record %lu", &from) == 1)
        name_all_behind(round, from + 1);
    else if (strstr(text, "before its first record") != NULL)
        name_all_behind(round, 0);
}

/* ---- damage ---- */

struct copy {
    char *text;
    size_t size;
};

/* Puts `with` in place of the bytes from `at` on, `length` of them. */
static void put(struct copy *copy, size_t at, size_t length, const char *with, size_t with_length)
{
    memmove(copy->text + at + with_length, copy->text + at + length, copy->size - at - length);
    memcpy(copy->text + at, with, with_length);
    copy->size += with_length - length;
}

/* The begin of the line that this byte is in, and of the one behind `lines` of them. */
static size_t line_begin(const struct copy *copy, size_t at)
{
    while (at > 0 && copy->text[at - 1] != '\n')
        at--;
    return at;
}

static size_t lines_end(const struct copy *copy, size_t at, size_t lines)
{
    for (; lines > 0 && at < copy->size; lines--) {
        const char *end = memchr(copy->text + at, '\n', copy->size - at);

        at = end != NULL ? (size_t)(end + 1 - copy->text) : copy->size;
    }
    return at;
}

static void damage_bytes(struct copy *copy, size_t at)
{
    const size_t length = 1 + random_below(LONGEST),
                 here = length < copy->size - at ? length : copy->size - at;
    char bytes[LONGEST];

    memcpy(bytes, copy->text + at, here);
    switch (random_below(16)) {
    case 0:
        copy->size = at + 1; /* cut */
        return;
    case 1:
    case 2:
        put(copy, at, here, "", 0);
        return;
    case 3:
    case 4:
        put(copy, at, 0, bytes, here);
        return;
    case 5:
    case 6:
        for (size_t i = 0; i < here; i++)
            copy->text[at + i] = (char)random_below(256);
        return;
    default:
        copy->text[at] = (char)(copy->text[at] ^ 1 << random_below(8));
        return;
    }
}

/* 0.964 becomes 0.914. */
static void change_digit(struct copy *copy, size_t at)
{
    while (at < copy->size && !isdigit((unsigned char)copy->text[at]))
        at++;
    if (at < copy->size)
        copy->text[at] = (char)('0' + (copy->text[at] - '0' + 1 + (int)random_below(9)) % 10);
}

/* Drops, doubles or moves lines; a line that is moved behind its neighbour is swapped with it. */
static void damage_lines(struct copy *copy, size_t at)
{
    const size_t from = line_begin(copy, at),
                 to = lines_end(copy, from, random_below(4) ? 1 : 1 + random_below(BLOCK));
    static char lines[ROOM];
    const size_t length = to - from < ROOM ? to - from : ROOM;
    const unsigned how = (unsigned)random_below(4);

    memcpy(lines, copy->text + from, length);
    if (how != 0)
        put(copy, from, length, "", 0);
    if (how == 1)
        return;
    at = how == 2 ? lines_end(copy, from, 1) : line_begin(copy, random_below(copy->size));
    put(copy, at, 0, lines, length);
}

/* Lines of another log from the one at the same place on, or at any: in place of as many lines, or
 * between them. */
static void splice(struct copy *copy, size_t at, const struct original *other)
{
    const size_t from = line_begin(copy, at);
    size_t place = 0, end, length, count = random_below(3) ? 1 : 1 + random_below(BLOCK);

    for (size_t i = 0; i < from; i++)
        place += copy->text[i] == '\n';
    if (random_below(4) == 0 || place >= other->count)
        place = random_below(other->count);
    if (count > other->count - place)
        count = other->count - place;
    while (true) {
        end = (size_t)(other->lines[place + count - 1].text - other->text) +
              other->lines[place + count - 1].length + 1;
        length = end - (size_t)(other->lines[place].text - other->text);
        if (length <= ROOM || count == 1)
            break;
        count /= 2;
    }
    put(copy, from, random_below(3) ? lines_end(copy, from, count) - from : 0,
        other->lines[place].text, length < ROOM ? length : ROOM);
}

static void damage(struct copy *copy, const struct original *others, unsigned other_count)
{
    const size_t at = random_below(copy->size);

    switch (random_below(8)) {
    case 0:
    case 1:
    case 2:
        damage_bytes(copy, at);
        return;
    case 3:
        change_digit(copy, at);
        return;
    case 4:
    case 5:
        damage_lines(copy, at);
        return;
    default:
        if (other_count > 0)
            splice(copy, at, &others[random_below(other_count)]);
        return;
    }
}

/* ---- the rounds ---- */

static void judge(struct round *round)
{
    for (unsigned seq = 0; seq < round->original->record_count; seq++)
        if (!round->believed[seq] && !round->named[seq])
            violate(round, "is neither believed nor named", "record", seq);
    for (unsigned i = 0; i < round->original->text_count; i++)
        if (!round->text_believed[i] && !round->text_named[i])
            violate(round, "is neither believed nor named", "text", i + 1);
}

/* A log of two runs is refused by all that hand numbers on. */
static bool read_copy(struct round *round, const struct copy *copy)
{
    const struct reader_sink sink = {round, take, note};
    struct reader *reader = reader_new(whole_log_schema(), &sink);
    bool refused;

    if (reader == NULL)
        exit(2);
    reader_feed(reader, copy->text, copy->size);
    reader_end(reader);
    refused = reader_totals(reader)->runs > 1 || reader_totals(reader)->records == 0;
    if (!refused)
        judge(round);
    reader_free(reader);
    return refused;
}

struct sums {
    unsigned long refused, others; /* copies; others: all that is believed is another log's */
};

/* False: the copy is refused. */
static bool hold_against(struct round *round, const struct original *original,
                         const struct copy *copy)
{
    static bool flags[4][LINES];

    memset(flags, 0, sizeof(flags));
    *round = (struct round){.original = original,
                            .believed = flags[0],
                            .named = flags[1],
                            .text_believed = flags[2],
                            .text_named = flags[3]};
    return !read_copy(round, copy);
}

/* Most of a short log may be another's lines: then that is what it is. */
static unsigned long play(const struct original *logs, unsigned count, unsigned places,
                          struct sums *sums, char *room)
{
    struct round round, other = {.violations = 1};
    struct copy copy = {room, logs->size};

    memcpy(copy.text, logs->text, copy.size);
    for (unsigned i = 0; i < places && copy.size > 0; i++)
        damage(&copy, logs + 1, count - 1);
    if (!hold_against(&round, logs, &copy)) {
        sums->refused++;
        return 0;
    }
    for (unsigned i = 1; i < count && round.violations > 0 && other.violations > 0; i++)
        hold_against(&other, &logs[i], &copy);
    if (round.violations == 0)
        return 0;
    if (other.violations == 0) {
        sums->others++;
        return 0;
    }
    printf("# %lu, the first: %s\n", round.violations, round.first);
    return round.violations;
}

int main(int argc, char **argv)
{
    static struct original logs[1 + OTHERS];
    unsigned long violations = 0;
    struct sums sums = {0};
    unsigned rounds, places, count = 0;
    char *room;

    for (int i = 1; i < argc && count <= OTHERS; i = i == 1 ? 5 : i + 1)
        if (argc < 5 || !read_original(&logs[count++], argv[i])) {
            fprintf(stderr, "usage: check_damage LOG SEED ROUNDS PLACES [OTHER]...\n");
            return 2;
        }
    if (count == 0)
        return 2;
    state = strtoull(argv[2], NULL, 10) * 2654435769u + 1;
    rounds = (unsigned)strtoul(argv[3], NULL, 10);
    places = (unsigned)strtoul(argv[4], NULL, 10);
    room = malloc(logs->size + (size_t)places * ROOM + 1);
    for (unsigned i = 0; room != NULL && i < rounds; i++)
        violations += play(logs, count, places, &sums, room);
    printf("%u records, %u verdicts and comments; %u copies damaged at %u places each, %lu of them "
           "refused whole, %lu read as another log: %lu violations\n",
           logs->record_count, logs->text_count, rounds, places, sums.refused, sums.others,
           violations);
    free(room);
    return violations > 0;
}
