/* Formulas from random tokens: the compiler ends and refuses with a place, or the evaluator gives a
 * finite value or a reason, and agrees with itself about which names are needed. Deterministic.
 * Usage: formula_fuzz [runs [seed]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/formula.h"
#include "tests/fuzz/random.h"
#include "tests/unit/descriptions.h"

/* An expression that is well formed, so that most of them get as far as the evaluator. */
static size_t grow(uint64_t *state, char *text, size_t size, unsigned depth)
{
    static const char *const leaves[] = {"0",  "1",   "2.5", "NA", "A", "B.C:ocr_msr_val=0x1",
                                         "#D", "LOST"};
    static const char *const signs[] = {" + ", " - ", " * ", " / ", "+", "*"};
    static const char *const comparisons[] = {" < ", " > ", " <= ", " >= ", " == "};

    if (depth == 0 || random_below(state, 4) == 0)
        return (size_t)snprintf(text, size, "%s", leaves[random_below(state, 8)]);
    switch (random_below(state, 5)) {
    case 0: {
        size_t length = (size_t)snprintf(text, size, "%s(", random_below(state, 2) ? "min" : "max");

        length += grow(state, text + length, size - length, depth - 1);
        length += (size_t)snprintf(text + length, size - length, ", ");
        length += grow(state, text + length, size - length, depth - 1);
        return length + (size_t)snprintf(text + length, size - length, ")");
    }
    case 1: {
        size_t length = (size_t)snprintf(text, size, "(");

        length += grow(state, text + length, size - length, depth - 1);
        length += (size_t)snprintf(text + length, size - length, " if (");
        length += grow(state, text + length, size - length, depth - 1);
        length += (size_t)snprintf(text + length, size - length, "%s",
                                   comparisons[random_below(state, 5)]);
        length += grow(state, text + length, size - length, depth - 1);
        length += (size_t)snprintf(text + length, size - length, ") else ");
        length += grow(state, text + length, size - length, depth - 1);
        return length + (size_t)snprintf(text + length, size - length, ")");
    }
    default: {
        size_t length = (size_t)snprintf(text, size, "%s(", random_below(state, 4) ? "" : "-");

        length += grow(state, text + length, size - length, depth - 1);
        length +=
            (size_t)snprintf(text + length, size - length, "%s", signs[random_below(state, 6)]);
        length += grow(state, text + length, size - length, depth - 1);
        return length + (size_t)snprintf(text + length, size - length, ")");
    }
    }
}

struct lookups {
    const char *names[64];
    unsigned count;
};

static bool value_of(void *context, const char *name, double *value, const char **reason)
{
    struct lookups *lookups = context;

    if (lookups->count < 64)
        lookups->names[lookups->count++] = name;
    *value = name[0] == 'A' ? 3 : name[0] == 'B' ? 0.5 : 0;
    *reason = "LOST not measured";
    return name[0] != 'L';
}

static void seen(void *context, const char *name)
{
    struct lookups *lookups = context;

    if (lookups->count < 64)
        lookups->names[lookups->count++] = name;
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100000, good = 0, valued = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20260813;
    static char text[65536];

    for (unsigned run = 0; run < runs; run++) {
        struct formula formula;
        struct formula_error error;
        struct pool pool = {.allocate = tests_allocate, .chunk = 512};
        size_t length = grow(&state, text, sizeof(text), random_below(&state, 6));
        char *exact;
        enum rc rc;

        for (unsigned i = random_below(&state, 3); i > 0 && length > 0; i--)
            text[random_below(&state, (unsigned)length)] =
                "()+-*/<>=,.#:a0 ife\x80"[random_below(&state, 21)];
        exact = malloc(length ? length : 1);
        memcpy(exact, text, length);
        rc = formula_compile(&formula, exact, length, &pool, &error);
        require(rc == RC_OK || (rc == RC_BAD_INPUT && error.message != NULL &&
                                error.expected != NULL && error.offset <= length),
                "compiled, or refused with a place");
        if (rc == RC_OK) {
            struct lookups evaluated = {.count = 0}, visited = {.count = 0};
            const struct formula_scope scope = {&evaluated, value_of};
            struct formula_result result;

            formula_evaluate(&formula, &scope, &result);
            require(result.finite ? __builtin_isfinite(result.value) && result.reason == NULL
                                  : result.reason != NULL,
                    "finite or reason");
            formula_visit(&formula, NULL, seen, &visited);
            for (unsigned i = 0; i < evaluated.count && visited.count < 64; i++) {
                unsigned v = 0;

                while (v < visited.count && visited.names[v] != evaluated.names[i])
                    v++;
                require(v < visited.count, "what is evaluated was visited");
            }
            good++;
            valued += result.finite;
        }
        free(exact);
        tests_free();
    }
    printf("ok 1 - %u formulas, %u of them good, %u with a value\n1..1\n", runs, good, valued);
    return 0;
}
