/* The kernels on every core: one core after the other, or all together. */
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "drill.h"
#include "records.h"

bool slot_take_words(struct slot *slot, size_t words)
{
    if (words <= slot->word_count)
        return true;
    slot->words = machine_alloc(words * sizeof(*slot->words));
    slot->word_count = slot->words != NULL ? words : 0;
    return slot->words != NULL;
}

/* The first reason not to count stays. */
static void block(struct slot *slot, const char *why)
{
    if (slot->blocked[0] == '\0')
        format(slot->blocked, sizeof(slot->blocked), "%s", why);
}

/* Plans the kernel for the slot's core; why nothing will be counted goes into slot->blocked. */
static void plan_slot(struct run *run, struct slot *slot, struct experiment *experiment,
                      const struct counts *given)
{
    struct core_state *core = slot->core;
    struct measurement *m = &slot->measurement;
    const struct plan *plan;
    uint64_t *words;
    enum rc rc;

    slot->asked = core->first;
    if (slot->drill != NULL)
        rc = drill_begin(slot, experiment, given);
    else
        rc = experiment_plan(experiment, &core->facts, given, &core->first, &run->pool,
                             machine_alloc);
    plan = slot->drill != NULL ? &slot->drill->plan : experiment->plan;
    if (rc == RC_OK && plan->pass_count > MEASURE_PASSES)
        rc = RC_NO_SPACE;
    if (rc == RC_OK &&
        !slot_take_words(slot, slot->drill != NULL ? drill_words(run->config.repeats)
                                                   : measure_words(plan, run->config.repeats)))
        rc = RC_NO_SPACE;
    if (rc != RC_OK) {
        format(slot->blocked, sizeof(slot->blocked), "its events cannot be planned: %s",
               rc_name(rc));
        return;
    }
    if (plan->pass_count == 0) {
        block(slot, "no counter of this core counts any of its events");
        return;
    }
    m->plan = plan;
    m->branches =
        experiment->kernel->branch_count > 0 && lbr_absent(&core->facts, core->description) == NULL;
    if (experiment->kernel->doses == 0)
        m->rotation = rotation_begin(run, slot);
    words = measure_lay_out(m, slot->words);
    if (slot->drill != NULL) {
        slot->drill->words = words;
        m->passes_at_once = slot->drill->passes_at_once;
    }
}

/* Whether both threads of the slot's core work: then formulas are asked about one of two. */
static bool is_loaded(const struct run *run, const struct slot *slot)
{
    return slot->core->facts.threads_per_core > 1 && (run->config.parallel || slot->beside != NULL);
}

static void prepare_slot(struct run *run, struct slot *slot, unsigned index,
                         struct experiment *experiment, unsigned dose)
{
    struct core_state *core = slot->core;
    struct measurement *m = &slot->measurement;
    struct extra extras[EXPERIMENT_EXTRAS];
    struct experiment_size size;
    unsigned extra_count;
    const char *missing;
    size_t length;

    memset(m, 0, sizeof(*m));
    slot->ready = slot->failed = false;
    slot->blocked[0] = '\0';
    slot->other = NULL;
    slot->idle = false;
    if (core->lost || experiment->broken != NULL) {
        block(slot, core->lost ? core->why : experiment->broken);
        slot->failed = !core->lost;
        return;
    }
    if (core->facts.absent != NULL) /* it runs all the same, to show that it does */
        block(slot, core->facts.absent);
    missing = facts_missing(&core->facts, experiment->kernel->requires, &length);
    if (missing != NULL) {
        format(slot->blocked, sizeof(slot->blocked), "this core has no %.*s", (int)length, missing);
        return;
    }
    core->threads = is_loaded(run, slot) ? ONE_OF_TWO : ONE_THREAD;
    extra_count = experiment_extras(extras, &core->facts, core->description, core->threads);
    if (!experiment_sizes(experiment, core->description, extras, &extra_count, run->config.scale,
                          &size)) {
        block(slot, size.detail);
        return;
    }
    m->kernel = experiment->kernel;
    m->dose = dose;
    m->facts = &core->facts;
    m->registers = &core->registers;
    m->n = size.n;
    m->arena_bytes = size.arena;
    m->repeats = run->config.repeats;
    m->warmup = run->config.warmup;
    if (!arena_of(run, experiment->kernel, index, size.arena, &m->arena)) {
        format(size.detail, sizeof(size.detail), "no memory for an arena of %llu bytes",
               (unsigned long long)size.arena);
        block(slot, size.detail);
        return;
    }
    if (!pair_invite(run, slot, experiment))
        return;
    slot->ready = true;
    if (core->facts.absent == NULL) {
        const struct counts given = {
            .description = core->description, .extras = extras, .extra_count = extra_count};

        plan_slot(run, slot, experiment, &given);
    }
}

