/* Records and verdicts of one kernel on one core. */
#include "boot/clock.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/report/explain.h"
#include "outcome_inside.h"
#include "harness/report/records.h"
#include "harness/measure/window.h"

struct verdict *outcome_next(struct run *run)
{
    return &run->verdicts[run->verdict_count < RUN_VERDICTS - 1 ? run->verdict_count++
                                                                : RUN_VERDICTS - 1];
}

/* The first count of the self-check that is not exact, or that there was none, decides over the
 * core. */
static void judge_trust(struct run *run, struct measured_core *core,
                        const struct experiment *experiment, const struct trial *trial)
{
    for (unsigned i = 0; experiment->self_check && i < experiment->kernel->expectation_count; i++) {
        const struct verdict *verdict = &run->verdicts[i];

        if (verdict->outcome == VERDICT_PASS)
            core->proven++;
        if (verdict->outcome != VERDICT_FAIL || core->untrusted)
            continue;
        core->untrusted = true;
        format(core->distrust, sizeof(core->distrust), "%s", verdict->text);
    }
    if (!experiment->self_check && core->proven == 0 && !core->untrusted &&
        trial->blocked == NULL) {
        core->untrusted = true;
        format(core->distrust, sizeof(core->distrust), "the self-check could count nothing");
    }
}

static void judge_methods(struct run *run, const struct lane *lane, const struct trial *trial)
{
    if (trial->results == NULL || !lane->asked.both) {
        verdict_methods(outcome_next(run), trial, NULL);
        return;
    }
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        if (verdict_has_methods(trial, &trial->description->nodes[i]))
            verdict_methods(outcome_next(run), trial, &trial->description->nodes[i]);
    }
}

/* Expectations first, at the places of the same number. */
static void judge(struct run *run, struct measured_core *core, const struct lane *lane,
                  const struct trial *trial)
{
    const struct kernel *kernel = trial->experiment->kernel;
    const struct measurement *m = &lane->measurement;
    const char *lbr_missing = m->what != NULL ? m->what : "branches were not recorded";

    run->verdict_count = 0;
    for (unsigned i = 0; i < kernel->expectation_count; i++) {
        struct pin pin;

        verdict_expectation(outcome_next(run), trial, i);
        if (core->exactness.events != NULL && verdict_pin(trial, i, &pin))
            exactness_note(&core->exactness, trial->description, pin.event, pin.expected,
                           pin.measured, pin.exact);
    }
    if (!core->lost && core->description != NULL &&
        lbr_absent(&core->facts, core->description) != NULL)
        lbr_missing = lbr_absent(&core->facts, core->description);
    for (unsigned i = 0; i < kernel->branch_count && i + 1 < LBR_DEPTH; i++)
        verdict_branch(outcome_next(run), trial, i, m->branches_taken ? &m->lbr : NULL, lbr_missing,
                       window_return);
    verdict_sum(outcome_next(run), trial);
    if (trial->corunner != NULL)
        return;
    if (trial->experiment->family_node != NULL)
        verdict_family(outcome_next(run), trial);
    if (kernel->doses == 0 && verdict_has_leaf(trial))
        verdict_leaf(outcome_next(run), trial);
    if (run->config.both)
        judge_methods(run, lane, trial);
}

static void keep_failure(struct run *run, uint64_t number, const char *text)
{
    if (number < RUN_FAILURES)
        format(run->failures[number], sizeof(run->failures[number]), "%s", text);
}

void outcome_log(struct run *run, const struct measured_core *core, const struct trial *trial)
{
    const struct experiment *experiment = trial->experiment;

    for (unsigned i = 0; i < run->verdict_count; i++) {
        const struct verdict *verdict = &run->verdicts[i];

        if (verdict->outcome == VERDICT_SKIP) {
            log_skip(verdict->reason, "%s", verdict->text);
        } else if (core->untrusted && !experiment->self_check) {
            char reason[sizeof(core->distrust) + 40];

            format(reason, sizeof(reason), "core %u is untrusted: %s", core->core, core->distrust);
            log_skip(reason, "%s", verdict->text);
        } else {
            if (verdict->outcome == VERDICT_FAIL)
                keep_failure(run, log_totals().failed, verdict->text);
            log_verdict(verdict->outcome == VERDICT_PASS, "%s", verdict->text);
            if (verdict->outcome == VERDICT_FAIL && i < experiment->kernel->expectation_count &&
                experiment->kernel->doses == 0)
                explain_expectation(trial, i);
        }
    }
}

