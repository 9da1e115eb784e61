#include "outcome.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/experiment/branches/records_branches.h"
#include "harness/experiment/branches/verdict_branch.h"
#include "harness/experiment/branches/verdict_recording.h"
#include "harness/experiment/pebs/pebs_outcome.h"
#include "harness/experiment/topdown/explain_node.h"
#include "harness/experiment/topdown/records_topdown.h"
#include "harness/experiment/topdown/verdict_identity.h"
#include "harness/experiment/topdown/verdict_tree.h"
#include "harness/judge/measured_core_run.h"
#include "harness/judge/verdict.h"
#include "harness/judge/verdict_beside.h"
#include "harness/judge/verdict_methods.h"
#include "harness/records/records.h"
#include "harness/records/records_kernel.h"
#include "harness/records/records_methods.h"
#include "harness/window/window.h"
#include "outcome_brief.h"
#include "outcome_rotation.h"
#include "outcome_trial.h"
#include "outcome_verdicts.h"

static void judge_recordings(struct run_verdicts *verdicts, const struct lane *lane,
                             const struct trial *trial)
{
    const struct kernel *kernel = trial->experiment->kernel;
    const struct measurement *m = &lane->measurement;
    const struct recording *first = lane->recordings;
    const char *absent = m->what != NULL ? m->what : "branches were not recorded";
    const unsigned depth = first->taken ? first->depth : LBR_DEPTH;

    if (m->recording_count > 0 && first->missing != NULL)
        absent = first->missing;
    for (unsigned i = 0; i < kernel->branch_count && i + 1 < depth; i++)
        verdict_branch(outcome_verdicts_next(verdicts), trial, i,
                       m->recording_count > 0 && first->taken ? &first->stack : NULL, absent,
                       window_return_of(m->registers->ring_3));
    for (unsigned i = 0; kernel->branch_count == 0 && i < m->recording_count; i++)
        verdict_recording(outcome_verdicts_next(verdicts), trial, &lane->recordings[i], absent,
                          window_return_of(m->registers->ring_3));
}

static void judge_methods(struct run_verdicts *verdicts, const struct lane *lane,
                          const struct trial *trial)
{
    if (trial->results == NULL || !lane->asked.both) {
        verdict_methods(outcome_verdicts_next(verdicts), trial, NULL);
        return;
    }
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];

        if (verdict_has_methods(trial, node))
            verdict_methods(outcome_verdicts_next(verdicts), trial, node);
    }
}

static void judge_expectations(struct run_verdicts *verdicts, const struct lane *lane,
                               const struct trial *trial)
{
    struct measured_core *core = lane->core;

    for (unsigned i = 0; i < trial->experiment->kernel->expectation_count; i++) {
        struct verdict *verdict;
        struct pin pin;

        if (verdict_beside_replaces(trial, i))
            continue;
        verdict = outcome_verdicts_next(verdicts);
        verdict_expectation(verdict, trial, i);
        if (trial->experiment->self_check)
            recheck_tell(&lane->recheck, i, verdict);
        if (core->exactness.events != NULL && verdict_pin(trial, i, &pin))
            exactness_note(&core->exactness, trial->description, pin.event, pin.expected,
                           pin.measured, pin.exact);
    }
}

static void judge_identities(struct run_verdicts *verdicts, const struct lane *lane,
                             const struct trial *trial)
{
    struct verdict verdict;

    for (unsigned i = 0; i < IDENTITIES; i++)
        if (verdict_identity(&verdict, trial, &lane->measurement, i))
            *outcome_verdicts_next(verdicts) = verdict;
}

static struct verdict *next_verdict(void *verdicts)
{
    return outcome_verdicts_next(verdicts);
}

/* A node that the CPU's description does not know is a skip where a level below the first is its
 * place: a built-in kernel's is, and an own kernel's leaf may be a misspelt name. */
static bool has_leaf(const struct own_kernel *own, const struct trial *trial)
{
    const struct kernel *kernel = trial->experiment->kernel;

    return verdict_has_leaf(trial) ||
           (kernel->leaf[0] != '\0' && verdict_leaf_node(trial) == NULL &&
            own_kernel_of(own, kernel) != NULL);
}

/* A kernel of which nothing is claimed is there to be measured: what kept it from that is said. */
static void judge_presence(struct run_verdicts *verdicts, const struct lane *lane,
                           const struct trial *trial)
{
    struct verdict *verdict;

    if (trial->blocked == NULL || lane->failed || verdicts->count > 0)
        return;
    verdict = outcome_verdicts_next(verdicts);
    verdict_begin(verdict, trial, "is measured");
    verdict_skip(verdict, trial->blocked);
}

