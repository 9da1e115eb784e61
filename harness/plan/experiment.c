#include "experiment.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/formula.h"

/* A parameter of the published formulas: 1, PERF_METRICS is read; 0, counters. */
static const char metrics_name[] = "#PERF_METRICS_MSR";

/* A window must end some day, and 2n of it must not wrap. */
#define ITERATIONS_LIMIT 1e12
#define ARENA_LIMIT      1e12

/* Present in every plan that can have them: CPI rests on them. */
static const char *const basic_events[] = {
    "CPU_CLK_UNHALTED.THREAD",
    "INST_RETIRED.ANY",
    "CPU_CLK_UNHALTED.REF_TSC",
};

static const struct {
    const char *prefix, *node;
} families[] = {
    {"ret.", "tma_retiring"},
    {"fe.", "tma_frontend_bound"},
    {"be.", "tma_backend_bound"},
    {"bs.", "tma_bad_speculation"},
};

static enum rc compile(struct formula *formula, const char *text, struct pool *pool,
                       const char *kernel, uint32_t line, struct complaint *complaint)
{
    struct formula_error error = {0};
    enum rc rc = formula_compile(formula, text, strlen(text), pool, &error);

    if (rc == RC_BAD_INPUT) {
        complaint->line = line;
        complaint->column = error.offset + 1;
        format(complaint->file, sizeof(complaint->file), "kernel %s", kernel);
        format(complaint->message, sizeof(complaint->message), "%s in \"%s\"", error.message, text);
        format(complaint->expected, sizeof(complaint->expected), "%s", error.expected);
    }
    return rc;
}

/* The place of the bar in " | ", or that of the end. */
static size_t bar_at(const char *text)
{
    size_t at = 0;

    while (text[at] != '\0' && text[at] != '|')
        at++;
    return at;
}

static enum rc compile_subjects(struct expectation *to, const char *text, struct pool *pool,
                                const char *kernel, uint32_t line, struct complaint *complaint)
{
    enum rc rc = RC_OK;

    if (text[bar_at(text)] == '\0') {
        to->subjects[0].text = text;
        to->subject_count = 1;
        return compile(&to->subjects[0].formula, text, pool, kernel, line, complaint);
    }
    while (rc == RC_OK && *text != '\0') {
        struct subject *subject = &to->subjects[to->subject_count];
        const size_t bar = bar_at(text);
        size_t length = bar;
        char *copy = pool_take(pool, bar + 1);

        if (copy == NULL || to->subject_count == SUBJECT_NAMES)
            return RC_NO_SPACE;
        while (length > 0 && text[length - 1] == ' ')
            length--;
        format(copy, bar + 1, "%.*s", (int)length, text);
        subject->text = copy;
        to->subject_count++;
        rc = compile(&subject->formula, copy, pool, kernel, line, complaint);
        for (text += bar; *text == '|' || *text == ' ';)
            text++;
    }
    return rc;
}

static bool knows_all(const struct description *description, const struct formula *formula)
{
    for (unsigned i = 0; i < formula->name_count; i++)
        if (description_event(description, formula->names[i]) == NULL &&
            description_node(description, formula->names[i]) == NULL)
            return false;
    return true;
}

const struct subject *experiment_subject(const struct expectation *expectation,
                                         const struct description *description)
{
    for (unsigned i = 0; description != NULL && i < expectation->subject_count; i++)
        if (knows_all(description, &expectation->subjects[i].formula))
            return &expectation->subjects[i];
    return &expectation->subjects[0];
}

static enum rc compile_all(struct experiment *experiment, struct pool *pool,
                           struct complaint *complaint)
{
    const struct kernel *kernel = experiment->kernel;
    enum rc rc =
        compile(&experiment->iterations, kernel->iterations, pool, kernel->name, 0, complaint);

    if (rc == RC_OK)
        rc = compile(&experiment->arena, kernel->arena, pool, kernel->name, 0, complaint);
    for (uint32_t i = 0; rc == RC_OK && i < kernel->expectation_count; i++) {
        const struct kernel_expectation *text = &kernel->expectations[i];
        struct expectation *to = &experiment->expectations[i];

        rc = compile_subjects(to, text->subject, pool, kernel->name, i + 1, complaint);
        if (rc == RC_OK)
            rc = compile(&to->low, text->low, pool, kernel->name, i + 1, complaint);
        if (rc == RC_OK)
            rc = compile(&to->high, text->high, pool, kernel->name, i + 1, complaint);
    }
    return rc;
}

