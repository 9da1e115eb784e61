/* Damages a log at random places and holds slotlog's reader against what was there: every record
 * that is not whole is named, and none that was changed is believed.
 *
 *   check_damage LOG SEED ROUNDS PLACES
 *
 * Each of ROUNDS copies is damaged at PLACES places: up to 40 bytes are dropped, flipped, doubled
 * or filled with noise, or the copy is cut. Exit status 0 when all of it holds; 1 after a line for
 * each violation; 2 when the log cannot be read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slotlog/whole_log.h"

#define RECORDS 4096
#define LONGEST 40 /* bytes that one damage touches */

struct original {
    char *text;
    size_t size;
    const char *records[RECORDS]; /* by seq */
    size_t lengths[RECORDS];
    unsigned count;
};

struct round {
    const struct original *original;
    bool believed[RECORDS], named[RECORDS];
    unsigned long violations, problems;
};

static uint64_t state;

static uint64_t random_below(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

static bool read_original(struct original *original, const char *name)
{
    FILE *file = fopen(name, "rb");
    char *line;

    if (file == NULL || (original->text = calloc(1, 4000000)) == NULL)
        return false;
    original->size = fread(original->text, 1, 4000000 - 1, file);
    fclose(file);
    for (line = original->text; line < original->text + original->size;) {
        const size_t length = strcspn(line, "\n");

        if (line[0] == '{' && original->count < RECORDS) {
            original->records[original->count] = line;
            original->lengths[original->count++] = length;
        }
        line += length + 1;
    }
    return original->count > 0;
}

static void violate(struct round *round, const char *what, long long seq)
{
    if (round->violations++ < 5)
        printf("# record %lld: %s\n", seq, what);
}

static void take(void *context, const struct reader_entry *entry)
{
    struct round *round = context;
    const struct original *original = round->original;
    const json_int_t seq = json_integer_value(json_object_get(entry->record, "seq"));

    if (entry->record == NULL)
        return;
    if (seq < 0 || seq >= original->count || entry->length != original->lengths[seq] ||
        memcmp(entry->text, original->records[seq], entry->length) != 0)
        violate(round, "is believed, and was never written", seq);
    else if (round->believed[seq])
        violate(round, "is believed twice", seq);
    else
        round->believed[seq] = true;
}

static void name_from(struct round *round, long long from, long long to)
{
    for (long long seq = from; seq <= to && seq < RECORDS; seq++)
        round->named[seq] = true;
}

static void note(void *context, unsigned long line, const char *text)
{
    struct round *round = context;
    long long from, to;

    (void)line;
    round->problems++;
    if (sscanf(text, "records %lld to %lld are not there", &from, &to) == 2)
        name_from(round, from, to);
    else if (strstr(text, "is not there") != NULL && sscanf(text, "record %lld is", &from) == 1)
        name_from(round, from, from);
    else if (sscanf(text, "no end record: the log was cut short behind record %lld", &from) == 1)
        name_from(round, from + 1, RECORDS - 1);
    else if (strstr(text, "before its first record") != NULL)
        name_from(round, 0, RECORDS - 1);
}

/* Damages one place; returns the new size. */
static size_t damage(char *text, size_t size)
{
    const size_t at = random_below(size), length = 1 + random_below(LONGEST);
    const size_t here = length < size - at ? length : size - at;

    switch (random_below(17)) {
    case 0:
        return at + 1; /* cut */
    case 1:
    case 2:
    case 3:
    case 4:
        memmove(text + at, text + at + here, size - at - here);
        return size - here;
    case 5:
    case 6:
    case 7:
    case 8:
        memmove(text + at + here, text + at, size - at);
        return size + here;
    case 9:
    case 10:
        for (size_t i = 0; i < here; i++)
            text[at + i] = (char)random_below(256);
        return size;
    default:
        text[at] = (char)(text[at] ^ 1 << random_below(8));
        return size;
    }
}

static void judge(struct round *round)
{
    for (unsigned seq = 0; seq < round->original->count; seq++)
        if (!round->believed[seq] && !round->named[seq])
            violate(round, "is neither believed nor named", seq);
}

static unsigned long play(const struct original *original, unsigned places, char *copy)
{
    struct round round = {.original = original};
    const struct reader_sink sink = {&round, take, note, NULL};
    struct reader *reader = reader_new(whole_log_schema(), &sink);
    size_t size = original->size;

    memcpy(copy, original->text, size);
    for (unsigned i = 0; i < places && size > 0; i++)
        size = damage(copy, size);
    if (reader == NULL)
        return 1;
    reader_feed(reader, copy, size);
    reader_end(reader);
    reader_free(reader);
    judge(&round);
    return round.violations;
}

int main(int argc, char **argv)
{
    static struct original original;
    unsigned long violations = 0;
    unsigned rounds, places;
    char *copy;

    if (argc != 5 || !read_original(&original, argv[1])) {
        fprintf(stderr, "usage: check_damage LOG SEED ROUNDS PLACES\n");
        return 2;
    }
    state = strtoull(argv[2], NULL, 10) * 2654435769u + 1;
    rounds = (unsigned)strtoul(argv[3], NULL, 10);
    places = (unsigned)strtoul(argv[4], NULL, 10);
    copy = malloc(original.size + (size_t)places * LONGEST + 1);
    for (unsigned i = 0; copy != NULL && i < rounds; i++)
        violations += play(&original, places, copy);
    printf("%u records, damaged at %u places: %lu violations\n", original.count, rounds * places,
           violations);
    free(copy);
    return violations > 0;
}