void outcome_failed(struct run *run, const struct measured_core *core, const struct lane *lane,
                    const char *kernel)
{
    char text[sizeof(run->verdicts->text)];

    format(text, sizeof(text), "core %u %s runs: %s", core->core, kernel, lane->blocked);
    keep_failure(run, log_totals().failed, text);
    log_verdict(false, "%s", text);
}

static void fill_row(const struct run *run, const struct measured_core *core,
                     const struct trial *trial, struct table_row *row)
{
    const struct node *columns[TABLE_NODES];
    unsigned count = table_columns(core->description, run->config.levels, columns);
    double cycles, instructions;
    const char *reason;

    row->filled = true;
    row->core = core->core;
    row->description = core->description;
    row->levels = run->config.levels;
    for (unsigned i = 0; i < count; i++) {
        const struct formula_result *result = verdict_node(trial, columns[i]);

        row->known[i] = result->finite;
        row->nodes[i] = result->value;
    }
    row->cpi_known = results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) &&
                     results_value(trial->results, "INST_RETIRED.ANY", &instructions, &reason) &&
                     instructions > 0;
    if (row->cpi_known)
        row->cpi = cycles / instructions;
}

static void send_records(const struct measured_core *core, const struct lane *lane,
                         const struct trial *trial)
{
    const struct measurement *m = &lane->measurement;

    record_kernel(core, trial->experiment->kernel, m, trial->results);
    record_counts(core, m);
    if (trial->description->method != TOPDOWN_NONE)
        record_topdown(core, trial, m);
    if (lane->asked.both)
        record_methods(core, trial, m);
    record_cpi(core, m, trial->results);
    if (m->branches_taken)
        record_lbr(core, m);
    record_guard(core, m);
}

void outcome_trouble(const struct measured_core *core, const struct measurement *m)
{
    char where[160];

    if (m->what == NULL)
        return;
    format(where, sizeof(where), "core %u, kernel %s%s%s", core->core, m->kernel->name,
           m->where[0] != '\0' ? ", " : "", m->where);
    log_error(m->what, where, NULL);
}

void outcome_discarded(struct run *run, struct measured_core *core, const struct measurement *m)
{
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        core->discarded += m->discarded[i];
        run->discarded += m->discarded[i];
    }
}

/* What the log shows a person while the run goes on. */
static void log_progress(const struct measured_core *core, const struct experiment *experiment,
                         const struct table_row *row, const struct log_totals *before)
{
    struct log_totals now = log_totals();
    char cpi[24] = "-";

    if (row->cpi_known)
        format(cpi, sizeof(cpi), "%.2f", row->cpi);
    log_comment("core %u %s: CPI %s, %llu ok, %llu not ok, %llu skipped", core->core,
                experiment->kernel->name, cpi, (unsigned long long)(now.passed - before->passed),
                (unsigned long long)(now.failed - before->failed),
                (unsigned long long)(now.skipped - before->skipped));
}

bool outcome_trial(struct run *run, struct lane *lane, struct experiment *experiment,
                   struct extra extras[EXPERIMENT_EXTRAS], struct trial *trial)
{
    struct measured_core *core = lane->core;
    const bool counted = lane->ready && lane->blocked[0] == '\0';
    struct experiment_size size;
    const char *reason;
    unsigned count;
    double ticks;

    *trial = (struct trial){
        .core = core->core,
        .experiment = experiment,
        .description = core->description,
        .blocked = counted ? NULL : lane->blocked,
        .asked = &lane->asked,
        .repeats = run->config.repeats,
        .drilled = run->config.drill,
        .corunner = lane->measurement.corunner,
        .both_threads = core->threads == BOTH_THREADS,
        .exactness = &core->exactness,
    };
    if (!counted)
        return false;
    count = experiment_extras(extras, &core->facts, core->description, core->threads);
    (void)experiment_sizes(experiment, core->description, extras, &count, run->config.scale, &size);
    if (experiment->kernel->doses > 0)
        extras[count++] = (struct extra){"dose", (double)lane->measurement.dose};
    results_make(&run->results, &lane->measurement);
    verdict_forget(run->nodes, run->memos, core->description->node_count);
    trial->nodes = run->nodes;
    trial->memos = run->memos;
    trial->results = &run->results;
    /* No core halts in a window, so its reference cycles are the ticks of its time stamp counter.
     */
    if (results_value(&run->results, "CPU_CLK_UNHALTED.REF_TSC", &ticks, &reason)) {
        if (trial->both_threads)
            ticks /= 2;
        extras[count++] = (struct extra){"TSC", ticks};
        extras[count++] = (struct extra){"DurationTimeInMilliSeconds",
                                         ticks / (1000 * (double)clock_ticks_per_us())};
    }
    trial->counts =
        (struct counts){core->description, run->results.counts, run->results.count, extras, count,
                        run->results.hints};
    return true;
}

