/* slotlog compare A B: what moved beyond its spread. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "log_numbers.h"
#include "output.h"

struct comparison {
    FILE *file;
    double tolerance;
    unsigned long compared, moved, alone;
    unsigned long turned; /* verdicts that failed in one log alone */
    unsigned long apart;  /* counts of different numbers of iterations, and all of other code */
    json_t *other_code;   /* keys: own kernels whose code in one log is not that in the other */
};

/* How far apart the ranges of both are, over the repeats that do not lie apart; 0: they overlap.
 * One window that is far off must not hide what moved. */
static double gap(const struct number *a, const struct number *b)
{
    return fmax(0, fmax(a->kept_low, b->kept_low) - fmin(a->kept_high, b->kept_high));
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

/* By name: the hash of the code of each own kernel of the log. */
static json_t *codes_of(const struct whole_log *log)
{
    json_t *codes = json_made(json_object()), *record;
    size_t i;

    json_array_foreach (log->records, i, record) {
        const char *file = record_text(record, "file", "");
        const size_t length = strlen(file);

        if (strcmp(record_text(record, "type", ""), "own_file") == 0 && length > 4 &&
            strcasecmp(file + length - 4, ".bin") == 0)
            json_object_set(codes, record_text(record, "kernel", ""),
                            json_object_get(record, "sha256"));
    }
    return codes;
}

/* Two kernels of one name may be different code, whose numbers say nothing of each other. */
static void name_other_codes(struct comparison *comparison, const struct whole_log *a,
                             const struct whole_log *b)
{
    json_t *of_a = codes_of(a), *of_b = codes_of(b), *hash;
    const char *kernel;

    comparison->other_code = json_made(json_object());
    json_object_foreach (of_a, kernel, hash) {
        const json_t *other = json_object_get(of_b, kernel);

        if (other == NULL || json_equal(hash, other))
            continue;
        json_object_set(comparison->other_code, kernel, hash);
        fprintf(comparison->file, "%s: other code (%.12s... and %.12s...), not compared\n", kernel,
                json_string_value(hash), json_string_value(other));
    }
    json_decref(of_a);
    json_decref(of_b);
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
        if (json_object_get(comparison->other_code, a->of[i].kernel) != NULL) {
            comparison->apart++; /* likewise */
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

/* The bytes of the number that begins here, 0: none does. What is within a name is no number. */
static size_t number_at(const char *claim, const char *at)
{
    const size_t sign = *at == '-' ? 1 : 0;

    if ((at > claim && strchr(" [(", at[-1]) == NULL) || at[sign] < '0' || at[sign] > '9')
        return 0;
    return sign + strspn(at + sign, ".0123456789");
}

/* The claim up to what was wrong, without its numbers but the core's: a value may differ from run
 * to run. */
static const char *key_of(const char *claim, char *room, size_t size)
{
    const char *end = strstr(claim, ", wrong: ");
    const size_t core = strncmp(claim, "core ", 5) == 0 ? strcspn(claim + 5, " ") + 5 : 0;
    size_t length = 0;

    if (end == NULL)
        end = claim + strlen(claim);
    for (const char *at = claim; at < end && length + 1 < size;) {
        const size_t number = at < claim + core ? 0 : number_at(claim, at);

        if (number > 0)
            at += number;
        else
            room[length++] = *at++;
    }
    room[length] = 0;
    return room;
}

static json_t *failures_of(const struct whole_log *log)
{
    json_t *failures = json_made(json_object());
    char key[LINE_TEXT + 16];
    unsigned again = 0;

    for (size_t i = 0; i < log->verdict_count; i++) {
        char *end = key;

        if (log->verdicts[i].ok)
            continue;
        key_of(log->verdicts[i].claim, key, LINE_TEXT);
        /* Claims that differ in their numbers alone are told apart by their order. */
        while (json_object_get(failures, key) != NULL) {
            if (end == key)
                end += strlen(key);
            snprintf(end, sizeof(key) - (size_t)(end - key), " #%u", ++again);
        }
        again = 0;
        json_object_set_new(failures, key, json_made(json_string(log->verdicts[i].claim)));
    }
    return failures;
}

static void name_turned(struct comparison *comparison, json_t *of_one, const json_t *of_other,
                        char which)
{
    const char *key;
    json_t *claim;

    json_object_foreach (of_one, key, claim) {
        if (json_object_get(of_other, key) != NULL)
            continue;
        comparison->turned++;
        fprintf(comparison->file, "not ok only in %c: %s\n", which, json_string_value(claim));
    }
}

static void compare_verdicts(struct comparison *comparison, const struct whole_log *a,
                             const struct whole_log *b)
{
    json_t *of_a = failures_of(a), *of_b = failures_of(b);

    name_turned(comparison, of_a, of_b, 'A');
    name_turned(comparison, of_b, of_a, 'B');
    json_decref(of_a);
    json_decref(of_b);
}

static void print_core(FILE *file, const struct whole_log *log, char which)
{
    const json_t *core = whole_log_record(log, "core");

    fprintf(file, "%c: %s: %s, %s, microcode %s\n", which, log->name,
            record_text(core, "brand", "-"), record_text(core, "signature", "-"),
            record_text(core, "microcode", "unreadable"));
}

/* "1.0.0, commit 0123456789ab", or what is known of it. */
static const char *build_of(const struct whole_log *log, char *room, size_t size)
{
    const json_t *machine = whole_log_record(log, "machine");
    const char *commit = record_text(machine, "commit", NULL);

    snprintf(room, size, "%s%s%s", record_text(machine, "version", "before 1.0.0"),
             commit != NULL ? ", commit " : "", commit != NULL ? commit : "");
    return room;
}

/* What else than the processor may have moved a number. The images of changed files may differ,
 * however alike their commits are. */
static void print_causes(FILE *file, const struct whole_log *a, const struct whole_log *b)
{
    const char *of_a = record_text(whole_log_record(a, "core"), "microcode", "unreadable");
    const char *of_b = record_text(whole_log_record(b, "core"), "microcode", "unreadable");
    char build_a[128], build_b[128];
    const bool microcode = strcmp(of_a, of_b) != 0;
    bool program;

    build_of(a, build_a, sizeof(build_a));
    build_of(b, build_b, sizeof(build_b));
    program = strcmp(build_a, build_b) != 0;
    if (microcode)
        fprintf(file, "another microcode: %s -> %s\n", of_a, of_b);
    if (program)
        fprintf(file, "another slotscope: %s -> %s\n", build_a, build_b);
    else if (strstr(build_a, "+changed") != NULL || strstr(build_a, "commit") == NULL)
        fprintf(file, "perhaps another slotscope: both say %s\n", build_a);
    if (microcode && program)
        fprintf(file, "both are new: what moved may be due to either\n");
}

static bool is_alike(const struct comparison *comparison)
{
    return comparison->moved + comparison->alone + comparison->apart + comparison->turned == 0;
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
    print_causes(output.file, a, b);
    name_other_codes(&comparison, a, b);
    name_other_lengths(&comparison, &of_a, &of_b);
    compare_numbers(&comparison, &of_a, &of_b);
    compare_verdicts(&comparison, a, b);
    fprintf(output.file,
            "%lu compared, %lu moved, %lu in one log alone, %lu not compared; %lu verdicts not ok "
            "in one log alone\n",
            comparison.compared, comparison.moved, comparison.alone, comparison.apart,
            comparison.turned);
    json_decref(comparison.other_code);
    numbers_free(&of_a);
    numbers_free(&of_b);
    if (!output_close(&output, comparison.compared > 0))
        return STATUS_USAGE;
    if (comparison.compared == 0) {
        fprintf(stderr, "slotlog: %s and %s have no number in common\n", a->name, b->name);
        return STATUS_USAGE;
    }
    return is_alike(&comparison) && a->totals.problems + b->totals.problems == 0 ? STATUS_GOOD
                                                                                 : STATUS_FOUND;
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
