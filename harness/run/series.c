/* The kernels on every core: one core after the other, or all together. */
#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "drill.h"
#include "harness/report/records.h"

bool lane_take_words(struct lane *lane, size_t words)
{
    if (words <= lane->word_count)
        return true;
    lane->words = memory_alloc(words * sizeof(*lane->words));
    lane->word_count = lane->words != NULL ? words : 0;
    return lane->words != NULL;
}

/* The first reason not to count stays. */
static void block(struct lane *lane, const char *why)
{
    if (lane->blocked[0] == '\0')
        format(lane->blocked, sizeof(lane->blocked), "%s", why);
}

/* Plans the kernel for the lane's core; why nothing will be counted goes into lane->blocked. */
static void plan_slot(struct run *run, struct lane *lane, struct experiment *experiment,
                      const struct counts *given)
{
    struct measured_core *core = lane->core;
    struct measurement *m = &lane->measurement;
    const struct plan *plan;
    uint64_t *words;
    enum rc rc;

    lane->asked = core->first;
    if (lane->drill != NULL)
        rc = drill_begin(lane, experiment, given);
    else
        rc = experiment_plan(experiment, &core->facts, given, &core->first, &run->pool,
                             memory_alloc);
    plan = lane->drill != NULL ? &lane->drill->plan : experiment->plan;
    if (rc == RC_OK && plan->pass_count > MEASURE_PASSES)
        rc = RC_NO_SPACE;
    if (rc == RC_OK &&
        !lane_take_words(lane, lane->drill != NULL ? drill_words(run->config.repeats)
                                                   : measure_words(plan, run->config.repeats)))
        rc = RC_NO_SPACE;
    if (rc != RC_OK) {
        format(lane->blocked, sizeof(lane->blocked), "its events cannot be planned: %s",
               rc_name(rc));
        return;
    }
    if (plan->pass_count == 0) {
        block(lane, "no counter of this core counts any of its events");
        return;
    }
    m->plan = plan;
    m->branches =
        experiment->kernel->branch_count > 0 && lbr_absent(&core->facts, core->description) == NULL;
    if (experiment->kernel->doses == 0)
        m->rotation = rotation_begin(run, lane);
    words = measure_lay_out(m, lane->words);
    if (lane->drill != NULL) {
        lane->drill->words = words;
        m->passes_at_once = lane->drill->passes_at_once;
    }
}

/* Whether both threads of the lane's core work: then formulas are asked about one of two. */
static bool is_loaded(const struct run *run, const struct lane *lane)
{
    return lane->core->facts.threads_per_core > 1 &&
           (run->config.parallel || lane->sibling_load != NULL);
}

static void prepare_lane(struct run *run, struct lane *lane, unsigned index,
                         struct experiment *experiment, unsigned dose)
{
    struct measured_core *core = lane->core;
    struct measurement *m = &lane->measurement;
    struct extra extras[EXPERIMENT_EXTRAS];
    struct experiment_size size;
    unsigned extra_count;
    const char *missing;
    size_t length;

    memset(m, 0, sizeof(*m));
    lane->ready = lane->failed = false;
    lane->blocked[0] = '\0';
    lane->other = NULL;
    lane->idle = false;
    if (core->lost || experiment->broken != NULL) {
        block(lane, core->lost ? core->why : experiment->broken);
        lane->failed = !core->lost;
        return;
    }
    if (core->facts.absent != NULL) /* it runs all the same, to show that it does */
        block(lane, core->facts.absent);
    missing = facts_missing(&core->facts, experiment->kernel->requires, &length);
    if (missing != NULL) {
        format(lane->blocked, sizeof(lane->blocked), "this core has no %.*s", (int)length, missing);
        return;
    }
    core->threads = is_loaded(run, lane) ? ONE_OF_TWO : ONE_THREAD;
    extra_count = experiment_extras(extras, &core->facts, core->description, core->threads);
    if (!experiment_sizes(experiment, core->description, extras, &extra_count, run->config.scale,
                          &size)) {
        block(lane, size.detail);
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
        block(lane, size.detail);
        return;
    }
    if (!pair_invite(run, lane, experiment))
        return;
    lane->ready = true;
    if (core->facts.absent == NULL) {
        const struct counts given = {
            .description = core->description, .extras = extras, .extra_count = extra_count};

        plan_slot(run, lane, experiment, &given);
    }
}

