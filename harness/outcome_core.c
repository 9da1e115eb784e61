/* Records and verdicts of both threads of a core. */
#include "boot/format.h"
#include "boot/log.h"
#include "outcome_inside.h"
#include "records.h"

/* The counts of both threads become one; their windows must be alike for that. */
static void join_threads(struct run *run, struct slot *slot, struct any_thread *any)
{
    struct measurement *m = &slot->measurement;
    const struct measurement *theirs = run->watch.theirs;

    verdict_compare_any(m, theirs, any);
    record_counts(slot->core, m);
    record_counts(slot->other, theirs);
    watch_add(m, theirs);
}

/* Level 1 of the core, for a person. */
static void log_core(const struct slot *slot, const struct trial *trial)
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
        format(dose, sizeof(dose), " dose %u", (unsigned)slot->measurement.dose);
    log_comment("cores %u and %u, %s%s beside %s%s", slot->core->core, slot->other->core,
                kernel->name, dose, trial->beside, line);
}

void outcome_core_wide(struct run *run, struct slot *slot, struct experiment *experiment)
{
    const bool counted = slot->ready && slot->blocked[0] == '\0';
    struct measurement *m = &slot->measurement;
    struct extra extras[EXPERIMENT_EXTRAS];
    struct any_thread any = {NULL, 0};
    struct trial trial;
    char why[120];

    if (counted)
        join_threads(run, slot, &any);
    (void)outcome_trial(run, slot, experiment, extras, &trial);
    if (counted) {
        record_kernel(slot->core, experiment->kernel, m, trial.results);
        if (verdict_core_refused(&run->results, run->watch.apart, why, sizeof(why)))
            results_refuse(&run->results, why);
    }
    run->verdict_count = 0;
    verdict_sum(outcome_next(run), &trial);
    verdict_slots(outcome_next(run), &trial);
    verdict_any(outcome_next(run), &trial, &any);
    if (counted) {
        outcome_trouble(slot->core, m);
        outcome_trouble(slot->other, run->watch.theirs);
        outcome_discarded(run, slot->core, m);
        record_topdown(slot->core, &trial, m);
        record_guard(slot->core, m);
    }
    if (slot->failed)
        outcome_failed(run, slot->core, slot, experiment->kernel->name);
    outcome_log(run, slot->core, &trial);
    if (counted)
        log_core(slot, &trial);
}
