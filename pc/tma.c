/* Topdown formulas on a PC: the image's own parser and evaluator over the image's own descriptions.
 *
 *   tma CPU [--smt off|core|thread] [--shares] < counts > nodes
 *   tma --list
 *
 * CPU is the name of a description, or of a vendor's table that a description restates. Standard
 * input has one JSON object a line: counts by event, under the names of the vendor's formulas
 * (modifiers included), and values of parameters that are not to have their defaults. Each line is
 * answered by one object on standard output: the values of the tree's nodes, null where a formula
 * has no finite value because an event is missing or a divisor is zero. Names that no formula uses
 * are ignored, and so are empty lines. A malformed line is reported on standard error with its
 * number and answered by `null`, so that answers stay in step with lines; the exit status is
 * then 1. Status 2: nothing was read.
 *
 * --shares answers null, too, where a formula's value is no share of slots (pmu/topdown.h), and
 * says so on standard error.
 *
 * --smt says what was counted: one thread that has its core to itself (off, the default), the sums
 * over both threads of a core (core), or one of two running threads (thread). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts_line.h"
#include "pmu/builtin.h"
#include "pmu/parse/parse.h"
#include "pmu/topdown.h"

struct evaluation {
    struct description description;
    struct count *counts;    /* one for each event */
    struct node_memo *memos; /* one for each node */
    struct extra *extras;    /* #SMT_on, #EBS_Mode and the line's parameters; room for all */
    unsigned extra_count;
    bool shares; /* null for what is no share */
};

static const struct {
    const char *name;
    double on, ebs;
} modes[] = {{"off", 0, 0}, {"core", 1, 0}, {"thread", 1, 1}};

static void *allocate(size_t size)
{
    return calloc(1, size);
}

static const char *text_of(void *context, const char *name, size_t *size, bool *from_stick)
{
    (void)context;
    *from_stick = false;
    return builtin_text(name, size);
}

static bool load(struct description *description, const char *name)
{
    const struct description_library library = {NULL, text_of};
    struct complaint complaint;

    if (description_parse(description, name, &library, allocate, &complaint) == RC_OK)
        return true;
    fprintf(stderr, "tma: %s:%u:%u: %s, expected %s\n", complaint.file, complaint.line,
            complaint.column, complaint.message, complaint.expected);
    return false;
}

static bool restates(const struct description *description, const char *key)
{
    for (unsigned i = 0; i < description->table_count; i++)
        if (strcmp(description->tables[i].name, key) == 0)
            return true;
    return false;
}

static bool find(struct description *description, const char *cpu)
{
    size_t size;

    if (builtin_text(cpu, &size) != NULL)
        return load(description, cpu);
    for (unsigned i = 0; builtin_name(i) != NULL; i++)
        if (load(description, builtin_name(i)) && restates(description, cpu))
            return true;
    fprintf(stderr, "tma: no description is for %s; `tma --list` shows all\n", cpu);
    return false;
}