static void judge(struct run_verdicts *verdicts, const struct config *config,
                  const struct own_kernel *own, struct lane *lane, const struct trial *trial)
{
    outcome_verdicts_begin(verdicts);
    judge_expectations(verdicts, lane, trial);
    judge_recordings(verdicts, lane, trial);
    pebs_judge(lane->job.pebs, trial, lane->measurement.what, next_verdict, verdicts);
    judge_identities(verdicts, lane, trial);
    for (unsigned i = 0; i < BESIDE_NODES; i++)
        if (verdict_has_beside(trial, i))
            verdict_beside(outcome_verdicts_next(verdicts), trial, i);
    if (trial->corunner != NULL)
        return;
    if (trial->experiment->family_node != NULL)
        verdict_family(outcome_verdicts_next(verdicts), trial);
    if (trial->experiment->kernel->doses == 0 && has_leaf(own, trial))
        verdict_leaf(outcome_verdicts_next(verdicts), trial);
    if (config->both)
        judge_methods(verdicts, lane, trial);
}

/* Without these nothing can be said of a core: passes are compared by their cycles, and samples are
 * judged by both. */
static bool is_basic(const struct event *event)
{
    return strcmp(event->name, "INST_RETIRED.ANY") == 0 ||
           strcmp(event->name, "CPU_CLK_UNHALTED.THREAD") == 0;
}

/* What the self-check made of expectation `index`: an event that was off each time is refused, and
 * when everything rests on it the core is not trusted. */
static void note_miscount(struct measured_core *core, const struct lane *lane,
                          const struct trial *trial, unsigned index, const struct verdict *verdict)
{
    const enum miscount result = recheck_result(&lane->recheck, index);
    const bool fails = verdict->outcome == VERDICT_FAIL;
    struct pinned *pinned;
    struct pin pin;

    if (!fails && result == MISCOUNT_NONE)
        return;
    if (core->exactness.events == NULL || !verdict_pin(trial, index, &pin) ||
        (fails && (is_basic(pin.event) || result < MISCOUNT_NOISY))) {
        if (fails)
            measured_core_distrust(core, verdict->text);
        return;
    }
    pinned = &core->exactness.events[pin.event - trial->description->events];
    if (result > pinned->miscount)
        pinned->miscount = result;
}

/* The self-check decides which events are trusted; and whether the core is, when something on which
 * everything rests was off, or nothing could be counted. */
static void judge_trust(const struct run_verdicts *verdicts, const struct lane *lane,
                        const struct trial *trial)
{
    const struct experiment *experiment = trial->experiment;
    struct measured_core *core = lane->core;

    for (unsigned i = 0; experiment->self_check && i < verdicts->count; i++) {
        const struct verdict *verdict = &verdicts->of[i];

        if (verdict->expectation == 0)
            continue;
        if (verdict->outcome == VERDICT_PASS)
            core->proven++;
        note_miscount(core, lane, trial, verdict->expectation - 1, verdict);
    }
    if (!experiment->self_check && core->proven == 0 && trial->blocked == NULL)
        measured_core_distrust(core, "the self-check could count nothing");
}

bool outcome_recheck(struct judged *judged, struct lane *lane, const struct experiment *experiment)
{
    struct extra extras[PARAMETERS_MAX];
    struct trial trial;

    if (!lane_counted(lane))
        return false;
    outcome_trial(judged, lane, experiment, extras, &trial);
    return recheck_look(&lane->recheck, &trial);
}

void outcome_failed(struct run_verdicts *verdicts, const struct lane *lane, const char *kernel)
{
    if (!lane->failed)
        return;
    outcome_verdicts_log_text(verdicts, false, "core %u %s runs: %s", lane->core->core, kernel,
                              lane->blocked);
}

void outcome_lost(const struct lane *lane, const char *kernel)
{
    if (lane_lost(lane))
        measured_core_give_up(lane->core, kernel);
}

/* Whether an earlier pass was given up for the same register. */
static bool is_said(const struct measurement *m, unsigned pass)
{
    for (unsigned i = 0; i < pass; i++)
        if (m->passes[i].why != NULL && strcmp(m->passes[i].where, m->passes[pass].where) == 0)
            return true;
    return false;
}