enum rc experiment_make(struct experiment *experiment, const struct kernel *kernel,
                        struct pool *pool, struct complaint *complaint)
{
    enum rc rc;

    memset(experiment, 0, sizeof(*experiment));
    experiment->kernel = kernel;
    experiment->self_check = strncmp(kernel->name, "cal.", 4) == 0;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        if (strncmp(kernel->name, families[i].prefix, strlen(families[i].prefix)) == 0)
            experiment->family_node = families[i].node;
    }
    experiment->expectations = pool_take(pool, sizeof(*experiment->expectations) *
                                                   (size_t)(kernel->expectation_count + 1));
    rc = experiment->expectations == NULL ? RC_NO_SPACE : compile_all(experiment, pool, complaint);
    if (rc == RC_BAD_INPUT)
        experiment->broken = "an expression of the kernel is malformed";
    else if (rc != RC_OK)
        experiment->broken = "no memory for the kernel's expressions";
    return rc;
}

unsigned experiment_extras(struct extra *extras, const struct facts *facts,
                           const struct description *description, enum threads threads)
{
    const struct {
        const char *name;
        uint32_t value; /* 0: the core does not say; the description may */
    } sizes[] = {
        {"l1d_size", facts->l1d.bytes}, {"l1i_size", facts->l1i.bytes},
        {"l2_size", facts->l2.bytes},   {"l3_size", facts->l3.bytes},
        {"line", facts->l1d.line},      {"width", description->width},
    };
    unsigned count = 0;

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (sizes[i].value != 0)
            extras[count++] = (struct extra){sizes[i].name, sizes[i].value};
    }
    extras[count++] = (struct extra){"#SMT_on", threads != ONE_THREAD};
    extras[count++] = (struct extra){"#EBS_Mode", threads == ONE_OF_TWO};
    extras[count++] = (struct extra){metrics_name, facts->perf_metrics ? 1 : 0};
    return count;
}

enum topdown_method experiment_method(const struct counts *given)
{
    if (given->description->method != TOPDOWN_PERF_METRICS)
        return given->description->method;
    for (unsigned i = 0; i < given->extra_count; i++)
        if (strcmp(given->extras[i].name, metrics_name) == 0 && given->extras[i].value == 0)
            return TOPDOWN_FORMULA;
    return TOPDOWN_PERF_METRICS;
}

struct counts experiment_without_metrics(const struct counts *given,
                                         struct extra extras[EXPERIMENT_EXTRAS])
{
    struct counts without = *given;
    bool found = false;

    for (unsigned i = 0; i < given->extra_count; i++) {
        extras[i] = given->extras[i];
        if (strcmp(extras[i].name, metrics_name) != 0)
            continue;
        extras[i].value = 0;
        found = true;
    }
    if (!found && given->extra_count < EXPERIMENT_EXTRAS)
        extras[without.extra_count++] = (struct extra){metrics_name, 0};
    without.extras = extras;
    return without;
}

static bool evaluate_size(const struct formula *formula, const struct counts *counts, double low,
                          double high, double *value, struct experiment_size *size,
                          const char *what)
{
    struct formula_result result;

    topdown_evaluate(counts, formula, &result);
    if (!result.finite)
        format(size->detail, sizeof(size->detail), "no %s, which is %.*s: %s", what,
               (int)formula->length, formula->text, result.reason);
    else if (result.value < low || result.value > high)
        format(size->detail, sizeof(size->detail), "%s out of range: %.0f", what, result.value);
    else {
        *value = result.value;
        return true;
    }
    return false;
}

bool experiment_sizes(const struct experiment *experiment, const struct description *description,
                      struct extra *extras, unsigned *extra_count, uint32_t scale,
                      struct experiment_size *size)
{
    struct counts counts = {
        .description = description, .extras = extras, .extra_count = *extra_count};
    double n, arena;