/* A core that did not come back is lost, with what it was doing. */
static void lose_slot(struct slot *slot, const char *kernel, unsigned seconds, bool trapped)
{
    struct core_state *core = slot->core;
    char why[sizeof(core->why)], where[80];

    if (trapped)
        format(why, sizeof(why), "core %u trapped in %s", core->core, kernel);
    else
        format(why, sizeof(why), "core %u did not come back from %s within %u s", core->core,
               kernel, seconds);
    core_lose(core, why);
    format(where, sizeof(where), "core %u, kernel %s", core->core, kernel);
    log_error(why, where, "the kernel returns");
    slot->blocked[0] = '\0';
    block(slot, why);
    slot->failed = true;
    slot->ready = false;
}

void run_slots(struct run *run, struct slot *slots, unsigned count, const char *kernel)
{
    uint64_t timeout_us = (uint64_t)run->config.timeout * 1000000;
    void *arguments[CORES_MAX] = {NULL};
    unsigned ready = 0;
    enum rc rc;

    for (unsigned i = 0; i < count; i++) {
        if (!slots[i].ready || slots[i].idle)
            continue;
        arguments[slots[i].core->core] = &slots[i].measurement;
        ready++;
    }
    if (ready == 0)
        return;
    run->at_work = kernel;
    if (count == 1 && slots->other != NULL)
        rc = pair_run(slots, timeout_us);
    else if (count == 1)
        rc = cores_run(slots->core->core, measure_work, &slots->measurement, timeout_us);
    else
        rc = cores_run_all(measure_work, arguments, timeout_us);
    run->at_work = NULL;
    for (unsigned i = 0; rc != RC_OK && i < count; i++) {
        if (slots[i].ready && !slots[i].idle &&
            ((count == 1 && slots[i].other == NULL) || !cores_place(slots[i].core->core)->online))
            lose_slot(&slots[i], kernel, run->config.timeout, rc == RC_FAULT);
    }
}

/* The next step of a drill-down, on the cores that have one. */
static bool go_deeper(struct run *run, struct slot *slots, unsigned count,
                      struct experiment *experiment)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        if (slots[i].drill == NULL)
            continue;
        slots[i].idle = !drill_deeper(run, &slots[i], experiment);
        memset(&slots[i].meeting, 0, sizeof(slots[i].meeting));
        any = any || !slots[i].idle;
    }
    return any;
}

/* The other thread, which kept the first one company, is measured in its turn; now the first one
 * keeps it company with what it was measured at. */
static void measure_other_thread(struct run *run, const struct slot *first,
                                 struct experiment *experiment, unsigned dose)
{
    struct slot *slot = &run->slots[run->slot_count];

    slot->core = first->other;
    slot->beside = experiment;
    slot->beside_dose = dose;
    prepare_slot(run, slot, run->slot_count, run->sibling, 0);
    run_slots(run, slot, 1, run->sibling->kernel->name);
    while (go_deeper(run, slot, 1, run->sibling))
        run_slots(run, slot, 1, run->sibling->kernel->name);
    outcome_report(run, slot, run->sibling, &run->sibling_row);
}

/* One kernel on the cores of these slots, with each of its doses. */
static void measure_kernel(struct run *run, struct slot *slots, unsigned count, unsigned number)
{
    struct experiment *experiment = &run->experiments[number];
    const struct kernel *kernel = experiment->kernel;

    slots->beside = pair_beside(run, slots, experiment);
    for (unsigned step = 0; step < (kernel->doses > 0 ? kernel->doses : 1); step++) {
        unsigned dose = kernel->doses > 0 ? outcome_dose_of(kernel, step) : 0;

        for (unsigned i = 0; i < count; i++)
            prepare_slot(run, &slots[i], (unsigned)(&slots[i] - run->slots), experiment, dose);
        run_slots(run, slots, count, kernel->name);
        while (go_deeper(run, slots, count, experiment))
            run_slots(run, slots, count, kernel->name);
        for (unsigned i = 0; i < count; i++) {
            unsigned core = (unsigned)(slots[i].core - run->cores);
            struct table_row *row = &run->rows[number * run->core_count + core];

            if (kernel->doses > 0)
                outcome_dose(run, &slots[i], experiment, step, row);
            else
                outcome_report(run, &slots[i], experiment, row);
        }
        if (slots->beside != NULL && slots->ready) {
            measure_other_thread(run, slots, experiment, dose);
            core_wide_measure(run, slots, &run->slots[run->slot_count], experiment);
        }
    }
    log_flush();
}

static unsigned add_once(const struct event **events, unsigned count, const struct event *event)
{
    for (unsigned i = 0; i < count; i++)
        if (events[i] == event)
            return count;
    if (count < PLAN_EVENTS)
        events[count++] = event;
    return count;
}

/* What the kernels have shown of the events that this core's formulas rest on, and of all others
 * that a kernel pins. */