/* A core that did not come back is lost, with what it was doing. */
static void lose_lane(struct lane *lane, const char *kernel, unsigned seconds, bool trapped)
{
    struct measured_core *core = lane->core;
    char why[sizeof(core->why)], where[80];

    if (trapped)
        format(why, sizeof(why), "core %u trapped in %s", core->core, kernel);
    else
        format(why, sizeof(why), "core %u did not come back from %s within %u s", core->core,
               kernel, seconds);
    core_lose(core, why);
    format(where, sizeof(where), "core %u, kernel %s", core->core, kernel);
    log_error(why, where, "the kernel returns");
    lane->blocked[0] = '\0';
    block(lane, why);
    lane->failed = true;
    lane->ready = false;
}

void run_lanes(struct run *run, struct lane *lanes, unsigned count, const char *kernel)
{
    uint64_t timeout_us = (uint64_t)run->config.timeout * 1000000;
    void *arguments[CORES_MAX] = {NULL};
    unsigned ready = 0;
    enum rc rc;

    for (unsigned i = 0; i < count; i++) {
        if (!lanes[i].ready || lanes[i].idle)
            continue;
        arguments[lanes[i].core->core] = &lanes[i].measurement;
        ready++;
    }
    if (ready == 0)
        return;
    run->at_work = kernel;
    if (count == 1 && lanes->other != NULL)
        rc = pair_run(lanes, timeout_us);
    else if (count == 1)
        rc = cores_run(lanes->core->core, measure_work, &lanes->measurement, timeout_us);
    else
        rc = cores_run_all(measure_work, arguments, timeout_us);
    run->at_work = NULL;
    for (unsigned i = 0; rc != RC_OK && i < count; i++) {
        if (lanes[i].ready && !lanes[i].idle &&
            ((count == 1 && lanes[i].other == NULL) || !cores_place(lanes[i].core->core)->online))
            lose_lane(&lanes[i], kernel, run->config.timeout, rc == RC_FAULT);
    }
}

/* The next step of a drill-down, on the cores that have one. */
static bool go_deeper(struct run *run, struct lane *lanes, unsigned count,
                      struct experiment *experiment)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        if (lanes[i].drill == NULL)
            continue;
        lanes[i].idle = !drill_deeper(run, &lanes[i], experiment);
        memset(&lanes[i].rendezvous, 0, sizeof(lanes[i].rendezvous));
        any = any || !lanes[i].idle;
    }
    return any;
}

/* The other thread, which kept the first one corunner, is measured in its turn; now the first one
 * keeps it company with what it was measured at. */
static void measure_other_thread(struct run *run, const struct lane *first,
                                 struct experiment *experiment, unsigned dose)
{
    struct lane *lane = &run->lanes[run->lane_count];

    lane->core = first->other;
    lane->sibling_load = experiment;
    lane->sibling_dose = dose;
    prepare_lane(run, lane, run->lane_count, run->sibling_load, 0);
    run_lanes(run, lane, 1, run->sibling_load->kernel->name);
    while (go_deeper(run, lane, 1, run->sibling_load))
        run_lanes(run, lane, 1, run->sibling_load->kernel->name);
    outcome_report(run, lane, run->sibling_load, &run->sibling_row);
}

