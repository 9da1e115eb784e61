#include "own_reader.h"

#include "boot/format.h"
#include "boot/slice.h"
#include "boot/text.h"
#include "harness/plan/experiment.h"
#include "pmu/formula/formula.h"

#define UNROLL "unroll"

/* Bits of the statements that have been seen, in the order of `statements`. */
#define HAS_NAME    (1u << 0)
#define HAS_N       (1u << 2)
#define EXPRESSIONS (HAS_N | 1u << 4 | 1u << 9) /* n, buffer, expect */

/* Where a bound stands in the file, from 1. */
struct place {
    uint32_t line, column;
};

struct reader {
    struct own_kernel *own;
    struct kernel_expectation *expectations;
    const char *file;
    struct pool *pool;
    struct complaint *complaint;
    uint32_t line;                         /* from 1 */
    const char *begin, *end;               /* of the line, without its comment */
    char unroll[24];                       /* the number's digits */
    unsigned seen;                         /* bit i: statement i came already */
    struct place iterations;               /* of n's expression */
    struct place bounds[OWN_EXPECTATIONS]; /* the low one of each expectation */
};

/* Functions that return enum rc return RC_BAD_INPUT after a complaint. */

static struct place place_of(const struct reader *reader, const char *at)
{
    return (struct place){reader->line, (uint32_t)(at - reader->begin) + 1};
}

static enum rc complain_at(const struct reader *reader, struct place place, const char *message,
                           const char *expected)
{
    struct complaint *complaint = reader->complaint;

    complaint->line = place.line;
    complaint->column = place.column;
    format(complaint->file, sizeof(complaint->file), "%s", reader->file);
    format(complaint->message, sizeof(complaint->message), "%s", message);
    format(complaint->expected, sizeof(complaint->expected), "%s", expected);
    return RC_BAD_INPUT;
}

static enum rc complain(const struct reader *reader, const char *at, const char *message,
                        const char *expected)
{
    return complain_at(reader, place_of(reader, at), message, expected);
}

static enum rc copy_text(const struct reader *reader, struct slice slice, const char **to)
{
    char *copy = pool_take(reader->pool, slice.length + 1);

    if (copy == NULL)
        return RC_NO_SPACE;
    slice_copy(copy, slice);
    *to = copy;
    return RC_OK;
}

/* --- expressions ------------------------------------------------------------------------------ */

static bool continues_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == ':' || c == '#';
}

/* Whether the word `unroll` begins at `at`, and is no part of a longer name. */
static bool is_unroll(struct slice text, size_t at)
{
    const size_t length = strlen(UNROLL);

    return text.length - at >= length && memcmp(text.text + at, UNROLL, length) == 0 &&
           (at == 0 || !continues_name(text.text[at - 1])) &&
           (at + length == text.length || !continues_name(text.text[at + length]));
}

/* A copy in which the name `unroll` is replaced by its number. */
static enum rc copy_expression(const struct reader *reader, struct slice text, const char **to)
{
    const size_t digits = strlen(reader->unroll);
    char *copy = pool_take(reader->pool, text.length * (digits + 1) + 1);

    if (copy == NULL)
        return RC_NO_SPACE;
    *to = copy;
    for (size_t at = 0; at < text.length;) {
        if (is_unroll(text, at)) {
            memcpy(copy, reader->unroll, digits);
            copy += digits;
            at += strlen(UNROLL);
        } else {
            *copy++ = text.text[at++];
        }
    }
    *copy = '\0';
    return RC_OK;
}

/* Whether it is a formula; the complaint has the place inside it. */
static enum rc check_formula(const struct reader *reader, struct slice text)
{
    struct formula formula;
    struct formula_error error = {0};
    enum rc rc = formula_compile(&formula, text.text, text.length, reader->pool, &error);

    return rc == RC_BAD_INPUT
               ? complain(reader, text.text + error.offset, error.message, error.expected)
               : rc;
}

static enum rc read_expression(const struct reader *reader, struct slice text, const char **to)
{
    enum rc rc = check_formula(reader, text);

    return rc == RC_OK ? copy_expression(reader, text, to) : rc;
}

/* --- statements: `value` is the rest of the line, trimmed --------------------------------------
 */

static enum rc read_name(struct reader *reader, struct slice value)
{
    const struct slice first = {value.text, 4};

