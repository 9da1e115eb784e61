/* Any bytes as a log: the reader ends, believes no record whose CRC does not go on from one number,
 * and counts what it names. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "slotlog/log_numbers.h"
#include "slotlog/whole_log.h"

#define EXAMPLES     "tests/report/records.jsonl"
#define RECORDS      256
#define RECORDS_ROOM (256u * 1024u)
#define ROOM         65536

struct seen {
    json_t *records; /* that are believed */
    unsigned long believed, texts, problems;
    unsigned long begin; /* the number that CRCs go on from */
    bool tied, second;   /* a second run began */
};

static void take(void *context, const struct reader_entry *entry)
{
    struct seen *seen = context;
    const bool text = entry->kind == LINE_VERDICT || entry->kind == LINE_COMMENT;
    unsigned long begin;

    require(entry->length < LINE_BYTES, "a line has its room");
    require((entry->record != NULL) == (entry->believed && !text), "a record is believed, or none");
    seen->texts += text && entry->believed;
    if (entry->record == NULL)
        return;
    json_array_append(seen->records, entry->record);
    seen->believed++;
    require(line_crc_before(entry->text, entry->length, &begin), "what is believed has its CRC");
    if (line_is_first(entry->text, entry->length)) {
        require(begin == 0, "the first record's goes on from nothing");
        return;
    }
    require(!seen->tied || seen->begin == begin || seen->second, "all are of one run");
    seen->begin = begin;
    seen->tied = true;
}

static void note(void *context, unsigned long line, const char *text)
{
    struct seen *seen = context;

    (void)line;
    seen->problems++;
    seen->second |= strncmp(text, "a second run begins", 19) == 0;
    require(text[0] != 0, "a problem is named");
}

static const char mark[] = ",\"crc\":\"--------\"}"; /* of a record that gets its CRC */

/* Puts eight digits in place. */
static void put_crc(char *place, unsigned long crc)
{
    char digits[9];

    snprintf(digits, sizeof(digits), "%08lx", crc);
    memcpy(place, digits, 8);
}

/* A changed record would be refused for its CRC, and nothing behind that check be tried: each line
 * with the mark at its end gets the right CRC, by the first record with it in front of the line. */
static void put_crcs(char *log, size_t size)
{
    const size_t tail = strlen(mark);
    char *line = log, *at = log;
    unsigned long begin = 0;

    while ((at = memmem(at, (size_t)(log + size - at), mark, tail)) != NULL) {
        unsigned long crc;
        char *end;
        bool first;

        while ((end = memchr(line, '\n', (size_t)(at - line))) != NULL)
            line = end + 1;
        first = line_is_first(line, (size_t)(at - line));
        crc = crc32(first ? 0 : begin, (const unsigned char *)line, (unsigned)(at - line));
        begin = first ? crc : begin;
        put_crc(at + strlen(",\"crc\":\""), crc);
        at += tail;
    }
}

unsigned fuzz_accepted;

/* The numbers of what is believed: each is found again, by what it is a number of. */
static void look_for_numbers(json_t *records)
{
    const struct whole_log log = {.records = records};
    struct numbers numbers;
    char name[160];

    numbers_read(&numbers, &log);
    for (size_t i = 0; i < numbers.count; i++) {
        const struct number *number = &numbers.of[i], *found = numbers_find(&numbers, number);

        require(found != NULL && numbers_are_of_one(found, number), "a number is found");
        require(number->has || number->reason != NULL, "or has a reason");
        number_measurement(number, name, sizeof(name));
        require(strlen(name) + 1 < sizeof(name), "the name of a measurement has room");
    }
    numbers_free(&numbers);
}