    if (!evaluate_size(&experiment->iterations, &counts, 1, ITERATIONS_LIMIT / scale, &n, size,
                       "iterations") ||
        !evaluate_size(&experiment->arena, &counts, 0, ARENA_LIMIT, &arena, size, "arena"))
        return false;
    size->n = (uint64_t)n * scale;
    size->arena = (uint64_t)arena;
    extras[(*extra_count)++] = (struct extra){"n", (double)size->n};
    extras[(*extra_count)++] = (struct extra){"arena", (double)size->arena};
    return true;
}

static bool plans_alike(const struct facts *a, const struct facts *b)
{
    return a->version == b->version && a->general_count == b->general_count &&
           a->general_width == b->general_width && a->fixed_count == b->fixed_count &&
           a->fixed_mask == b->fixed_mask && a->fixed_width == b->fixed_width &&
           a->architectural_events == b->architectural_events && a->any_thread == b->any_thread &&
           a->pdcm == b->pdcm && a->full_width_write == b->full_width_write &&
           a->capabilities == b->capabilities && a->perf_metrics == b->perf_metrics &&
           a->family == b->family && a->model == b->model && a->core_type == b->core_type &&
           a->general_reserved == b->general_reserved;
}

/* An event is of the family that asks for it first: the children of one parent, from 1. */
static unsigned add_nodes(const struct counts *given, const struct selection *selection,
                          unsigned level, const struct event **events, uint16_t *compared,
                          unsigned count)
{
    const struct description *description = given->description;

    for (unsigned i = 0; i < description->node_count; i++) {
        const struct node *node = &description->nodes[i];
        const unsigned before = count;

        if (node->level != level || !selection_has(selection, i))
            continue;
        count = topdown_events_given(given, &node->formula, events, count, PLAN_EVENTS, NULL);
        for (unsigned added = before; added < count; added++)
            compared[added] = (uint16_t)(node->parent + 2);
    }
    return count;
}

static bool is_given(const struct counts *given, const char *name)
{
    for (unsigned i = 0; i < given->extra_count; i++) {
        if (strcmp(given->extras[i].name, name) == 0)
            return given->extras[i].value != 0;
    }
    return false;
}

/* What the formulas are asked about; it chooses between their arms. */
static enum threads threads_given(const struct counts *given)
{
    if (!is_given(given, "#SMT_on"))
        return ONE_THREAD;
    return is_given(given, "#EBS_Mode") ? ONE_OF_TWO : BOTH_THREADS;
}

static unsigned add_event(const struct description *description, const char *name,
                          const struct event **events, unsigned count)
{
    const struct event *event = description_event(description, name);

    for (unsigned i = 0; i < count; i++) {
        if (events[i] == event)
            return count;
    }
    if (event != NULL && count < PLAN_EVENTS)
        events[count++] = event;
    return count;
}

/* What the selected nodes and CPI rest on. */
static unsigned selected_events(const struct counts *given, const struct selection *selection,
                                const struct event **events, uint16_t *compared)
{
    const struct description *description = given->description;
    const unsigned depth = selection_depth(description);
    struct extra extras[EXPERIMENT_EXTRAS];
    const struct counts without = experiment_without_metrics(given, extras);
    unsigned count = add_nodes(given, selection, 1, events, compared, 0);

    if (selection->both)
        count = add_nodes(&without, selection, 1, events, compared, count);
    for (size_t i = 0; i < COUNT_OF(basic_events); i++) {
        compared[count] = 0;
        count = add_event(description, basic_events[i], events, count);
    }
    for (unsigned level = 2; level <= depth; level++) {
        count = add_nodes(given, selection, level, events, compared, count);
        if (selection->both && level == 2)
            count = add_nodes(&without, selection, level, events, compared, count);
    }
    return count;
}

static unsigned add_expected(const struct experiment *experiment, const struct counts *given,
                             const struct event **events, unsigned count)
{
    for (uint64_t i = 0; i < experiment->kernel->expectation_count; i++)
        count = topdown_events_given(
            given, &experiment_subject(&experiment->expectations[i], given->description)->formula,
            events, count, PLAN_EVENTS, NULL);
    return count;
}

