/* Drill-down: level 1 first, then only the children of nodes over their threshold, down to the
 * leaf. Each step adds passes to the measurement; what was counted before is not counted again. */
#include "boot/text.h"
#include "drill.h"

/* The parameters of formulas for this lane's measurement. */
static struct counts given_of(const struct run *run, struct lane *lane,
                              const struct experiment *experiment,
                              struct extra extras[EXPERIMENT_EXTRAS])
{
    const struct measured_core *core = lane->core;
    struct experiment_size size;
    unsigned count = experiment_extras(extras, &core->facts, core->description, core->threads);

    (void)experiment_sizes(experiment, core->description, extras, &count, run->config.scale, &size);
    return (struct counts){core->description, NULL, 0, extras, count, NULL};
}

enum rc drill_begin(struct lane *lane, struct experiment *experiment, const struct counts *given)
{
    const struct event *events[PLAN_EVENTS];
    struct drill *drill = lane->drill;
    const struct facts *facts = &lane->core->facts;
    struct selection whole;
    unsigned count;
    enum rc rc;

    selection_levels(&whole, given->description, selection_depth(given->description));
    count = experiment_events(experiment, given, &whole, events);
    rc = plan_passes(&drill->passes_at_once, facts, given->description, events, count);
    if (rc != RC_OK)
        return rc;
    memset(&drill->plan, 0, sizeof(drill->plan));
    drill->plan.passes = drill->passes;
    lane->asked = lane->core->first;
    count = experiment_events(experiment, given, &lane->asked, events);
    return plan_append(&drill->plan, MEASURE_PASSES, facts, given->description, events, count);
}

static const struct formula_result *result_of(void *trial, const struct node *node)
{
    return verdict_node(trial, node);
}

/* The nodes measured so far that are over their threshold; none when the kernel is too short for
 * shares to mean anything. */
static void find_over(struct run *run, struct lane *lane, struct trial *trial,
                      struct selection *over)
{
    const struct topdown_results results = {trial, result_of};

    memset(over, 0, sizeof(*over));
    verdict_forget(run->nodes, run->memos, trial->description->node_count);
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];

        if (node->level > 0 && selection_has(&lane->asked, i) &&
            topdown_flagged(trial->description, node, &results))
            selection_add(over, i);
    }
}

bool drill_deeper(struct run *run, struct lane *lane, struct experiment *experiment)
{
    const struct event *events[PLAN_EVENTS];
    struct extra extras[EXPERIMENT_EXTRAS];
    struct measurement *m = &lane->measurement;
    struct drill *drill = lane->drill;
    struct counts given;
    struct trial trial;
    struct selection over, next;
    unsigned count, done = drill->plan.pass_count;

    if (!lane->ready || lane->blocked[0] != '\0' || m->plan != &drill->plan || m->rc == RC_FAULT)
        return false;
    given = given_of(run, lane, experiment, extras);
    results_make(&run->results, m);
    trial = (struct trial){
        .core = lane->core->core,
        .experiment = experiment,
        .description = lane->core->description,
        .results = &run->results,
        .counts = given,
        .nodes = run->nodes,
        .memos = run->memos,
    };
    trial.counts.counts = run->results.counts;
    trial.counts.hints = run->results.hints;
    trial.counts.count_count = run->results.count;
    for (;;) {
        find_over(run, lane, &trial, &over);
        selection_children(&next, trial.description, &over, &lane->asked);
        if (selection_is_empty(&next))
            return false;
        selection_join(&lane->asked, &next);
        count = experiment_events(experiment, &given, &lane->asked, events);
        if (plan_append(&drill->plan, MEASURE_PASSES, &lane->core->facts, trial.description, events,
                        count) != RC_OK)
            return false; /* what was measured stands; the rest says that it was not measured */
        if (drill->plan.pass_count > done)
            break;
        /* All that the children rest on is counted already: go on down at once. */
    }
    m->first_pass = done;
    drill->words = measure_lay_out(m, drill->words);
    return true;
}
