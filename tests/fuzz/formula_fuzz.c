/* Formulas: the compiler ends, and refuses with a place or gives a formula; then the evaluator
 * gives a finite value or a reason, and needs no name that formula_visit did not visit. */
#include <string.h>

#include "pmu/formula/formula.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/descriptions.h"

#define ROOM  65536
#define NAMES 64 /* looked up or visited, as far as they are compared */

/* A well-formed expression. */
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

/* A well-formed expression; up to two of its bytes are changed. */
static size_t make(uint64_t *state, char *text)
{
    size_t size = grow(state, text, ROOM, random_below(state, 6));

    for (unsigned i = random_below(state, 3); i > 0 && size > 0; i--)
        text[random_below(state, (unsigned)size)] =
            "()+-*/<>=,.#:a0 ife\x80"[random_below(state, 21)];
    return size;
}

const struct fuzz fuzz = {"formulas", 100000, 20260813, ROOM, make};
unsigned fuzz_accepted;

struct lookups {
    const char *names[NAMES];
    unsigned count;
};

static bool value_of(void *context, const char *name, struct formula_number *number,
                     const char **reason)
{
    struct lookups *lookups = context;

    if (lookups->count < NAMES)
        lookups->names[lookups->count++] = name;
    number->value = name[0] == 'A' ? 3 : name[0] == 'B' ? 0.5 : 0;
    number->error = name[0] == 'B' ? 0.25 : 0;
    *reason = "LOST not measured";
    return name[0] != 'L';
}

static void visit(void *context, const char *name)
{
    struct lookups *lookups = context;

    if (lookups->count < NAMES)
        lookups->names[lookups->count++] = name;
}

static bool was_visited(const struct lookups *visited, const char *name)
{
    for (unsigned i = 0; i < visited->count; i++)
        if (visited->names[i] == name)
            return true;
    return visited->count == NAMES; /* more were visited than kept */
}

static void use(const struct formula *formula)
{
    struct lookups evaluated = {.count = 0}, visited = {.count = 0};
    const struct formula_scope scope = {&evaluated, value_of};
    struct formula_result result;

    formula_evaluate(formula, &scope, &result);
    require(result.finite ? __builtin_isfinite(result.value) && result.reason == NULL
                          : result.reason != NULL,
            "finite or reason");
    formula_visit(formula, NULL, visit, &visited);
    for (unsigned i = 0; i < evaluated.count; i++)
        require(was_visited(&visited, evaluated.names[i]), "what is evaluated was visited");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct pool pool = {.allocate = tests_allocate, .chunk = 512};
    struct formula formula;
    struct formula_error error;
    enum rc rc = formula_compile(&formula, (const char *)input, size, &pool, &error);

    require(rc == RC_OK || (rc == RC_BAD_INPUT && error.message != NULL && error.expected != NULL &&
                            error.offset <= size),
            "compiled, or refused with a place");
    if (rc == RC_OK)
        use(&formula);
    fuzz_accepted += rc == RC_OK;
    tests_free();
    return 0;
}
