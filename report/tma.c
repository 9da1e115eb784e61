/* Topdown formulas on a PC, evaluated by the image's own parser and evaluator over the image's own
 * descriptions.
 *
 *   tma CPU [--smt off|core|thread] < counts > nodes
 *   tma --list
 *
 * CPU is the name of a description or of a vendor's table that it restates. Standard input holds
 * one JSON object a line: events, as the vendor's formulas name them (modifiers included), and
 * parameters that are not to have their default. For each line one object follows on standard
 * output: the nodes of the tree, null where a formula has no finite value, be it that an event is
 * missing or that it divides by zero. Names that the formulas do not use are passed over, and so
 * are empty lines. A malformed line is named on standard error and answered by `null`, so that
 * answers stay in step; the status is then 1. Status 2: nothing was read.
 *
 * --smt says what was counted: one thread alone on its core (the default), the sums over both
 * threads of a core, or one of two running threads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat_json.h"
#include "pmu/builtin.h"
#include "pmu/parse/parse.h"
#include "pmu/topdown.h"

#define EXTRAS 64

struct session {
    struct description description;
    struct count *counts;        /* of each event */
    struct node_memo *memos;     /* of each node */
    struct extra extras[EXTRAS]; /* #SMT_on, #EBS_Mode, and what the line says */
    unsigned extra_count;
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
    fprintf(stderr, "tma: no description answers for %s; `tma --list` names them\n", cpu);
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

static void set_extra(struct session *session, const char *name, double value)
{
    unsigned i = 0;

    while (i < session->extra_count && strcmp(session->extras[i].name, name) != 0)
        i++;
    if (i == EXTRAS)
        return; /* as many as there are parameters; a description has fewer */
    session->extras[i] = (struct extra){name, value};
    if (i == session->extra_count)
        session->extra_count++;
}

/* An event or parameter of the description; anything else a line may hold besides. */
static void take(void *context, const char *name, bool present, double value)
{
    struct session *session = context;
    const struct event *event = description_event(&session->description, name);
    const struct parameter *parameter = description_parameter(&session->description, name);

    if (event != NULL) {
        struct count *count = &session->counts[event - session->description.events];

        count->measured = present;
        count->value = value;
    }
    if (parameter != NULL && present)
        set_extra(session, parameter->name, value);
}

static void begin_line(struct session *session, unsigned mode)
{
    const struct description *description = &session->description;

    for (unsigned i = 0; i < description->event_count; i++)
        session->counts[i] = (struct count){.event = &description->events[i]};
    memset(session->memos, 0, description->node_count * sizeof(*session->memos));
    session->extra_count = 0;
    set_extra(session, "#SMT_on", modes[mode].on);
    set_extra(session, "#EBS_Mode", modes[mode].ebs);
}

static void answer(const struct session *session)
{
    const struct description *description = &session->description;
    const struct counts counts = {.description = description,
                                  .counts = session->counts,
                                  .count_count = description->event_count,
                                  .extras = session->extras,
                                  .extra_count = session->extra_count};
    const char *separator = "{";

    for (unsigned i = 0; i < description->node_count; i++) {
        struct formula_result result;

        if (description->nodes[i].level == 0)
            continue;
        topdown_node_once(&counts, session->memos, &description->nodes[i], &result);
        printf("%s\"%s\": ", separator, description->nodes[i].name);
        if (result.finite)
            printf("%.17g", result.value);
        else
            printf("null");
        separator = ", ";
    }
    printf("%s}\n", *separator == '{' ? "{" : "");
}

static bool is_blank(const char *line, size_t length)
{
    return strspn(line, " \t\r") >= length;
}

static int run(struct session *session, unsigned mode)
{
    char *line = NULL;
    size_t room = 0;
    unsigned long number = 0;
    int status = 0;

    for (ssize_t length; (length = getline(&line, &room, stdin)) >= 0;) {
        struct flat_error error;

        number++;
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = 0;
        if (is_blank(line, (size_t)length))
            continue;
        begin_line(session, mode);
        if (flat_json(line, (size_t)length, take, session, &error)) {
            answer(session);
        } else {
            fprintf(stderr, "tma: line %lu, column %zu: expected %s\n", number, error.column,
                    error.expected);
            printf("null\n");
            status = 1;
        }
        fflush(stdout); /* another program may wait for this very line */
    }
    free(line);
    return ferror(stdin) || ferror(stdout) ? 1 : status;
}

static int usage(void)
{
    fprintf(stderr, "usage: tma CPU [--smt off|core|thread], or tma --list\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct session session = {0};
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
        } else if (argv[i][0] == '-' || cpu != NULL) {
            return usage();
        } else {
            cpu = argv[i];
        }
    }
    if (cpu == NULL)
        return usage();
    if (!find(&session.description, cpu))
        return 2;
    session.counts = calloc(session.description.event_count + 1u, sizeof(*session.counts));
    session.memos = calloc(session.description.node_count + 1u, sizeof(*session.memos));
    if (session.counts == NULL || session.memos == NULL) {
        fprintf(stderr, "tma: no memory\n");
        return 2;
    }
    return run(&session, mode);
}
