/* Lines of counts bent out of shape: the reader ends, and takes the line or says in which column it
 * stopped and what it wanted. Deterministic. Usage: flat_json_fuzz [runs [seed]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/flat_json.c" /* a program's own part, in no library */
#include "tests/fuzz/random.h"

#define LIMIT 400

static const char *const pieces[] = {
    "{",    "}", ":",  ",",       "\"", "\\",    "\"A.B:c1\"", "1", "-", "0",    "1e9",  "2.5",
    "null", " ", "\t", "\\u0041", "e+", "1e999", "\\u",        "[", ".", "\\\"", "\x01", "nul"};

static void member(void *context, const char *name, bool present, double value)
{
    unsigned *members = context;

    require(strlen(name) < FLAT_NAME, "a name fits");
    require(isfinite(value) && (present || (value <= 0 && value >= 0)), "a value is a number");
    ++*members;
}

static size_t make(uint64_t *state, char *text)
{
    size_t size = (size_t)snprintf(text, LIMIT, "{\"UOPS_ISSUED.ANY\": 12, \"#DS\":1,\"x\":null}");

    for (unsigned i = random_below(state, 8); i > 0; i--) {
        const char *piece = pieces[random_below(state, sizeof(pieces) / sizeof(pieces[0]))];
        size_t at = random_below(state, (unsigned)size + 1), length = strlen(piece);

        if (random_below(state, 3) == 0 && at < size) {
            memmove(text + at, text + at + 1, --size - at);
        } else if (size + length < LIMIT) {
            memmove(text + at + length, text + at, size - at);
            memcpy(text + at, piece, length);
            size += length;
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 200000, good = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20260813;
    char text[LIMIT];

    for (unsigned i = 0; i < runs; i++) {
        size_t size = make(&state, text);
        char *exact = malloc(size ? size : 1); /* so that reading past the end is seen */
        struct flat_error error = {0, NULL};
        unsigned members = 0;

        if (exact == NULL)
            return 1;
        memcpy(exact, text, size);
        if (flat_json(exact, size, member, &members, &error))
            good++;
        else
            require(error.column >= 1 && error.column <= size + 1 && error.expected != NULL,
                    "an error has a column and an expectation");
        free(exact);
    }
    printf("ok 1 - %u lines bent, %u of them still good\n1..1\n", runs, good);
    return 0;
}