unsigned experiment_events(const struct experiment *experiment, const struct counts *given,
                           const struct selection *selection,
                           const struct event *events[PLAN_EVENTS])
{
    uint16_t compared[PLAN_EVENTS + 1];

    return add_expected(experiment, given, events,
                        selected_events(given, selection, events, compared));
}

/* The place on the plan_cache for this selection on such a core, filled when it was not. */
static struct cached *take_from(struct plan_cache *plan_cache, const struct facts *facts,
                                const struct counts *given, const struct selection *selection)
{
    uint16_t compared[PLAN_EVENTS + 1];
    struct cached *cached;

    for (unsigned i = 0; i < PLAN_CACHE_PLANS; i++) {
        cached = &plan_cache->cached[i];
        if (cached->facts != NULL && cached->description == given->description &&
            cached->threads == threads_given(given) && plans_alike(cached->facts, facts) &&
            memcmp(&cached->selection, selection, sizeof(*selection)) == 0)
            return cached;
    }
    cached = &plan_cache->cached[plan_cache->next++ % PLAN_CACHE_PLANS];
    cached->facts = facts;
    cached->description = given->description;
    cached->threads = threads_given(given);
    cached->selection = *selection;
    cached->plan = NULL;
    cached->event_count = selected_events(given, selection, cached->events, compared);
    memcpy(cached->families, compared, sizeof(cached->families));
    return cached;
}

static enum rc make_plan(struct plan **plan, const struct facts *facts,
                         const struct description *description, const struct event *const *events,
                         const uint16_t *compared, unsigned count, struct pool *pool,
                         void *(*allocate)(size_t size))
{
    enum rc rc;

    *plan = pool_take(pool, sizeof(**plan));
    if (*plan == NULL)
        return RC_NO_SPACE;
    rc = plan_make(*plan, facts, description, events, compared, count, allocate);
    if (rc != RC_OK)
        *plan = NULL;
    return rc;
}

enum rc experiment_plan(struct experiment *experiment, const struct facts *facts,
                        const struct counts *given, const struct selection *selection,
                        struct pool *pool, void *(*allocate)(size_t size))
{
    const struct description *description = given->description;
    const struct event *events[PLAN_EVENTS];
    uint16_t compared[PLAN_EVENTS + 1];
    struct cached *cached = NULL;
    unsigned selected, count;
    enum rc rc = RC_OK;

    if (experiment->plan != NULL && experiment->plan_description == description &&
        experiment->plan_threads == threads_given(given) &&
        plans_alike(experiment->plan_facts, facts))
        return RC_OK;
    memset(compared, 0, sizeof(compared)); /* what expectations add is of none */
    if (experiment->plan_cache != NULL) {
        cached = take_from(experiment->plan_cache, facts, given, selection);
        selected = cached->event_count;
        memcpy(events, cached->events, selected * sizeof(*events));
        memcpy(compared, cached->families, selected * sizeof(*compared));
    } else {
        selected = selected_events(given, selection, events, compared);
    }
    count = add_expected(experiment, given, events, selected);
    experiment->plan = cached != NULL && count == selected ? cached->plan : NULL;
    if (experiment->plan == NULL)
        rc = make_plan(&experiment->plan, facts, description, events, compared, count, pool,
                       allocate);
    if (rc != RC_OK)
        return rc;
    if (cached != NULL && count == selected)
        cached->plan = experiment->plan;
    experiment->plan_facts = facts;
    experiment->plan_description = description;
    experiment->plan_threads = threads_given(given);
    return RC_OK;
}

enum rc experiment_plan_nodes(struct plan **plan, struct experiment *experiment,
                              const struct facts *facts, const struct counts *given,
                              const struct selection *selection, struct pool *pool,
                              void *(*allocate)(size_t size))
{
    struct cached *cached = take_from(experiment->plan_cache, facts, given, selection);

    if (cached->plan == NULL) {
        enum rc rc = make_plan(&cached->plan, facts, given->description, cached->events,
                               cached->families, cached->event_count, pool, allocate);

        if (rc != RC_OK)
            return rc;
    }
    *plan = cached->plan;
    return RC_OK;
}
