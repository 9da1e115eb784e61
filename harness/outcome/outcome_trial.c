#include "outcome_trial.h"

#include "boot/clock.h"

/* No core halts in a window, so its reference cycles are the ticks of its time stamp counter. */
static unsigned add_times(const struct judged *judged, struct extra extras[PARAMETERS_MAX],
                          unsigned count, bool both_threads)
{
    const char *reason;
    double ticks;

    if (!results_value(&judged->results, "CPU_CLK_UNHALTED.REF_TSC", &ticks, &reason))
        return count;
    if (both_threads)
        ticks /= 2;
    extras[count++] = (struct extra){"TSC", ticks};
    if (clock_source() != NULL)
        extras[count++] = (struct extra){"DurationTimeInMilliSeconds",
                                         ticks / (1000 * (double)clock_ticks_per_us())};
    return count;
}

static unsigned make_extras(const struct judged *judged, const struct lane *lane,
                            const struct experiment *experiment, bool both_threads,
                            struct extra extras[PARAMETERS_MAX])
{
    struct experiment_size size;
    unsigned count;

    (void)measured_core_sizes(lane->core, lane->core->threads, experiment, lane->scale, extras,
                              &count, &size);
    if (experiment->kernel->doses > 0)
        extras[count++] = (struct extra){"dose", (double)lane->measurement.dose};
    return add_times(judged, extras, count, both_threads);
}

void outcome_trial(struct judged *judged, const struct lane *lane,
                   const struct experiment *experiment, struct extra extras[PARAMETERS_MAX],
                   struct trial *trial)
{
    const struct measured_core *core = lane->core;
    const bool counted = lane_counted(lane);
    struct results *results = &judged->results;

    *trial = (struct trial){
        .core = core->core,
        .experiment = experiment,
        .description = core->description,
        .blocked = counted ? NULL : lane->blocked,
        .asked = &lane->asked,
        .drilled = lane->drill != NULL,
        .corunner = lane->measurement.corunner,
        .beside = lane->sibling_load,
        .both_threads = core->threads == BOTH_THREADS,
        .exactness = &core->exactness,
    };
    if (!counted)
        return;
    results_make(results, &lane->measurement);
    second_look_apply(&lane->look, results);
    trial_forget(judged->nodes, judged->memos, core->description->node_count);
    trial->results = results;
    trial->nodes = judged->nodes;
    trial->memos = judged->memos;
    trial->counts = (struct counts){
        .description = core->description,
        .counts = results->counts,
        .count_count = results->count,
        .extras = extras,
        .extra_count = make_extras(judged, lane, experiment, trial->both_threads, extras),
        .hints = results->hints,
    };
}
