/* Records and verdicts of both threads of a core. */
#include "boot/format.h"
#include "boot/log.h"
#include "outcome_inside.h"
#include "harness/report/records.h"

/* The counts of both threads become one; their windows must be alike for that. */
static void join_threads(struct run *run, struct lane *lane, struct any_thread *any)
{
    struct measurement *m = &lane->measurement;
    const struct measurement *sibling = run->sibling_counters.sibling;

    verdict_compare_any(m, sibling, any);
    record_counts(lane->core, m);
    record_counts(lane->other, sibling);
    sibling_counters_add(m, sibling);
}

/* Level 1 of the core, for a person. */
static void log_core(const struct lane *lane, const struct trial *trial)
{
    const struct kernel *kernel = trial->experiment->kernel;
    char line[200] = "", dose[16] = "";
    size_t length = 0;

    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];
        const struct formula_result *result;
        char value[16] = "-";

        if (node->level != 1 || length + DESCRIPTION_NAME + sizeof(value) > sizeof(line))
            continue;
        result = verdict_node(trial, node);
        if (result->finite)
            format(value, sizeof(value), "%.3f", result->value);
        length += format(line + length, sizeof(line) - length, ", %s %s", node->name, value);
    }
    if (kernel->doses > 0)
        format(dose, sizeof(dose), " dose %u", (unsigned)lane->measurement.dose);
    log_comment("cores %u and %u, %s%s beside %s%s", lane->core->core, lane->other->core,
                kernel->name, dose, trial->corunner, line);
}

void outcome_core_wide(struct run *run, struct lane *lane, struct experiment *experiment)
{
    const bool counted = lane->ready && lane->blocked[0] == '\0';
    struct measurement *m = &lane->measurement;
    struct extra extras[EXPERIMENT_EXTRAS];
    struct any_thread any = {NULL, 0};
    struct trial trial;
    char why[120];

    if (counted)
        join_threads(run, lane, &any);
    (void)outcome_trial(run, lane, experiment, extras, &trial);
    if (counted) {
        record_kernel(lane->core, experiment->kernel, m, trial.results);
        if (verdict_core_refused(&run->results, run->sibling_counters.skew, why, sizeof(why)))
            results_refuse(&run->results, why);
    }
    run->verdict_count = 0;
    verdict_sum(outcome_next(run), &trial);
    verdict_slots(outcome_next(run), &trial);
    verdict_any(outcome_next(run), &trial, &any);
    if (counted) {
        outcome_trouble(lane->core, m);
        outcome_trouble(lane->other, run->sibling_counters.sibling);
        outcome_discarded(run, lane->core, m);
        record_topdown(lane->core, &trial, m);
        record_guard(lane->core, m);
    }
    if (lane->failed)
        outcome_failed(run, lane->core, lane, experiment->kernel->name);
    outcome_log(run, lane->core, &trial);
    if (counted)
        log_core(lane, &trial);
}