    if (!slice_is_name(value) || value.length > OWN_NAME_LIMIT)
        return complain(reader, value.text, "not a name",
                        "at most 63 letters, digits, dots, underscores and hyphens");
    if (value.length >= 6 && memcmp(value.text, "exact.", 6) == 0)
        return complain(reader, value.text, "exact.* are built-in kernels", "another family");
    if (value.length >= 4 && slice_is(first, "cal."))
        return complain(reader, value.text, "cal.* is the self-check", "another family");
    if (slice_is(value, "all"))
        return complain(reader, value.text, "`kernels = all` picks every kernel", "another name");
    return copy_text(reader, value, &reader->own->kernel.name);
}

static enum rc read_title(struct reader *reader, struct slice value)
{
    if (value.length > OWN_TITLE_LIMIT)
        return complain(reader, value.text, "title too long", "at most 100 characters");
    return copy_text(reader, value, &reader->own->kernel.title);
}

static enum rc read_n(struct reader *reader, struct slice value)
{
    reader->iterations = place_of(reader, value.text);
    return read_expression(reader, value, &reader->own->kernel.iterations);
}

static enum rc read_unroll(struct reader *reader, struct slice value)
{
    uint64_t number;

    if (reader->seen & EXPRESSIONS)
        return complain(reader, value.text, "unroll behind an expression",
                        "unroll before n, buffer and expect, which may use it");
    if (!slice_number(value, OWN_UNROLL_LIMIT, &number) || number == 0)
        return complain(reader, value.text, "no such unrolling", "a number of 1..1000000");
    format(reader->unroll, sizeof(reader->unroll), "%llu", (unsigned long long)number);
    return RC_OK;
}

static enum rc read_buffer(struct reader *reader, struct slice value)
{
    return read_expression(reader, value, &reader->own->kernel.arena);
}

static enum rc read_pages(struct reader *reader, struct slice value)
{
    if (slice_is(value, "4K"))
        reader->own->kernel.page_shift = 12;
    else if (slice_is(value, "2M"))
        reader->own->kernel.page_shift = 21;
    else
        return complain(reader, value.text, "no such size of pages", "4K or 2M");
    return RC_OK;
}

static enum rc read_leaf(struct reader *reader, struct slice value)
{
    return copy_text(reader, value, &reader->own->kernel.leaf);
}

static enum rc read_requires(struct reader *reader, struct slice value)
{
    static const char *const known[] = {"avx", "avx2", "fma", "avx512f"};

    for (size_t at = 0; at < value.length;) {
        struct slice word = {value.text + at, 0};
        bool found = false;

        while (at < value.length && !is_blank(value.text[at])) {
            word.length++;
            at++;
        }
        for (size_t i = 0; i < COUNT_OF(known); i++)
            found |= slice_is(word, known[i]);
        if (!found)
            return complain(reader, word.text, "a feature that is not known",
                            "avx, avx2, fma or avx512f, separated by blanks");
        while (at < value.length && is_blank(value.text[at]))
            at++;
    }
    return copy_text(reader, value, &reader->own->kernel.requires);
}

static enum rc read_deadline(struct reader *reader, struct slice value)
{
    uint64_t number;

    if (!slice_number(value, OWN_DEADLINE_MAX, &number) || number < 10)
        return complain(reader, value.text, "no such deadline",
                        "microseconds, a number of 10..10000000");
    reader->own->deadline_us = (uint32_t)number;
    return RC_OK;
}

/* Takes the part up to the next comma that is in no parentheses off *rest. False: nothing is
 * left. */
static bool next_part(struct slice *rest, struct slice *part)
{
    size_t at = 0;
    int depth = 0;

    if (rest->text == NULL)
        return false;
    for (; at < rest->length && (rest->text[at] != ',' || depth > 0); at++)
        depth += rest->text[at] == '(' ? 1 : rest->text[at] == ')' ? -1 : 0;
    *part = slice_trim((struct slice){rest->text, at});
    if (at < rest->length)
        *rest = (struct slice){rest->text + at + 1, rest->length - at - 1};
    else
        rest->text = NULL;
    return true;
}

/* A subject may have several names, separated by bars. */
static enum rc check_subject(const struct reader *reader, struct slice subject)
{
    enum rc rc = RC_OK;
    unsigned names = 1;