static void report_exactness(const struct run *run, const struct core_state *core)
{
    const struct event *events[PLAN_EVENTS];
    struct extra extras[EXPERIMENT_EXTRAS];
    struct counts given = {.description = core->description, .extras = extras};
    unsigned count = 0;

    if (core->lost || core->facts.absent != NULL || core->exactness.events == NULL)
        return;
    given.extra_count = experiment_extras(extras, &core->facts, core->description, core->threads);
    for (unsigned i = 0; i < core->description->node_count; i++) {
        const struct node *node = &core->description->nodes[i];

        if (node->level > 0 && node->level <= run->config.levels)
            count = topdown_events_given(&given, &node->formula, events, count, PLAN_EVENTS, NULL);
    }
    for (unsigned i = 0; i < core->description->event_count; i++)
        if (core->exactness.events[i].times > 0)
            count = add_once(events, count, &core->description->events[i]);
    record_exactness(core, events, count);
}

/* Experiments `from` up to, not including, `to` on the cores of these slots. */
static void measure_group(struct run *run, struct slot *slots, unsigned count, unsigned from,
                          unsigned to)
{
    for (unsigned i = from; i < to; i++)
        measure_kernel(run, slots, count, i);
}

static void finish_group(struct run *run, const struct slot *slots, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        report_exactness(run, slots[i].core);
        restore_core(slots[i].core);
    }
}

/* Room for the values of the largest description's nodes. */
static bool take_nodes(struct run *run)
{
    for (unsigned i = 0; i < run->core_count; i++) {
        const struct description *description = run->cores[i].description;

        if (description != NULL && description->node_count > run->node_count)
            run->node_count = description->node_count;
    }
    run->nodes = machine_alloc(sizeof(*run->nodes) * (run->node_count + 1));
    run->memos = machine_alloc(sizeof(*run->memos) * (run->node_count + 1));
    return run->nodes != NULL && run->memos != NULL;
}

static bool take_rotations(struct run *run)
{
    if (!run->config.multiplex && run->config.interval_us == 0)
        return true;
    run->multiplexed = machine_alloc(sizeof(*run->multiplexed) * PLAN_EVENTS);
    run->interval_counts = machine_alloc(sizeof(*run->interval_counts) * PLAN_EVENTS);
    run->drifts = machine_alloc(sizeof(*run->drifts) * (run->node_count + 1));
    if (run->multiplexed == NULL || run->interval_counts == NULL || run->drifts == NULL)
        return false;
    for (unsigned i = 0; i < run->slot_count; i++) {
        if (!rotation_take(run, &run->slots[i]))
            return false;
    }
    return true;
}

/* A sibling thread is measured in the other's turn, so both must have been checked before. */
static unsigned self_checks(const struct run *run)
{
    unsigned count = 0;

    while (count < run->experiment_count && run->experiments[count].self_check)
        count++;
    return count;
}

void measure_cores(struct run *run)
{
    unsigned checks;

    run->slot_count = run->config.parallel ? run->core_count : 1;
    run->slots =
        machine_alloc(sizeof(*run->slots) * (run->slot_count + 1)); /* one more: the sibling's */
    run->rows = machine_alloc(sizeof(*run->rows) * (run->experiment_count * run->core_count + 1));
    if (run->slots == NULL || run->rows == NULL || !take_nodes(run)) {
        log_error("no memory for measuring", NULL, NULL);
        return;
    }
    for (unsigned i = 0; i < run->core_count; i++) {
        const struct description *description = run->cores[i].description;

        if (description != NULL) /* without memory for it nothing is said of events */
            run->cores[i].exactness.events =
                machine_alloc(sizeof(struct pinned) * (description->event_count + 1));
    }
    for (unsigned i = 0; run->config.drill && i <= run->slot_count; i++) {
        run->slots[i].drill = machine_alloc(sizeof(*run->slots[i].drill));
        if (run->slots[i].drill == NULL) {
            log_error("no memory for drilling down", NULL, NULL);
            return;
        }
    }
    if (!take_rotations(run)) {
        log_error("no memory for multiplexing or intervals", NULL, NULL);
        return;
    }
    arenas_take(run);
    cores_set_aftermath(restore_after_trap, run);
    if (run->config.parallel) {
        for (unsigned i = 0; i < run->core_count; i++)
            run->slots[i].core = &run->cores[i];
        measure_group(run, run->slots, run->core_count, 0, run->experiment_count);
        finish_group(run, run->slots, run->core_count);
        return;
    }
    checks = run->sibling != NULL ? self_checks(run) : 0;
    for (unsigned i = 0; i < run->core_count && checks > 0; i++) {
        run->slots[0].core = &run->cores[i];
        measure_group(run, run->slots, 1, 0, checks);
    }
    for (unsigned i = 0; i < run->core_count; i++) {
        run->slots[0].core = &run->cores[i];
        measure_group(run, run->slots, 1, checks, run->experiment_count);
        if (run->sibling == NULL)
            finish_group(run, run->slots, 1);
    }
    for (unsigned i = 0; i < run->core_count && run->sibling != NULL; i++) {
        run->slots[0].core = &run->cores[i];
        finish_group(run, run->slots, 1);
    }
}