static void report_counted(struct run *run, struct lane *lane, struct experiment *experiment,
                           const struct trial *trial, struct table_row *row)
{
    if (lane->ready)
        outcome_trouble(lane->core, &lane->measurement);
    if (trial->results != NULL) {
        outcome_discarded(run, lane->core, &lane->measurement);
        send_records(lane->core, lane, trial);
        fill_row(run, lane->core, trial, row);
    }
    if (lane->failed)
        outcome_failed(run, lane->core, lane, experiment->kernel->name);
}

/* What the configuration wants explained. */
static void explain_asked(const struct run *run, const struct lane *lane, const struct trial *trial)
{
    for (unsigned i = 0; trial->results != NULL && i < run->config.explain_count; i++) {
        const struct node *node = selection_node(trial->description, run->config.explain[i]);

        if (node != NULL)
            explain_node(trial, &lane->measurement, node);
    }
}

void outcome_report(struct run *run, struct lane *lane, struct experiment *experiment,
                    struct table_row *row)
{
    struct extra extras[EXPERIMENT_EXTRAS];
    struct log_totals before = log_totals();
    struct trial trial;

    (void)outcome_trial(run, lane, experiment, extras, &trial);
    judge(run, lane->core, lane, &trial);
    judge_trust(run, lane->core, experiment, &trial);
    report_counted(run, lane, experiment, &trial, row);
    outcome_log(run, lane->core, &trial);
    explain_asked(run, lane, &trial);
    rotation_report(run, lane, &trial);
    log_progress(lane->core, experiment, row, &before);
}

unsigned outcome_dose_of(const struct kernel *kernel, unsigned step)
{
    return (unsigned)((100 * step + (kernel->doses - 1) / 2) / (kernel->doses - 1));
}

/* The node's answer at this dose; what has no value leaves a gap, and the line says so. */
static void note_answer(struct lane *lane, const struct trial *trial)
{
    const struct node *node = verdict_leaf_node(trial);
    const struct formula_result *result;
    double tolerance;

    if (trial->results == NULL || node == NULL || lane->point_count == DOSE_STEPS)
        return;
    result = verdict_node(trial, node);
    if (!result->finite)
        return;
    tolerance = verdict_tolerance(trial, node);
    lane->tolerance = tolerance > lane->tolerance ? tolerance : lane->tolerance;
    lane->points[lane->point_count++] =
        (struct dose_point){(double)lane->measurement.dose, result->value};
}

static void judge_doses(struct run *run, struct lane *lane, struct trial *trial)
{
    const uint64_t doses = trial->experiment->kernel->doses;
    const struct node *node = verdict_leaf_node(trial);
    struct dose_line line;
    char gaps[64];

    if (trial->blocked == NULL && node != NULL && lane->point_count < doses) {
        format(gaps, sizeof(gaps), "its node has a value at %u of %u doses", lane->point_count,
               (unsigned)doses);
        trial->blocked = gaps;
    }
    dose_fit(&line, lane->points, lane->point_count);
    if (trial->results != NULL && node != NULL)
        record_dose(lane->core, trial, node, lane->points, lane->point_count, &line);
    verdict_dose(outcome_next(run), trial, &line, lane->tolerance);
}

/* What holds at every dose is said when it does not. */
static void keep_failed(struct run *run)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < run->verdict_count; i++) {
        if (run->verdicts[i].outcome == VERDICT_FAIL)
            run->verdicts[kept++] = run->verdicts[i];
    }
    run->verdict_count = kept;
}

void outcome_dose(struct run *run, struct lane *lane, struct experiment *experiment, unsigned step,
                  struct table_row *row)
{
    struct extra extras[EXPERIMENT_EXTRAS];
    struct log_totals before = log_totals();
    struct trial trial;

    if (step == 0) {
        lane->point_count = 0;
        lane->tolerance = 0;
    }
    (void)outcome_trial(run, lane, experiment, extras, &trial);
    judge(run, lane->core, lane, &trial);
    note_answer(lane, &trial);
    report_counted(run, lane, experiment, &trial, row);
    if (step + 1 < experiment->kernel->doses) {
        keep_failed(run);
        if (run->verdict_count > 0)
            log_comment("at dose %u:", (unsigned)lane->measurement.dose);
        outcome_log(run, lane->core, &trial);
        return;
    }
    judge_doses(run, lane, &trial);
    outcome_log(run, lane->core, &trial);
    log_progress(lane->core, experiment, row, &before);
}
