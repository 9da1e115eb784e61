/* Lines of counts: build/tma takes the line, or says in printable text what is wrong with it and
 * where. */
#include <math.h>
#include <string.h>

#include "pc/counts_line.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 400

static const char *const pieces[] = {
    "{",    "}", ":",  ",",       "\"", "\\",    "\"A.B:c1\"", "1", "-", "0",    "1e9",  "2.5",
    "null", " ", "\t", "\\u0041", "e+", "1e999", "\\u",        "[", ".", "\\\"", "\x01", "nul"};

/* A good line; up to seven bytes are taken out or pieces put in. */
static size_t make(uint64_t *state, char *text)
{
    size_t size = (size_t)snprintf(text, ROOM, "{\"UOPS_ISSUED.ANY\": 12, \"#DS\":1,\"x\":null}");

    for (unsigned i = random_below(state, 8); i > 0; i--) {
        const char *piece = pieces[random_below(state, sizeof(pieces) / sizeof(pieces[0]))];
        size_t at = random_below(state, (unsigned)size + 1), length = strlen(piece);

        if (random_below(state, 3) == 0 && at < size) {
            memmove(text + at, text + at + 1, --size - at);
        } else if (size + length < ROOM) {
            memmove(text + at + length, text + at, size - at);
            memcpy(text + at, piece, length);
            size += length;
        }
    }
    return size;
}

const struct fuzz fuzz = {"lines of counts", 200000, 20260813, ROOM, make};
unsigned fuzz_accepted;

static void take(void *context, const char *name, bool present, double value)
{
    unsigned *members = context;

    require(name != NULL, "a member has a name");
    require(isfinite(value) && (present || (value <= 0 && value >= 0)), "a value is a number");
    ++*members;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    char error[COUNTS_LINE_ERROR] = "unwritten";
    unsigned members = 0;

    if (counts_line_read((const char *)input, size, take, &members, error)) {
        fuzz_accepted++;
        return 0;
    }
    require(members == 0, "a malformed line hands no member over");
    require(memchr(error, '\0', sizeof(error)) != NULL, "the error ends");
    require(strncmp(error, "column ", 7) == 0 || strncmp(error, "member ", 7) == 0,
            "the error has a place");
    for (const char *c = error; *c != '\0'; c++)
        require(*c >= ' ' && *c <= '~', "the error is printable");
    return 0;
}
