#include "experiment.h"

#include "boot/format.h"
#include "boot/text.h"
#include "kernels/kernel_map.h"
#include "pmu/formula/formula.h"
#include "selection_events.h"

#define SCALE_LIMIT 1000000u

static const struct {
    const char *prefix, *node;
} kernel_families[] = {
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

/* The offset of the first bar, or of the end of the text. */
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

    if (rc == RC_OK && kernel->most != NULL)
        rc = compile(&experiment->most, kernel->most, pool, kernel->name, 0, complaint);
    if (rc == RC_OK)
        rc = compile(&experiment->arena, kernel->arena, pool, kernel->name, 0, complaint);
    if (rc == RC_OK && kernel->beside_low != NULL)
        rc = compile(&experiment->beside_low, kernel->beside_low, pool, kernel->name, 0, complaint);
    if (rc == RC_OK && kernel->beside_high != NULL)
        rc = compile(&experiment->beside_high, kernel->beside_high, pool, kernel->name, 0,
                     complaint);
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
    for (size_t i = 0; i < COUNT_OF(kernel_families); i++) {
        if (strncmp(kernel->name, kernel_families[i].prefix, strlen(kernel_families[i].prefix)) ==
            0)
            experiment->family_node = kernel_families[i].node;
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

/* How often n goes into the most iterations that the kernel states. False: they have no value. */
static bool evaluate_most(const struct experiment *experiment, const struct counts *counts,
                          double n, struct experiment_size *size)
{
    double most = ITERATIONS_LIMIT;

    if (experiment->kernel->most != NULL &&
        !evaluate_size(&experiment->most, counts, n, ITERATIONS_LIMIT, &most, size,
                       "most iterations"))
        return false;
    size->most = most / n < SCALE_LIMIT ? (uint32_t)(most / n) : SCALE_LIMIT;
    return true;
}

bool experiment_sizes(const struct experiment *experiment, const struct description *description,
                      struct extra extras[PARAMETERS_MAX], unsigned *extra_count, uint32_t scale,
                      struct experiment_size *size)
{
    struct counts counts = {
        .description = description, .extras = extras, .extra_count = *extra_count};
    double n, arena;

    if (!evaluate_size(&experiment->iterations, &counts, 1, ITERATIONS_LIMIT / scale, &n, size,
                       "iterations") ||
        !evaluate_size(&experiment->arena, &counts, 0, ARENA_LIMIT, &arena, size, "arena"))
        return false;
    size->arena = (uint64_t)arena;
    extras[counts.extra_count++] = (struct extra){"arena", (double)size->arena};
    n = (double)(uint64_t)n;
    if (!evaluate_most(experiment, &counts, n, size))
        return false;
    size->n = (uint64_t)n * (scale < size->most ? scale : size->most);
    extras[counts.extra_count++] = (struct extra){"n", (double)size->n};
    *extra_count = counts.extra_count;
    return true;
}

struct window_scale experiment_scale(const struct experiment *experiment,
                                     const struct description *description, uint64_t dose)
{
    const struct experiment_scales *scales = &experiment->scales;

    for (unsigned i = 0; i < scales->count; i++)
        if (scales->chosen[i].description == description && scales->chosen[i].dose == dose)
            return scales->chosen[i].scale;
    return (struct window_scale){.scale = 0};
}

void experiment_choose_scale(struct experiment *experiment, const struct description *description,
                             uint64_t dose, struct window_scale scale)
{
    struct experiment_scales *scales = &experiment->scales;

    if (scales->count == EXPERIMENT_SCALES)
        scales->count = 0;
    scales->chosen[scales->count].description = description;
    scales->chosen[scales->count].dose = dose;
    scales->chosen[scales->count++].scale = scale;
}

/* Where the description has it and there is room. */
static unsigned add_event(const struct description *description, const char *name,
                          const struct event **events, unsigned count)
{
    const struct event *event = description_event(description, name);

    if (event == NULL || count == PLAN_EVENTS)
        return count;
    for (unsigned i = 0; i < count; i++)
        if (events[i] == event)
            return count;
    events[count] = event;
    return count + 1;
}

/* A profile rests on samples of taken branches, and gives mispredicted ones what they cost. */
static unsigned add_profiled(const struct experiment *experiment,
                             const struct description *description, const struct event **events,
                             unsigned count)
{
    static const char *const costs[] = {MISPREDICTED_BRANCHES, RECOVERY_CYCLES,
                                        CLEAR_RESTEER_CYCLES,  MACHINE_CLEARS,
                                        TAKEN_EXECUTED,        TAKEN_MISPREDICTS_EXECUTED};

    if (description == NULL || experiment->kernel->cause != NULL ||
        kernel_map_of(experiment->kernel->name) == NULL)
        return count;
    count = add_event(description, TAKEN_BRANCHES, events, count);
    for (unsigned i = 0; i < COUNT_OF(costs) && experiment->sampled; i++)
        count = add_event(description, costs[i], events, count);
    return count;
}

static unsigned add_expected(const struct experiment *experiment, const struct counts *given,
                             const struct event **events, unsigned count)
{
    bool speculative = false;

    for (uint64_t i = 0; i < experiment->kernel->expectation_count; i++) {
        const struct formula *formula =
            &experiment_subject(&experiment->expectations[i], given->description)->formula;

        count = topdown_events_given(given, formula, events, count, PLAN_EVENTS, NULL);
        speculative |=
            given->description != NULL && description_is_speculative(given->description, formula);
    }
    /* Mispredictions bound what events count of uops that never retire. */
    if (speculative)
        count = add_event(given->description, MISPREDICTED_BRANCHES, events, count);
    return add_profiled(experiment, given->description, events, count);
}

unsigned experiment_events(const struct experiment *experiment, const struct counts *given,
                           const struct selection *selection,
                           const struct event *events[PLAN_EVENTS])
{
    uint16_t families[PLAN_EVENTS + 1];

    return add_expected(experiment, given, events,
                        selection_events(selection, given, events, families));
}

static enum rc make_plan(struct experiment *experiment, struct plan_cache *cache,
                         const struct facts *facts, const struct counts *given,
                         const struct selection *selection)
{
    const struct cached_plan *nodes = plan_cache_find(cache, facts, given, selection);
    const struct event *events[PLAN_EVENTS];
    uint16_t families[PLAN_EVENTS] = {0}; /* events that only expectations need belong to none */
    unsigned count;

    memcpy(events, nodes->events, nodes->event_count * sizeof(*events));
    memcpy(families, nodes->families, nodes->event_count * sizeof(*families));
    count = add_expected(experiment, given, events, nodes->event_count);
    if (count == nodes->event_count)
        return plan_cache_plan(cache, &experiment->plan, facts, given, selection);
    return plan_cache_make(cache, &experiment->plan, facts, given->description, events, families,
                           count);
}

enum rc experiment_plan(struct experiment *experiment, struct plan_cache *cache,
                        const struct facts *facts, const struct counts *given,
                        const struct selection *selection)
{
    const enum threads threads = parameters_threads(given);
    enum rc rc;

    if (experiment->plan != NULL && experiment->plan_description == given->description &&
        experiment->plan_threads == threads && plan_cache_alike(&experiment->plan_facts, facts))
        return RC_OK;
    experiment->plan = NULL;
    rc = make_plan(experiment, cache, facts, given, selection);
    if (rc != RC_OK)
        return rc;
    experiment->plan_facts = *facts;
    experiment->plan_description = given->description;
    experiment->plan_threads = threads;
    return RC_OK;
}
