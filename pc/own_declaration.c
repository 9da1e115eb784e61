#include "own_declaration.h"

#include "boot/format.h"
#include "boot/slice.h"
#include "boot/text.h"
#include "harness/plan/experiment.h"
#include "pmu/formula/formula.h"

struct checking {
    const struct own_declaration *declaration;
    struct pool *pool;
    struct complaint *complaint;
};

/* A value of the file: the rest of the line that begins with `word`. */
struct limits {
    const char *word, *unit;
    double low, high;
};

/* --- places ----------------------------------------------------------------------------------- */

/* The column, from 1, at which the value stands in a line of this word; 0: it is no such line. */
static uint32_t column_of_value(struct slice line, const char *word)
{
    const size_t length = strlen(word);
    size_t at = 0;

    while (at < line.length && is_blank(line.text[at]))
        at++;
    if (line.length - at <= length || memcmp(line.text + at, word, length) != 0 ||
        !is_blank(line.text[at + length]))
        return 0;
    for (at += length; at < line.length && is_blank(line.text[at]);)
        at++;
    return (uint32_t)at + 1;
}

/* Where the value of the `nth` line of this word, from 1, stands; the file has so many. */
static void find_value(const struct own_declaration *declaration, const char *word, uint32_t nth,
                       struct complaint *complaint)
{
    const char *at = declaration->text, *const stop = at + declaration->size;

    for (complaint->line = 0; nth > 0 && at < stop;) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        const struct slice line = {at, (size_t)((newline != NULL ? newline : stop) - at)};

        complaint->line++;
        complaint->column = column_of_value(line, word);
        nth -= complaint->column > 0;
        at += line.length + 1;
    }
}

static enum rc complain(const struct checking *checking, const char *word, uint32_t nth,
                        const char *message, const char *expected)
{
    struct complaint *complaint = checking->complaint;

    find_value(checking->declaration, word, nth, complaint);
    format(complaint->file, sizeof(complaint->file), "%s", checking->declaration->file);
    format(complaint->message, sizeof(complaint->message), "%s", message);
    format(complaint->expected, sizeof(complaint->expected), "%s", expected);
    return RC_BAD_INPUT;
}

/* --- n and buffer ----------------------------------------------------------------------------- */

/* The image works out n and the buffer before there is an n. */
static enum rc check_names(const struct checking *checking, const struct formula *formula,
                           const char *word)
{
    char message[64];

    for (unsigned i = 0; i < formula->name_count; i++) {
        const char *name = formula->names[i];

        if (strcmp(name, "n") != 0 && strcmp(name, "arena") != 0)
            continue;
        format(message, sizeof(message), "%s may not name %s", word, name);
        return complain(checking, word, 1, message,
                        "numbers, sizes of caches, line, width and parameters of the CPU");
    }
    return RC_OK;
}

static enum rc check_value(const struct checking *checking, const struct formula *formula,
                           const struct limits *limits)
{
    struct formula_result result;
    char message[48], expected[64];

    formula_evaluate(formula, NULL, &result);
    /* A name that only a core tells: there a verdict says whether the value is out of range. */
    if (result.finite ? result.value >= limits->low && result.value <= limits->high
                      : formula->name_count > 0)
        return RC_OK;
    format(message, sizeof(message), "%s out of range", limits->word);
    format(expected, sizeof(expected), "%s, %.0f to %.0f", limits->unit, limits->low, limits->high);
    return complain(checking, limits->word, 1, message, expected);
}

static enum rc check_size(const struct checking *checking, const struct formula *formula,
                          const struct limits *limits)
{
    const enum rc rc = check_names(checking, formula, limits->word);

    return rc == RC_OK ? check_value(checking, formula, limits) : rc;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Which line an expression is of: expectation number `expectation`, or for 0 one of the sizes. */
static const char *word_of(const struct checking *checking, uint32_t expectation)
{
    const char *n = checking->declaration->own->kernel.iterations;
    struct formula_error error;
    struct formula formula;

    if (expectation > 0)
        return "expect";
    return formula_compile(&formula, n, strlen(n), checking->pool, &error) == RC_OK ? "buffer"
                                                                                    : "n";
}

/* As the image does: a divisor may be zero with the file's `unroll` in it. */
static enum rc compile(const struct checking *checking, struct experiment *experiment)
{
    struct complaint inside = {.line = 0};
    const enum rc rc =
        experiment_make(experiment, &checking->declaration->own->kernel, checking->pool, &inside);

    if (rc != RC_BAD_INPUT)
        return rc;
    return complain(checking, word_of(checking, inside.line), inside.line > 0 ? inside.line : 1,
                    inside.message, inside.expected);
}

enum rc own_declaration_check(const struct own_declaration *declaration, struct pool *pool,
                              struct complaint *complaint)
{
    static const struct limits n = {"n", "iterations of a window", 1, ITERATIONS_LIMIT};
    static const struct limits buffer = {"buffer", "bytes", 0, ARENA_LIMIT};
    const struct checking checking = {declaration, pool, complaint};
    struct experiment experiment;
    enum rc rc;

    if (kernels_named(declaration->own->kernel.name) != NULL)
        return complain(&checking, "name", 1, "a built-in kernel has this name", "another name");
    rc = compile(&checking, &experiment);
    if (rc == RC_OK)
        rc = check_size(&checking, &experiment.iterations, &n);
    return rc == RC_OK ? check_size(&checking, &experiment.arena, &buffer) : rc;
}