/* One kernel on the cores of these lanes, with each of its doses. */
static void measure_kernel(struct run *run, struct lane *lanes, unsigned count, unsigned number)
{
    struct experiment *experiment = &run->experiments[number];
    const struct kernel *kernel = experiment->kernel;

    lanes->sibling_load = pair_load(run, lanes, experiment);
    for (unsigned step = 0; step < (kernel->doses > 0 ? kernel->doses : 1); step++) {
        unsigned dose = kernel->doses > 0 ? outcome_dose_of(kernel, step) : 0;

        for (unsigned i = 0; i < count; i++)
            prepare_lane(run, &lanes[i], (unsigned)(&lanes[i] - run->lanes), experiment, dose);
        run_lanes(run, lanes, count, kernel->name);
        while (go_deeper(run, lanes, count, experiment))
            run_lanes(run, lanes, count, kernel->name);
        for (unsigned i = 0; i < count; i++) {
            unsigned core = (unsigned)(lanes[i].core - run->cores);
            struct table_row *row = &run->rows[number * run->core_count + core];

            if (kernel->doses > 0)
                outcome_dose(run, &lanes[i], experiment, step, row);
            else
                outcome_report(run, &lanes[i], experiment, row);
        }
        if (lanes->sibling_load != NULL && lanes->ready) {
            measure_other_thread(run, lanes, experiment, dose);
            core_wide_measure(run, lanes, &run->lanes[run->lane_count], experiment);
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
static void report_exactness(const struct run *run, const struct measured_core *core)
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

/* Experiments `from` up to, not including, `to` on the cores of these lanes. */
static void measure_group(struct run *run, struct lane *lanes, unsigned count, unsigned from,
                          unsigned to)
{
    for (unsigned i = from; i < to; i++)
        measure_kernel(run, lanes, count, i);
}

static void finish_group(struct run *run, const struct lane *lanes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        report_exactness(run, lanes[i].core);
        restore_core(lanes[i].core);
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
    run->nodes = memory_alloc(sizeof(*run->nodes) * (run->node_count + 1));
    run->memos = memory_alloc(sizeof(*run->memos) * (run->node_count + 1));
    return run->nodes != NULL && run->memos != NULL;
}

static bool take_rotations(struct run *run)
{
    if (!run->config.multiplex && run->config.interval_us == 0)
        return true;
    run->multiplexed = memory_alloc(sizeof(*run->multiplexed) * PLAN_EVENTS);
    run->interval_counts = memory_alloc(sizeof(*run->interval_counts) * PLAN_EVENTS);
    run->drifts = memory_alloc(sizeof(*run->drifts) * (run->node_count + 1));
    if (run->multiplexed == NULL || run->interval_counts == NULL || run->drifts == NULL)
        return false;
    for (unsigned i = 0; i < run->lane_count; i++) {
        if (!rotation_take(run, &run->lanes[i]))
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

    run->lane_count = run->config.parallel ? run->core_count : 1;
    run->lanes =
        memory_alloc(sizeof(*run->lanes) * (run->lane_count + 1)); /* one more: the sibling's */
    run->rows = memory_alloc(sizeof(*run->rows) * (run->experiment_count * run->core_count + 1));
    if (run->lanes == NULL || run->rows == NULL || !take_nodes(run)) {
        log_error("no memory for measuring", NULL, NULL);
        return;
    }
    for (unsigned i = 0; i < run->core_count; i++) {
        const struct description *description = run->cores[i].description;

        if (description != NULL) /* without memory for it nothing is said of events */
            run->cores[i].exactness.events =
                memory_alloc(sizeof(struct pinned) * (description->event_count + 1));
    }
    for (unsigned i = 0; run->config.drill && i <= run->lane_count; i++) {
        run->lanes[i].drill = memory_alloc(sizeof(*run->lanes[i].drill));
        if (run->lanes[i].drill == NULL) {
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
            run->lanes[i].core = &run->cores[i];
        measure_group(run, run->lanes, run->core_count, 0, run->experiment_count);
        finish_group(run, run->lanes, run->core_count);
        return;
    }
    checks = run->sibling_load != NULL ? self_checks(run) : 0;
    for (unsigned i = 0; i < run->core_count && checks > 0; i++) {
        run->lanes[0].core = &run->cores[i];
        measure_group(run, run->lanes, 1, 0, checks);
    }
    for (unsigned i = 0; i < run->core_count; i++) {
        run->lanes[0].core = &run->cores[i];
        measure_group(run, run->lanes, 1, checks, run->experiment_count);
        if (run->sibling_load == NULL)
            finish_group(run, run->lanes, 1);
    }
    for (unsigned i = 0; i < run->core_count && run->sibling_load != NULL; i++) {
        run->lanes[0].core = &run->cores[i];
        finish_group(run, run->lanes, 1);
    }
}