static void read_log(const char *log, size_t size)
{
    struct seen seen = {.records = json_array()};
    const struct reader_sink sink = {&seen, take, note};
    struct reader *reader = reader_new(whole_log_schema(), &sink);
    const size_t half = size / 2;

    require(reader != NULL, "there is memory");
    reader_feed(reader, log, half);
    reader_feed(reader, log + half, size - half);
    reader_end(reader);
    require(reader_totals(reader)->records == seen.believed, "records are counted");
    require(reader_totals(reader)->problems == seen.problems, "problems are counted");
    require(reader_totals(reader)->verdict_lines <= seen.texts, "verdicts that are believed are");
    fuzz_accepted += seen.believed > 0;
    reader_free(reader);
    look_for_numbers(seen.records);
    json_decref(seen.records);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    char *log = malloc(size > 0 ? size : 1);

    require(log != NULL, "memory");
    memcpy(log, input, size);
    put_crcs(log, size);
    read_log(log, size);
    free(log);
    return 0;
}

static size_t add(char *input, size_t size, const char *text)
{
    memcpy(input + size, text, strlen(text));
    return size + strlen(text);
}

/* Records of every kind as runs on the rig wrote them, a line each. */
static struct {
    char text[RECORDS_ROOM];
    const char *lines[RECORDS];
    size_t lengths[RECORDS]; /* with the newline */
    unsigned count;
} examples;

static void read_examples(void)
{
    FILE *file = fopen(EXAMPLES, "rb");
    const char *line = examples.text;

    require(file != NULL, "the folder is that of the project");
    require(fread(examples.text, 1, RECORDS_ROOM - 1, file) < RECORDS_ROOM - 1, EXAMPLES);
    fclose(file);
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        require(examples.count < RECORDS, EXAMPLES);
        examples.lines[examples.count] = line;
        examples.lengths[examples.count++] = (size_t)(end + 1 - line);
    }
    require(examples.count > 0, EXAMPLES);
}

/* A record, in half of the cases with the mark in place of its CRC. */
static size_t add_record(uint64_t *state, char *input, size_t size)
{
    unsigned i;

    if (examples.count == 0)
        read_examples();
    i = random_below(state, 4) ? random_below(state, examples.count) : 0; /* 0: the first record */
    memcpy(input + size, examples.lines[i], examples.lengths[i]);
    size += examples.lengths[i];
    if (random_below(state, 2))
        memcpy(input + size - 1 - strlen(mark), mark, strlen(mark));
    return size;
}

/* Verdicts from the first on, and the comment with their CRC, by the examples' first record. */
static size_t add_verdicts(uint64_t *state, char *input, size_t size)
{
    const unsigned count = 1 + random_below(state, 3);
    const size_t before = size;
    unsigned long begin;
    char line[64];

    if (examples.count == 0)
        read_examples();
    begin = strtoul(examples.lines[0] + examples.lengths[0] - 11, NULL, 16);
    for (unsigned i = 1; i <= count; i++) {
        snprintf(line, sizeof(line), "ok %u - core 0 x: %u verdicts\n", i, random_below(state, 9));
        size = add(input, size, line);
    }
    snprintf(line, sizeof(line), "# crc of texts 1 to %u: %08lx\n", count,
             crc32(begin, (const unsigned char *)input + before, (unsigned)(size - before)));
    return add(input, size, line);
}

static size_t add_piece(uint64_t *state, char *input, size_t size)
{
    static const char *const pieces[] = {
        "TAP version 14\n",
        "# comment\r\n",
        "ok 1 - core 0 x: 3 verdicts\n",
        "not ok 2 - core 0 x\n",
        "1..2\n",
        "ok 1 - core 0 x # SKIP why\n",
        "{\"type\":\"machine\"",
        "\n",
        "1..99999999999\n",
    };

    if (random_below(state, 3) == 0)
        return add_record(state, input, size);
    if (random_below(state, 8) == 0)
        return add_verdicts(state, input, size);
    return add(input, size, pieces[random_below(state, sizeof(pieces) / sizeof(*pieces))]);
}

static size_t make(uint64_t *state, char *input)
{
    size_t size = 0;
    unsigned pieces = 1 + random_below(state, 8);

    while (pieces-- > 0)
        size = add_piece(state, input, size);
    if (random_below(state, 4) == 0)
        input[random_below(state, (unsigned)size)] = (char)random_below(state, 256);
    return size;
}

const struct fuzz fuzz = {"logs", 30000, 1, ROOM, make};