void outcome_trouble(const struct measured_core *core, const struct measurement *m)
{
    bool said = false;

    for (unsigned i = 0; m->plan != NULL && i < m->plan->pass_count; i++) {
        if (m->passes[i].why == NULL || is_said(m, i))
            continue;
        measured_core_trouble(core, m->kernel->name, m->passes[i].why, m->passes[i].where);
        said = true;
    }
    if (m->what != NULL && !said)
        measured_core_trouble(core, m->kernel->name, m->what, m->where);
}

/* Of the full form; the brief form has a `result` record in their place. */
static void send_records(const struct judged *judged, const struct lane *lane,
                         const struct trial *trial)
{
    const struct measured_core *core = lane->core;
    const struct measurement *m = &lane->measurement;
    const enum log_form before = log_into(LOG_FULL);

    record_kernel(core, trial->experiment->kernel, m, trial->results);
    record_counts(core, m);
    if (trial->description->method != TOPDOWN_NONE)
        record_topdown(core, trial, m, judged->repeats);
    if (lane->asked.both)
        record_methods(core, trial, m);
    record_cpi(core, m, trial->results);
    if (m->recording_count > 0 && m->recordings[0].taken) {
        record_lbr(core, m);
        if (m->kernel->branch_count == 0)
            record_edges(core, m);
    }
    record_guard(core, m);
    log_into(before);
    pebs_report(core, m, lane->job.pebs);
}

static void fill_row(const struct config *config, const struct trial *trial, struct table_row *row)
{
    const struct node *columns[TABLE_NODES];
    const unsigned count = table_columns(trial->description, config->levels, columns);
    double cycles, instructions;
    const char *reason;

    row->filled = true;
    row->core = trial->core;
    row->description = trial->description;
    row->levels = config->levels;
    for (unsigned i = 0; i < count; i++) {
        const struct formula_result *result = trial_node(trial, columns[i]);

        row->known[i] = result->finite;
        row->nodes[i] = result->value;
    }
    row->cpi_known = results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) &&
                     results_value(trial->results, "INST_RETIRED.ANY", &instructions, &reason) &&
                     instructions > 0;
    if (row->cpi_known)
        row->cpi = cycles / instructions;
}

static void note_counted(const struct config *config, struct lane *lane, const struct trial *trial,
                         struct table_row *row)
{
    measured_core_note(lane->core, trial);
    outcome_lost(lane, trial->experiment->kernel->name);
    row->filled = row->cpi_known = false; /* by an earlier round */
    if (trial->results == NULL)
        return;
    measured_core_discarded(lane->core, lane->measurement.discarded);
    fill_row(config, trial, row);
}

static void report_counted(const struct judged *judged, struct run_verdicts *verdicts,
                           const struct lane *lane, const struct trial *trial)
{
    if (lane->ready)
        outcome_trouble(lane->core, &lane->measurement);
    if (trial->results != NULL)
        send_records(judged, lane, trial);
    outcome_failed(verdicts, lane, trial->experiment->kernel->name);
}

/* The nodes that the configuration wants explained. */
static void explain_asked(const struct config *config, const struct lane *lane,
                          const struct trial *trial)
{
    for (unsigned i = 0; trial->results != NULL && i < config->explain_count; i++) {
        const struct node *node = selection_node(trial->description, config->explain[i]);

        if (node != NULL)
            explain_node(trial, &lane->measurement, node);
    }
}

/* A line for people while the run goes on. */
static void log_progress(const struct trial *trial, const struct table_row *row,
                         const struct log_totals *before)
{
    const enum log_form form = log_into(LOG_FULL);
    struct log_totals now = log_totals();
    char cpi[24] = "-";

    if (row->cpi_known)
        format(cpi, sizeof(cpi), "%.2f", row->cpi);
    log_comment("core %u %s: CPI %s, %llu ok, %llu not ok, %llu skipped", trial->core,
                trial->experiment->kernel->name, cpi,
                (unsigned long long)(now.passed - before->passed),
                (unsigned long long)(now.failed - before->failed),
                (unsigned long long)(now.skipped - before->skipped));
    log_into(form);
}

