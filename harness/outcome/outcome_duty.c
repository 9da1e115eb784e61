#include "outcome_duty.h"

#include "boot/format.h"
#include "harness/experiment/topdown/records_topdown.h"
#include "harness/judge/verdict_duty.h"
#include "outcome.h"
#include "outcome_trial.h"
#include "outcome_verdicts.h"

double outcome_duty_cycles(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    struct extra extras[PARAMETERS_MAX];
    struct trial trial;
    const char *reason;
    double cycles;

    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    return trial.results != NULL &&
                   results_value(trial.results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason)
               ? cycles
               : 0;
}

void outcome_duty_add(struct run *run, struct lane *lane, const struct experiment *experiment,
                      unsigned duty, struct outcome_duty *to)
{
    const struct node *node = description_node(lane->core->description, DUTY_CORE_CYCLES);
    const double cycles = outcome_duty_cycles(run, lane, experiment);
    const struct formula_result *result;
    struct extra extras[PARAMETERS_MAX];
    struct trial trial;

    measured_core_discarded(lane->core, lane->measurement.discarded);
    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    if (node == NULL || trial.results == NULL || cycles < TRIAL_CYCLES_MIN)
        return;
    result = trial_node(&trial, node);
    if (!result->finite) {
        format(to->why, sizeof(to->why), "at %u %%: %s", duty, result->reason);
        return;
    }
    to->points[to->count++] =
        (struct dose_point){(double)duty, verdict_duty_share(result->value, cycles)};
}

void outcome_duty(struct run *run, struct lane *lane, const struct experiment *experiment,
                  const struct outcome_duty *duty)
{
    const struct config_duty *wanted = &run->config.duty;
    const unsigned steps = (wanted->last - wanted->first) / CONFIG_DUTY_STEP + 1;
    struct extra extras[PARAMETERS_MAX];
    struct dose_line line;
    struct trial trial;
    enum log_form before;

    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    dose_fit(&line, duty->points, duty->count);
    outcome_verdicts_begin(&run->verdicts);
    if (trial.blocked == NULL && duty->why[0] != '\0')
        trial.blocked = duty->why;
    verdict_duty(outcome_verdicts_next(&run->verdicts), &trial, duty->points, duty->count, steps,
                 &line);
    outcome_failed(&run->verdicts, lane, experiment->kernel->name);
    outcome_lost(lane, experiment->kernel->name);
    if (duty->count > 0) {
        before = log_into(LOG_FULL);
        record_duty(lane->core, &trial, lane->measurement.n, duty->points, duty->count, &line);
        log_into(before);
    }
    outcome_verdicts_log(&run->verdicts, lane->core, &trial);
}
