/* Any bytes as a log: the reader ends, believes no record whose CRC does not hold, and counts what
 * it names. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "slotlog/whole_log.h"

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

unsigned fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct seen seen = {0};
    const struct reader_sink sink = {&seen, take, note};
    struct reader *reader = reader_new(whole_log_schema(), &sink);
    const size_t half = size / 2;

    require(reader != NULL, "there is memory");
    reader_feed(reader, (const char *)input, half);
    reader_feed(reader, (const char *)input + half, size - half);
    reader_end(reader);
    require(reader_totals(reader)->records == seen.believed, "records are counted");
    require(reader_totals(reader)->problems == seen.problems, "problems are counted");
    fuzz_accepted += seen.believed > 0;
    reader_free(reader);
    return 0;
}

static size_t add(char *input, size_t size, const char *text)
{
    memcpy(input + size, text, strlen(text));
    return size + strlen(text);
}

/* An `end` record, which has few members, with its CRC. */
static size_t add_record(uint64_t *state, char *input, size_t size)
{
    char body[256], tail[32];

    snprintf(body, sizeof(body),
             "{\"type\":\"end\",\"seq\":%u,\"pass\":%u,\"fail\":0,\"skip\":1,\"discarded\":0,"
             "\"reason\":\"complete\",\"duration_us\":5",
             random_below(state, 3), random_below(state, 4));
    snprintf(tail, sizeof(tail), ",\"crc\":\"%08lx\"}\n",
             crc32(0, (const unsigned char *)body, (unsigned)strlen(body)));
    return add(input, add(input, size, body), tail);
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

const struct fuzz fuzz = {"logs", 30000, 1, 4096, make};