    for (size_t from = 0, at = 0; rc == RC_OK && at <= subject.length; at++) {
        if (at < subject.length && subject.text[at] != '|')
            continue;
        if (names++ > SUBJECT_NAMES)
            return complain(reader, subject.text + from, "too many names", "at most four");
        rc = check_formula(reader, slice_trim((struct slice){subject.text + from, at - from}));
        from = at + 1;
    }
    return rc;
}

static enum rc read_expect(struct reader *reader, struct slice value)
{
    static const char expected[] = "a subject and two bounds: INST_RETIRED.ANY, n * 4, n * 4";
    struct kernel *kernel = &reader->own->kernel;
    struct kernel_expectation *to = &reader->expectations[kernel->expectation_count];
    struct slice rest = value, parts[3];
    enum rc rc;

    for (unsigned i = 0; i < 3; i++)
        if (!next_part(&rest, &parts[i]) || parts[i].length == 0)
            return complain(reader, reader->end, "part missing", expected);
    if (rest.text != NULL)
        return complain(reader, rest.text, "one part too many", expected);
    if (kernel->expectation_count == OWN_EXPECTATIONS)
        return complain(reader, value.text, "too many expectations", "at most 64");
    reader->bounds[kernel->expectation_count] = place_of(reader, parts[1].text);
    rc = check_subject(reader, parts[0]);
    if (rc == RC_OK)
        rc = copy_expression(reader, parts[0], &to->subject);
    if (rc == RC_OK)
        rc = read_expression(reader, parts[1], &to->low);
    if (rc == RC_OK)
        rc = read_expression(reader, parts[2], &to->high);
    kernel->expectation_count += rc == RC_OK;
    return rc;
}

static const struct statement {
    const char *word;
    enum rc (*read)(struct reader *reader, struct slice value);
} statements[] = {
    {"name", read_name},     {"title", read_title},       {"n", read_n},
    {UNROLL, read_unroll},   {"buffer", read_buffer},     {"pages", read_pages},
    {"leaf", read_leaf},     {"requires", read_requires}, {"deadline", read_deadline},
    {"expect", read_expect}, /* as often as wanted */
};
#define ONCE      (COUNT_OF(statements) - 1)
#define ALL_WORDS "name, title, n, unroll, buffer, pages, leaf, requires, deadline or expect"

static enum rc read_statement(struct reader *reader, struct slice word, struct slice value)
{
    size_t i = 0;

    while (i < COUNT_OF(statements) && !slice_is(word, statements[i].word))
        i++;
    if (i == COUNT_OF(statements))
        return complain(reader, word.text, "unknown word", ALL_WORDS);
    if (i < ONCE && reader->seen >> i & 1)
        return complain(reader, word.text, "said twice", "each word but expect once");
    if (value.length == 0)
        return complain(reader, reader->end, "nothing follows the word", "a value");
    reader->seen |= 1u << i;
    return statements[i].read(reader, value);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A # that directly precedes a letter belongs to a name, unless the line begins with it. */
static bool begins_comment(const char *at, const char *begin, const char *end)
{
    if (*at != '#')
        return false;
    return at == begin || at + 1 == end ||
           !((at[1] >= 'a' && at[1] <= 'z') || (at[1] >= 'A' && at[1] <= 'Z'));
}

/* Cuts the comment off. */
static enum rc find_end(struct reader *reader)
{
    for (const char *at = reader->begin; at < reader->end; at++) {
        if (begins_comment(at, reader->begin, reader->end)) {
            reader->end = at;
            break;
        }
        if (*at != '\t' && (*at < ' ' || *at > '~'))
            return complain(reader, at, "unexpected byte", "printable ASCII");
    }
    return RC_OK;
}

static enum rc read_line(struct reader *reader)
{
    struct slice rest, word;
    enum rc rc;

    if (reader->end > reader->begin && reader->end[-1] == '\r')
        reader->end--;
    rc = find_end(reader);
    rest = slice_trim((struct slice){reader->begin, (size_t)(reader->end - reader->begin)});
    if (rc != RC_OK || rest.length == 0)
        return rc;
    word = (struct slice){rest.text, 0};
    while (word.length < rest.length && !is_blank(rest.text[word.length]))
        word.length++;
    rest.text += word.length;
    rest.length -= word.length;
    return read_statement(reader, word, slice_trim(rest));
}

static enum rc read_lines(struct reader *reader, const char *text, size_t size)
{
    const char *const stop = text + size;
    enum rc rc = RC_OK;

