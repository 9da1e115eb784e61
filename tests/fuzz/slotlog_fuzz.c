/* Any bytes as a log: the reader ends, believes no record whose CRC does not hold, and counts what
 * it names. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "slotlog/whole_log.h"

#define EXAMPLES     "tests/report/records.jsonl"
#define RECORDS      128
#define RECORDS_ROOM (256u * 1024u)
#define ROOM         65536

struct seen {
    unsigned long believed, problems;
};

static void take(void *context, const struct reader_entry *entry)
{
    struct seen *seen = context;
    char why[LINE_TEXT];

    require(entry->length < LINE_BYTES, "a line has its room");
    if (entry->record == NULL)
        return;
    seen->believed++;
    require(line_crc_holds(entry->text, entry->length, why), "what is believed has its CRC");
}

static void note(void *context, unsigned long line, const char *text)
{
    struct seen *seen = context;

    (void)line;
    seen->problems++;
    require(text[0] != 0, "a problem is named");
}

static const char mark[] = ",\"crc\":\"--------\"}"; /* of a record that gets its CRC */

/* A changed record would be refused for its CRC, and nothing behind that check be tried: each line
 * with the mark at its end gets the right CRC. */
static void put_crcs(char *log, size_t size)
{
    const size_t tail = strlen(mark);
    char *line = log, *at = log;
    char crc[9];

    while ((at = memmem(at, (size_t)(log + size - at), mark, tail)) != NULL) {
        char *end;

        while ((end = memchr(line, '\n', (size_t)(at - line))) != NULL)
            line = end + 1;
        snprintf(crc, sizeof(crc), "%08lx",
                 crc32(0, (const unsigned char *)line, (unsigned)(at - line)));
        memcpy(at + strlen(",\"crc\":\""), crc, 8);
        at += tail;
    }
}

unsigned fuzz_accepted;

static void read_log(const char *log, size_t size)
{
    struct seen seen = {0};
    const struct reader_sink sink = {&seen, take, note, NULL};
    struct reader *reader = reader_new(whole_log_schema(), &sink);
    const size_t half = size / 2;

    require(reader != NULL, "there is memory");
    reader_feed(reader, log, half);
    reader_feed(reader, log + half, size - half);
    reader_end(reader);
    require(reader_totals(reader)->records == seen.believed, "records are counted");
    require(reader_totals(reader)->problems == seen.problems, "problems are counted");
    fuzz_accepted += seen.believed > 0;
    reader_free(reader);
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
    i = random_below(state, examples.count);
    memcpy(input + size, examples.lines[i], examples.lengths[i]);
    size += examples.lengths[i];
    if (random_below(state, 2))
        memcpy(input + size - 1 - strlen(mark), mark, strlen(mark));
    return size;
}

/* Verdicts from the first on, and the comment with their CRC. */
static size_t add_verdicts(uint64_t *state, char *input, size_t size)
{
    const unsigned count = 1 + random_below(state, 3);
    const size_t before = size;
    char line[64];

    for (unsigned i = 1; i <= count; i++) {
        snprintf(line, sizeof(line), "ok %u - core 0 x: %u verdicts\n", i, random_below(state, 9));
        size = add(input, size, line);
    }
    snprintf(line, sizeof(line), "# crc of verdicts 1 to %u: %08lx\n", count,
             crc32(0, (const unsigned char *)input + before, (unsigned)(size - before)));
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
