/* slotlog compare A B: what moved beyond its spread. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "log_numbers.h"
#include "output.h"

struct comparison {
    FILE *file;
    double tolerance;
    unsigned long compared, moved, alone;
    unsigned long apart; /* counts of different numbers of iterations */
};

/* How far apart the ranges of both over their repeats are; 0: they overlap. */
static double gap(const struct number *a, const struct number *b)
{
    return fmax(0, fmax(a->low, b->low) - fmin(a->high, b->high));
}

/* A count has moved when its two ranges do not overlap; a node, when they are further apart than
 * the tolerance; CPI, when they are over 5 % apart, as for cores that agree in the brief form. */
static bool has_moved(const struct comparison *comparison, const struct number *a,
                      const struct number *b)
{
    if (a->has != b->has)
        return true;
    if (!a->has)
        return false;
    if (a->kind == NUMBER_NODE)
        return gap(a, b) > comparison->tolerance;
    if (a->kind == NUMBER_CPI)
        return gap(a, b) > 0.05 * fmin(a->value, b->value);
    return gap(a, b) > 0;
}

static void print_number(FILE *file, const struct number *number)
{
    const int digits = number->kind == NUMBER_COUNT ? 0 : 3;

    if (!number->has)
        fprintf(file, "no value (%s)", number->reason);
    else if (number->low == number->high)
        fprintf(file, "%.*f", digits, number->value);
    else
        fprintf(file, "%.*f [%.*f, %.*f]", digits, number->value, digits, number->low, digits,
                number->high);
}

static void print_place(FILE *file, const struct number *number)
{
    char name[160];

    number_measurement(number, name, sizeof(name));
    fprintf(file, "core %lld %s %s: ", (long long)number->core, name, number->name);
}

static void print_moved(struct comparison *comparison, const struct number *a,
                        const struct number *b)
{
    comparison->moved++;
    print_place(comparison->file, a);
    print_number(comparison->file, a);
    fprintf(comparison->file, " -> ");
    print_number(comparison->file, b);
    fprintf(comparison->file, "%s\n", a->trusted && b->trusted ? "" : ", of an untrusted core");
}

static void print_alone(struct comparison *comparison, const struct number *number, char which)
{
    comparison->alone++;
    print_place(comparison->file, number);
    fprintf(comparison->file, "only in %c\n", which);
}

static void compare_numbers(struct comparison *comparison, const struct numbers *a,
                            const struct numbers *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct number *other = numbers_find(b, &a->of[i]);

        if (other == NULL) {
            print_alone(comparison, &a->of[i], 'A');
            continue;
        }
        if (a->of[i].iterations != other->iterations && a->of[i].kind == NUMBER_COUNT) {
            comparison->apart++; /* said once, by the kernel */
            continue;
        }
        comparison->compared++;
        if (has_moved(comparison, &a->of[i], other))
            print_moved(comparison, &a->of[i], other);
    }
    for (size_t i = 0; i < b->count; i++)
        if (numbers_find(a, &b->of[i]) == NULL)
            print_alone(comparison, &b->of[i], 'B');
}

/* Counts are of n iterations: where n differs, they cannot be compared. */
static void name_other_lengths(struct comparison *comparison, const struct numbers *a,
                               const struct numbers *b)
{
    const char *kernel = "";

    for (size_t i = 0; i < a->count; i++) {
        const struct number *other = numbers_find(b, &a->of[i]);

        if (a->of[i].kind != NUMBER_COUNT || other == NULL ||
            a->of[i].iterations == other->iterations || strcmp(kernel, a->of[i].kernel) == 0)
            continue;
        kernel = a->of[i].kernel;
        fprintf(comparison->file,
                "core %lld %s: counts are of %lld and of %lld iterations, not compared\n",
                (long long)a->of[i].core, kernel, (long long)a->of[i].iterations,
                (long long)other->iterations);
    }
}

static void print_core(FILE *file, const struct whole_log *log, char which)
{
    const json_t *core = whole_log_record(log, "core");

    fprintf(file, "%c: %s: %s, %s, microcode %s\n", which, log->name,
            record_text(core, "brand", "-"), record_text(core, "signature", "-"),
            record_text(core, "microcode", "unreadable"));
}

static int compare_logs(const struct settings *settings, const struct whole_log *a,
                        const struct whole_log *b)
{
    struct comparison comparison = {.tolerance = settings->tolerance};
    struct numbers of_a, of_b;
    struct output output;

    if (!output_open(&output, settings->output))
        return STATUS_USAGE;
    comparison.file = output.file;
    numbers_read(&of_a, a);
    numbers_read(&of_b, b);
    print_core(output.file, a, 'A');
    print_core(output.file, b, 'B');
    name_other_lengths(&comparison, &of_a, &of_b);
    compare_numbers(&comparison, &of_a, &of_b);
    fprintf(output.file, "%lu compared, %lu moved, %lu in one log alone, %lu not compared\n",
            comparison.compared, comparison.moved, comparison.alone, comparison.apart);
    numbers_free(&of_a);
    numbers_free(&of_b);
    if (!output_close(&output, true))
        return STATUS_USAGE;
    if (comparison.compared == 0) {
        fprintf(stderr, "slotlog: %s and %s have no number in common\n", a->name, b->name);
        return STATUS_USAGE;
    }
    return comparison.moved + comparison.alone + comparison.apart > 0 ? STATUS_FOUND : STATUS_GOOD;
}

int command_compare(const struct settings *settings)
{
    struct whole_log a, b;
    int status = whole_log_read(&a, settings->files[0]);

    if (status != STATUS_GOOD)
        return status;
    status = whole_log_read(&b, settings->files[1]);
    if (status == STATUS_GOOD) {
        status = compare_logs(settings, &a, &b);
        whole_log_free(&b);
    }
    whole_log_free(&a);
    return status;
}