static int list(void)
{
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        struct description description;

        if (!load(&description, builtin_name(i)))
            return 2;
        printf("%s", description.name);
        for (unsigned k = 0; k < description.table_count; k++)
            printf(" %s", description.tables[k].name);
        printf("\n");
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

static void set_extra(struct evaluation *evaluation, const char *name, double value)
{
    unsigned i = 0;

    while (i < evaluation->extra_count && strcmp(evaluation->extras[i].name, name) != 0)
        i++;
    evaluation->extras[i] = (struct extra){name, value};
    if (i == evaluation->extra_count)
        evaluation->extra_count++;
}

/* Takes the count of an event or the value of a parameter; ignores any other name. */
static void take(void *context, const char *name, bool present, double value)
{
    struct evaluation *evaluation = context;
    const struct event *event = description_event(&evaluation->description, name);
    const struct parameter *parameter = description_parameter(&evaluation->description, name);

    if (event != NULL) {
        struct count *count = &evaluation->counts[event - evaluation->description.events];

        count->measured = present;
        count->value = value;
    }
    if (parameter != NULL && present)
        set_extra(evaluation, parameter->name, value);
}

static void begin_line(struct evaluation *evaluation, unsigned mode)
{
    const struct description *description = &evaluation->description;

    for (unsigned i = 0; i < description->event_count; i++)
        evaluation->counts[i] = (struct count){.event = &description->events[i]};
    memset(evaluation->memos, 0, description->node_count * sizeof(*evaluation->memos));
    evaluation->extra_count = 0;
    set_extra(evaluation, "#SMT_on", modes[mode].on);
    set_extra(evaluation, "#EBS_Mode", modes[mode].ebs);
}

/* Whether the node's value may be printed. */
static bool has_value(const struct evaluation *evaluation, unsigned long line,
                      const struct node *node, const struct formula_result *result)
{
    char why[TOPDOWN_WHY];

    if (!result->finite || !evaluation->shares || topdown_is_share(result->value, 0, why))
        return result->finite;
    fprintf(stderr, "tma: line %lu, %s: %s\n", line, node->name, why);
    return false;
}

static void answer(const struct evaluation *evaluation, unsigned long line)
{
    const struct description *description = &evaluation->description;
    const struct counts counts = {.description = description,
                                  .counts = evaluation->counts,
                                  .count_count = description->event_count,
                                  .extras = evaluation->extras,
                                  .extra_count = evaluation->extra_count};
    const char *separator = "{";

    for (unsigned i = 0; i < description->node_count; i++) {
        struct formula_result result;

        if (description->nodes[i].level == 0)
            continue;
        topdown_node_once(&counts, evaluation->memos, &description->nodes[i], &result);
        printf("%s\"%s\": ", separator, description->nodes[i].name);
        if (has_value(evaluation, line, &description->nodes[i], &result))
            printf("%.17g", result.value);
        else
            printf("null");
        separator = ", ";
    }
    printf("%s}\n", *separator == '{' ? "{" : "");
}

static bool is_blank_line(const char *line, size_t length)
{
    return strspn(line, " \t\r") >= length;
}

static int run(struct evaluation *evaluation, unsigned mode)
{
    char *line = NULL;
    size_t room = 0;
    unsigned long number = 0;
    int status = 0;

    for (ssize_t length; (length = getline(&line, &room, stdin)) >= 0;) {
        char error[COUNTS_LINE_ERROR];

        number++;
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = 0;
        if (is_blank_line(line, (size_t)length))
            continue;
        begin_line(evaluation, mode);
        if (counts_line_read(line, (size_t)length, take, evaluation, error)) {
            answer(evaluation, number);
        } else {
            fprintf(stderr, "tma: line %lu, %s\n", number, error);
            printf("null\n");
            status = 1;
        }
        fflush(stdout); /* another program may wait for this answer */
    }
    free(line);
    return ferror(stdin) || ferror(stdout) ? 1 : status;
}

static int usage(void)
{
    fprintf(stderr, "usage: tma CPU [--smt off|core|thread] [--shares] <COUNTS, or tma --list\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct evaluation evaluation = {0};
    const char *cpu = NULL;
    unsigned mode = 0;

    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--smt") == 0 && i + 1 < argc) {
            for (mode = 0, i++; mode < 3 && strcmp(argv[i], modes[mode].name) != 0;)
                mode++;
            if (mode == 3)
                return usage();
        } else if (strcmp(argv[i], "--shares") == 0) {
            evaluation.shares = true;
        } else if (argv[i][0] == '-' || cpu != NULL) {
            return usage();
        } else {
            cpu = argv[i];
        }
    }
    if (cpu == NULL)
        return usage();
    if (!find(&evaluation.description, cpu))
        return 2;
    evaluation.counts = calloc(evaluation.description.event_count + 1u, sizeof(*evaluation.counts));
    evaluation.memos = calloc(evaluation.description.node_count + 1u, sizeof(*evaluation.memos));
    evaluation.extras =
        calloc(evaluation.description.parameter_count + 2u, sizeof(*evaluation.extras));
    if (evaluation.counts == NULL || evaluation.memos == NULL || evaluation.extras == NULL) {
        fprintf(stderr, "tma: no memory\n");
        return 2;
    }
    return run(&evaluation, mode);
}
