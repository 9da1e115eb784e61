/* slotlog show LOG: machine, Topdown table and verdicts, for a terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "log_numbers.h"
#include "output.h"
#include "show_precision.h"

static const char *const level_1[] = {"tma_frontend_bound", "tma_bad_speculation",
                                      "tma_backend_bound", "tma_retiring"};
#define LEVEL_1 (sizeof(level_1) / sizeof(*level_1))

struct paint {
    const char *red, *green, *dim, *plain; /* "" where it is no terminal */
};

static struct paint paint_for(const FILE *file)
{
    if (file == stdout && isatty(STDOUT_FILENO))
        return (struct paint){"\033[31m", "\033[32m", "\033[2m", "\033[0m"};
    return (struct paint){"", "", "", ""};
}

static void show_machine(FILE *file, const struct whole_log *log)
{
    const json_t *machine = whole_log_record(log, "machine");
    json_t *record;
    size_t i;

    fprintf(file, "board     %s\n", record_text(machine, "board", "-"));
    fprintf(file, "firmware  %s\n", record_text(machine, "bios", "-"));
    fprintf(file, "form      %s\n", record_text(machine, "detail", "-"));
    if (json_object_get(machine, "rig") != NULL)
        fprintf(file, "rig       %s: the numbers are a model's\n", record_text(machine, "rig", ""));
    json_array_foreach (log->records, i, record) {
        if (strcmp(record_text(record, "type", ""), "core") != 0)
            continue;
        fprintf(file, "core %-4lld %s, %s, microcode %s, %s\n",
                (long long)json_integer_value(json_object_get(record, "core")),
                record_text(record, "brand", "-"), record_text(record, "signature", "-"),
                record_text(record, "microcode", "unreadable"),
                record_text(record, "description", "no description"));
    }
}

static const struct number *find(const struct numbers *numbers, const struct number *like,
                                 enum number_kind kind, const char *name)
{
    struct number wanted = *like;

    wanted.kind = kind;
    wanted.name = name;
    return numbers_find(numbers, &wanted);
}

/* What is 0 in so many digits has no sign. */
static void show_value(FILE *file, const struct number *number, int width, int digits)
{
    const double half = number != NULL ? 0.5 * pow(10, -digits) : 0;

    if (number != NULL && number->has)
        fprintf(file, " %*.*f", width, digits, fabs(number->value) < half ? 0 : number->value);
    else
        fprintf(file, " %*s", width, "-");
}

/* Whether a measurement's nodes begin here. */
static bool is_first(const struct numbers *numbers, size_t at)
{
    const struct number *number = &numbers->of[at], *const * nodes;
    size_t count;

    if (number->kind != NUMBER_NODE ||
        (at > 0 && number[-1].kind == NUMBER_NODE && numbers_are_of_one(&number[-1], number)))
        return false;
    count = numbers_of_kind(numbers, number, &nodes);
    for (size_t i = 0; i < count; i++)
        if (nodes[i] < number)
            return false;
    return true;
}

static bool has_column(const char *node)
{
    for (size_t n = 0; n < LEVEL_1; n++)
        if (strcmp(node, level_1[n]) == 0)
            return true;
    return false;
}

/* Where the run did not measure all nodes of level 1 (`nodes =`), each other node that has a value:
 * the columns may have none. */
static void show_other_nodes(FILE *file, const struct numbers *numbers, const struct number *like)
{
    const struct number *const *nodes;
    const size_t count = numbers_of_kind(numbers, like, &nodes);
    size_t columns = 0;

    for (size_t n = 0; n < LEVEL_1; n++)
        columns += find(numbers, like, NUMBER_NODE, level_1[n]) != NULL;
    for (size_t i = 0; columns < LEVEL_1 && i < count; i++)
        if (nodes[i]->has && !has_column(nodes[i]->name) &&
            (i == 0 || strcmp(nodes[i - 1]->name, nodes[i]->name) != 0))
            fprintf(file, "    %-36s %.3f\n", nodes[i]->name, nodes[i]->value);
}

/* Null: the node has a value, or the log does not say why it has none. */
static const char *reason_of(const struct numbers *numbers, const struct number *like, size_t node)
{
    const struct number *number = find(numbers, like, NUMBER_NODE, level_1[node]);

    return number != NULL && !number->has && number->reason[0] != 0 ? number->reason : NULL;
}

/* Why the row has dashes: a line for each reason, with the nodes that have it. */
static void show_reasons(FILE *file, const struct numbers *numbers, const struct number *like)
{
    const char *reason[LEVEL_1];

    for (size_t n = 0; n < LEVEL_1; n++)
        reason[n] = reason_of(numbers, like, n);
    for (size_t n = 0; n < LEVEL_1; n++) {
        const char *const why = reason[n];
        const char *between = "    ";

        for (size_t m = n; why != NULL && m < LEVEL_1; m++)
            if (reason[m] != NULL && strcmp(reason[m], why) == 0) {
                fprintf(file, "%s%s", between, level_1[m]);
                reason[m] = NULL;
                between = ", ";
            }
        if (why != NULL)
            fprintf(file, ":\n      %s\n", why);
    }
}

