#include "outcome_core.h"

#include "boot/format.h"
#include "boot/log.h"
#include "harness/experiment/topdown/records_topdown.h"
#include "harness/experiment/topdown/verdict_tree.h"
#include "harness/judge/verdict_beside.h"
#include "harness/judge/verdict_core.h"
#include "harness/records/records.h"
#include "harness/records/records_kernel.h"
#include "outcome.h"
#include "outcome_brief.h"
#include "outcome_trial.h"
#include "outcome_verdicts.h"

/* What is said of the counts of both threads before they become one. */
struct core_counts {
    struct any_thread any;
    struct beside_work work;
    bool work_known;
};

/* The counts of both threads become one. */
static void join_threads(struct lane *lane, struct core_counts *counts)
{
    struct measurement *m = &lane->measurement;
    const enum log_form before = log_into(LOG_FULL);

    verdict_compare_any(m, m->sibling, &counts->any);
    counts->work_known = verdict_core_work(m, &counts->work.instructions[0]) &&
                         verdict_core_work(m->sibling, &counts->work.instructions[1]);
    record_counts(lane->core, m);
    record_counts(lane->corunner_core, m->sibling);
    log_into(before);
    measurement_add(m, m->sibling);
}

/* Level 1 of the core, for people. */
static void log_level_one(const struct lane *lane, const struct trial *trial)
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
        result = trial_node(trial, node);
        if (result->finite)
            format(value, sizeof(value), "%.3f", result->value);
        length += format(line + length, sizeof(line) - length, ", %s %s", node->name, value);
    }
    if (kernel->doses > 0)
        format(dose, sizeof(dose), " dose %u", (unsigned)lane->measurement.dose);
    log_comment("cores %u and %u, %s%s with %s%s", lane->core->core, lane->corunner_core->core,
                kernel->name, dose, trial->corunner, line);
}

static void judge(struct run_verdicts *verdicts, const struct trial *trial,
                  const struct core_counts *counts)
{
    outcome_verdicts_begin(verdicts);
    verdict_slots(outcome_verdicts_next(verdicts), trial);
    verdict_any(outcome_verdicts_next(verdicts), trial, &counts->any);
    for (unsigned i = 0; counts->work_known && i < BESIDE_NODES; i++)
        if (verdict_has_beside(trial, i))
            verdict_beside_core(outcome_verdicts_next(verdicts), trial, &counts->work, i);
}

static void send_records(const struct lane *lane, const struct trial *trial)
{
    const struct measurement *m = &lane->measurement;
    enum log_form before;

    outcome_trouble(lane->core, m);
    outcome_trouble(lane->corunner_core, m->sibling);
    measured_core_discarded(lane->core, m->discarded);
    before = log_into(LOG_FULL);
    record_topdown(lane->core, trial, m, NULL); /* repeats of both threads are no pairs */
    record_guard(lane->core, m);
    log_into(before);
}

void outcome_core_wide(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    const bool counted = lane_counted(lane);
    struct extra extras[PARAMETERS_MAX];
    struct core_counts counts = {.work_known = false};
    struct trial trial;
    char why[120];

    if (counted)
        join_threads(lane, &counts);
    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    if (counted) {
        const enum log_form before = log_into(LOG_FULL);

        record_kernel(lane->core, experiment->kernel, &lane->measurement, trial.results);
        log_into(before);
        if (verdict_core_refused(&run->judged.results, &run->sibling_counters, why, sizeof(why)))
            results_refuse(&run->judged.results, why);
    }
    judge(&run->verdicts, &trial, &counts);
    if (counted)
        send_records(lane, &trial);
    outcome_failed(&run->verdicts, lane, experiment->kernel->name);
    outcome_lost(lane, experiment->kernel->name);
    if (counted && lane->measurement.sibling->what != NULL)
        measured_core_give_up(lane->core, experiment->kernel->name);
    if (outcome_verdicts_log(&run->verdicts, lane->core, &trial))
        outcome_brief(run, lane, &trial, &run->rows.sibling);
    if (counted)
        log_level_one(lane, &trial);
}
