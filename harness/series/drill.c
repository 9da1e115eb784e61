#include "drill.h"

#include "boot/text.h"

size_t drill_words(unsigned repeats)
{
    return (size_t)MEASUREMENT_PASSES * (PLAN_COUNTERS + 1) * 2 * repeats;
}

enum rc drill_begin(struct lane *lane, const struct experiment *experiment,
                    const struct counts *given)
{
    const struct event *events[PLAN_EVENTS];
    struct drill *drill = lane->drill;
    const struct facts *facts = &lane->core->facts;
    struct selection whole;
    unsigned count;
    enum rc rc;

    selection_levels(&whole, given->description, selection_depth(given->description));
    whole.asked = lane->core->first.asked;
    count = experiment_events(experiment, given, &whole, events);
    rc = plan_passes(&drill->passes_of_full_tree, facts, given->description, events, count);
    if (rc != RC_OK)
        return rc;
    memset(&drill->plan, 0, sizeof(drill->plan));
    drill->plan.passes = drill->passes;
    lane->asked = lane->core->first;
    count = experiment_events(experiment, given, &lane->asked, events);
    return plan_append(&drill->plan, MEASUREMENT_PASSES, facts, given->description, events, count);
}

/* A node whose formula gives more than all slots is over its threshold, too. */
static const struct formula_result *result_of(void *trial, const struct node *node)
{
    return trial_given(trial, node);
}

/* The nodes measured so far that are over their threshold; none when the kernel is too short for
 * shares to mean anything. */
static void find_over(struct trial *trial, struct selection *over)
{
    const struct topdown_results results = {trial, result_of};

    memset(over, 0, sizeof(*over));
    trial_forget(trial->nodes, trial->memos, trial->description->node_count);
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];

        if (node->level > 0 && trial_asks(trial, node) &&
            topdown_flagged(trial->description, node, &results))
            selection_add(over, i);
    }
}

static struct trial trial_of(struct judged *judged, const struct lane *lane,
                             const struct experiment *experiment, const struct extra *extras,
                             unsigned extra_count)
{
    results_make(&judged->results, &lane->measurement);
    return (struct trial){
        .core = lane->core->core,
        .experiment = experiment,
        .description = lane->core->description,
        .results = &judged->results,
        .counts = {lane->core->description, judged->results.counts, judged->results.count, extras,
                   extra_count, judged->results.hints},
        .nodes = judged->nodes,
        .memos = judged->memos,
        .asked = &lane->asked,
    };
}

bool drill_deeper(struct judged *judged, struct lane *lane, const struct experiment *experiment)
{
    const struct measured_core *core = lane->core;
    struct measurement *m = &lane->measurement;
    struct drill *drill = lane->drill;
    const unsigned done = drill->plan.pass_count;
    const struct event *events[PLAN_EVENTS];
    struct extra extras[PARAMETERS_MAX];
    struct experiment_size size;
    struct selection over, next;
    struct trial trial;
    unsigned count;

    if (!lane_counted(lane) || m->plan != &drill->plan || m->rc == RC_FAULT)
        return false;
    (void)measured_core_sizes(core, core->threads, experiment, lane->scale, extras, &count, &size);
    trial = trial_of(judged, lane, experiment, extras, count);
    /* Children that need only events that are counted already take no step: on to their children.
     */
    while (drill->plan.pass_count == done) {
        find_over(&trial, &over);
        selection_children(&next, trial.description, &over, &lane->asked);
        if (selection_is_empty(&next))
            return false;
        selection_join(&lane->asked, &next);
        count = experiment_events(experiment, &trial.counts, &lane->asked, events);
        if (plan_append(&drill->plan, MEASUREMENT_PASSES, &core->facts, trial.description, events,
                        count) != RC_OK)
            return false; /* the nodes that were not measured say so */
    }
    m->first_pass = done;
    drill->words = measurement_lay_out(m, drill->words);
    return true;
}