static void show_topdown(FILE *file, const struct numbers *numbers)
{
    json_int_t core = -1;
    char name[160];

    for (size_t i = 0; i < numbers->count; i++) {
        const struct number *number = &numbers->of[i];

        if (!is_first(numbers, i))
            continue;
        if (number->core != core)
            fprintf(file, "\n%-32s frontend bad speculation  backend retiring     CPI\n",
                    "Topdown, shares of the slots");
        if (number->core != core)
            fprintf(file, "core %lld\n", (long long)number->core);
        core = number->core;
        number_measurement(number, name, sizeof(name));
        fprintf(file, "  %-30s", name);
        for (size_t n = 0; n < LEVEL_1; n++)
            show_value(file, find(numbers, number, NUMBER_NODE, level_1[n]), n == 1 ? 15 : 8, 3);
        show_value(file, find(numbers, number, NUMBER_CPI, "CPI"), 7, 2);
        fprintf(file, "%s\n", number->trusted ? "" : "  untrusted core");
        show_reasons(file, numbers, number);
        show_other_nodes(file, numbers, number);
    }
}

static void show_verdicts(FILE *file, const struct whole_log *log, const struct paint *paint)
{
    fprintf(file, "\n");
    for (size_t i = 0; i < log->verdict_count; i++) {
        const struct log_verdict *verdict = &log->verdicts[i];

        if (!verdict->ok)
            fprintf(file, "%snot ok%s  %s\n", paint->red, paint->plain, verdict->claim);
        else if (verdict->skipped)
            fprintf(file, "%sskipped %s: %s%s\n", paint->dim, verdict->claim, verdict->reason,
                    paint->plain);
        else if (strstr(verdict->claim, " as on core ") != NULL) /* said once in the brief form */
            fprintf(file, "ok      %s\n", verdict->claim);
    }
}

static void show_range(FILE *file, const char *what, const json_t *range)
{
    if (json_array_size(range) == 2)
        fprintf(file, ", %s %lld to %lld", what,
                (long long)json_integer_value(json_array_get(range, 0)),
                (long long)json_integer_value(json_array_get(range, 1)));
}

/* What the log doubts itself is in no table above, and must not be taken for good. */
static void show_doubts(FILE *file, const struct whole_log *log, const struct paint *paint)
{
    json_t *record;
    size_t i;

    json_array_foreach (log->records, i, record) {
        const json_t *verdicts = json_object_get(record, "verdicts");
        const json_t *records = json_object_get(record, "records");

        if (strcmp(record_text(record, "type", ""), "doubt") != 0 ||
            (!json_is_array(verdicts) && !json_is_array(records)))
            continue;
        fprintf(file, "%sdoubted%s core %lld: %s", paint->red, paint->plain,
                (long long)json_integer_value(json_object_get(record, "core")),
                record_text(record, "why", ""));
        show_range(file, "verdicts", verdicts);
        show_range(file, "records", records);
        fprintf(file, "\n");
    }
}

/* What the run did not measure, as far as it is counted. */
static void show_missing(FILE *file, const json_t *end)
{
    static const char *const members[][2] = {{"cores_unmeasured", "cores measured nothing"},
                                             {"cores_lost", "cores were lost"},
                                             {"kernels_lost", "kernels were given up"}};

    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        const json_int_t count = json_integer_value(json_object_get(end, members[i][0]));

        if (count > 0)
            fprintf(file, ", %s: %lld", members[i][1], (long long)count);
    }
    if (json_object_get(end, "cut_behind") != NULL)
        fprintf(file, ", the stick's log is cut behind %s", record_text(end, "cut_behind", ""));
}

/* As the totals count them: a line of the brief form may stand for several. */
static unsigned long verdicts_doubted(const struct whole_log *log)
{
    unsigned long count = 0;

    for (size_t i = 0; i < log->self_doubted; i++)
        count += log->verdicts[log->verdict_count + i].verdicts;
    return count;
}

static void show_end(FILE *file, const struct whole_log *log, const struct paint *paint)
{
    const json_t *end = whole_log_record(log, "end");

    if (end == NULL) {
        fprintf(file, "%sThe log has no end record: it was cut short.%s\n", paint->red,
                paint->plain);
        return;
    }
    fprintf(file, "%s%lld ok, %lld not ok, %lld skipped; %s",
            whole_log_is_good(log) ? paint->green : paint->red,
            (long long)json_integer_value(json_object_get(end, "pass")),
            (long long)json_integer_value(json_object_get(end, "fail")),
            (long long)json_integer_value(json_object_get(end, "skip")),
            record_text(end, "reason", "-"));
    show_missing(file, end);
    if (log->totals.doubts > 0)
        fprintf(file, ", doubted among the ok: %lu", verdicts_doubted(log));
    fprintf(file, "%s\n", paint->plain);
}

int command_show(const struct settings *settings)
{
    struct numbers numbers;
    struct output output;
    struct paint paint;
    struct whole_log log;
    bool good;

    if (whole_log_read(&log, settings->files[0]) != STATUS_GOOD)
        return STATUS_USAGE;
    if (!output_open(&output, settings->output))
        return STATUS_USAGE;
    paint = paint_for(output.file);
    numbers_read(&numbers, &log);
    show_machine(output.file, &log);
    show_topdown(output.file, &numbers);
    show_precision(output.file, &log);
    show_verdicts(output.file, &log, &paint);
    show_doubts(output.file, &log, &paint);
    show_end(output.file, &log, &paint);
    good = whole_log_is_good(&log);
    numbers_free(&numbers);
    whole_log_free(&log);
    if (!output_close(&output, true))
        return STATUS_USAGE;
    return good ? STATUS_GOOD : STATUS_FOUND;
}