void outcome_report(struct run *run, struct lane *lane, const struct experiment *experiment,
                    struct table_row *row)
{
    struct extra extras[PARAMETERS_MAX];
    struct log_totals before = log_totals();
    struct trial trial;

    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    judge(&run->verdicts, &run->config, run->own, lane, &trial);
    judge_presence(&run->verdicts, lane, &trial);
    judge_trust(&run->verdicts, lane, &trial);
    note_counted(&run->config, lane, &trial, row);
    if (!outcome_brief_said(run, lane, &trial, row, 0))
        return;
    report_counted(&run->judged, &run->verdicts, lane, &trial);
    if (outcome_verdicts_log(&run->verdicts, lane->core, &trial))
        outcome_brief(run, lane, &trial, row);
    explain_asked(&run->config, lane, &trial);
    outcome_rotation(&run->config, &run->judged, &run->verdicts, lane, &trial);
    log_progress(&trial, row, &before);
}

/* The node's share at this dose; a dose at which it has no value leaves a gap. */
static void add_point(struct lane *lane, const struct trial *trial)
{
    const struct node *node = verdict_leaf_node(trial);
    const struct formula_result *result;
    double tolerance;

    if (trial->results == NULL || node == NULL || lane->point_count == DOSE_STEPS)
        return;
    result = trial_node(trial, node);
    if (!result->finite)
        return;
    tolerance = trial_tolerance(trial, node);
    lane->tolerance = tolerance > lane->tolerance ? tolerance : lane->tolerance;
    lane->points[lane->point_count++] =
        (struct dose_point){(double)lane->measurement.dose, result->value};
}

/* Why no straight line is to be expected of the doses, in `why`; null: one is. */
static const char *why_no_line(const struct lane *lane, const struct trial *trial, char *why,
                               size_t size)
{
    const struct kernel *kernel = trial->experiment->kernel;
    const double n = (double)lane->measurement.n;
    const char *reason;
    double cycles;

    if (lane->point_count < kernel->doses) {
        format(why, size, "its node has a value at %u of %u doses", lane->point_count,
               (unsigned)kernel->doses);
        return why;
    }
    if (kernel->straight_most == 0 ||
        !results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) ||
        (cycles >= n * (double)kernel->straight_least &&
         cycles <= n * (double)kernel->straight_most))
        return NULL;
    format(why, size, "the last dose takes %.0f cycles, and %llu to %llu make a straight line",
           cycles / n, (unsigned long long)kernel->straight_least,
           (unsigned long long)kernel->straight_most);
    return why;
}

#define NO_LINE 100 /* bytes of why there is none */

/* `why` outlives the trial. */
static void judge_doses(struct run_verdicts *verdicts, const struct lane *lane, struct trial *trial,
                        struct dose_line *line, char why[NO_LINE])
{
    if (trial->blocked == NULL && verdict_leaf_node(trial) != NULL)
        trial->blocked = why_no_line(lane, trial, why, NO_LINE);
    dose_fit(line, lane->points, lane->point_count);
    verdict_dose(outcome_verdicts_next(verdicts), trial, line, lane->tolerance);
}

static void report_doses(struct run *run, struct lane *lane, const struct trial *trial,
                         const struct dose_line *line, struct table_row *row)
{
    const struct node *node = verdict_leaf_node(trial);

    if (trial->results != NULL && node != NULL)
        record_dose(lane->core, trial, node, lane->points, lane->point_count, line);
    if (outcome_verdicts_log(&run->verdicts, lane->core, trial))
        outcome_brief(run, lane, trial, row);
}

void outcome_dose(struct run *run, struct lane *lane, const struct experiment *experiment,
                  unsigned step, struct table_row *row)
{
    const bool last = step + 1 == experiment->kernel->doses;
    struct extra extras[PARAMETERS_MAX];
    struct log_totals before = log_totals();
    struct dose_line line;
    struct trial trial;
    char why[NO_LINE];

    if (step == 0) {
        lane->point_count = 0;
        lane->tolerance = 0;
    }
    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    judge(&run->verdicts, &run->config, run->own, lane, &trial);
    add_point(lane, &trial);
    note_counted(&run->config, lane, &trial, row);
    if (last)
        judge_doses(&run->verdicts, lane, &trial, &line, why);
    else
        outcome_verdicts_keep_failures(&run->verdicts);
    if (!outcome_brief_said(run, lane, &trial, row, step))
        return;
    report_counted(&run->judged, &run->verdicts, lane, &trial);
    if (last) {
        report_doses(run, lane, &trial, &line, row);
        log_progress(&trial, row, &before);
        return;
    }
    if (run->verdicts.count > 0)
        log_comment("at dose %u:", (unsigned)lane->measurement.dose);
    outcome_verdicts_log(&run->verdicts, lane->core, &trial);
}