    while (rc == RC_OK && text < stop) {
        const char *newline = memchr(text, '\n', (size_t)(stop - text));

        reader->line++;
        reader->begin = text;
        reader->end = newline != NULL ? newline : stop;
        text = newline != NULL ? newline + 1 : stop;
        rc = read_line(reader);
    }
    return rc;
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* The value of `n`, in `context`; no other name has one here. */
static bool n_alone(void *context, const char *name, struct formula_number *number,
                    const char **reason)
{
    const double *n = context;

    *reason = "known on a core only";
    *number = (struct formula_number){.value = n != NULL ? *n : 0};
    return n != NULL && strcmp(name, "n") == 0;
}

/* The expression's value with so many iterations; null: it may not name them. False: it has none,
 * or rests on what only a core tells. */
static bool value_with(const struct reader *reader, const char *text, double *n, double *value)
{
    const struct formula_scope scope = {n, n_alone};
    struct formula_error error = {0};
    struct formula_result result;
    struct formula formula;

    if (formula_compile(&formula, text, strlen(text), reader->pool, &error) != RC_OK)
        return false;
    formula_evaluate(&formula, &scope, &result);
    *value = result.value;
    return result.finite;
}

static bool is_empty(const struct reader *reader, const struct kernel_expectation *expectation,
                     double n)
{
    double low, high;

    return value_with(reader, expectation->low, &n, &low) &&
           value_with(reader, expectation->high, &n, &high) && low > high;
}

/* Refuses bounds between which nothing can lie, with the file's n (where only a core tells it, 1)
 * and with as many iterations as a window can have: what holds for both holds in between. Where a
 * bound rests on what only a core tells, the verdict shows it. */
static enum rc check_bounds(const struct reader *reader)
{
    const struct kernel *kernel = &reader->own->kernel;
    double least;

    if (!value_with(reader, kernel->iterations, NULL, &least))
        least = 1;
    for (unsigned i = 0; i < kernel->expectation_count; i++)
        if (is_empty(reader, &reader->expectations[i], least) &&
            is_empty(reader, &reader->expectations[i], ITERATIONS_LIMIT))
            return complain_at(reader, reader->bounds[i], "the low bound is above the high one",
                               "the low bound first: INST_RETIRED.ANY, n * 4, n * 5");
    return RC_OK;
}

/* Where only a core tells n, a verdict says on which core it is out of range. */
static enum rc check_iterations(const struct reader *reader)
{
    char expected[48];
    double n;

    if (!value_with(reader, reader->own->kernel.iterations, NULL, &n) ||
        (n >= 1 && n <= ITERATIONS_LIMIT))
        return RC_OK;
    format(expected, sizeof(expected), "iterations of a window, 1 to %.0f", ITERATIONS_LIMIT);
    return complain_at(reader, reader->iterations, "n out of range", expected);
}

static enum rc check_whole(struct reader *reader)
{
    enum rc rc;

    reader->begin = reader->end = "";
    reader->line++;
    if (!(reader->seen & HAS_NAME))
        return complain(reader, reader->end, "the file ends without a name", "name own.example");
    if (!(reader->seen & HAS_N))
        return complain(reader, reader->end, "the file ends without iterations", "n 1000");
    rc = check_iterations(reader);
    return rc == RC_OK ? check_bounds(reader) : rc;
}

enum rc own_read(struct own_kernel *own, const char *file, const char *text, size_t size,
                 struct pool *pool, struct complaint *complaint)
{
    struct reader reader = {
        .own = own, .file = file, .pool = pool, .complaint = complaint, .unroll = "1"};
    enum rc rc;

    *own = (struct own_kernel){.kernel = {.title = "a kernel of the user's own",
                                          .arena = "0",
                                          .page_shift = 21,
                                          .leaf = "",
                                          .requires = "",
                                          .level = 1,
                                          .cause_event = ""},
                               .deadline_us = OWN_DEADLINE_US};
    reader.expectations = pool_take(pool, (OWN_EXPECTATIONS + 1) * sizeof(*reader.expectations));
    if (reader.expectations == NULL)
        return RC_NO_SPACE;
    own->kernel.expectations = reader.expectations;
    rc = read_lines(&reader, text, size);
    return rc == RC_OK ? check_whole(&reader) : rc;
}
