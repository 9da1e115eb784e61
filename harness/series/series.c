#include "series.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "choose_corunner.h"
#include "core_wide.h"
#include "duty.h"
#include "harness/experiment/cascade/cascade.h"
#include "harness/experiment/timeline/timeline_record.h"
#include "harness/outcome/cut.h"
#include "harness/outcome/outcome.h"
#include "harness/outcome/outcome_brief.h"
#include "harness/outcome/outcome_exactness.h"
#include "harness/outcome/outcome_trial.h"
#include "harness/outcome/outcome_verdicts.h"
#include "harness/run/progress.h"
#include "harness/survey/compare_again.h"
#include "harness/survey/restore.h"
#include "launch.h"
#include "measure_twice.h"
#include "prepare.h"

/* The sibling thread, which was the corunner, is measured in its turn; now the first thread is the
 * corunner, with the kernel that was measured on it. A kernel of the user's own is no corunner: it
 * would run outside of its cell. */
static void measure_sibling(struct run *run, const struct lane *first, struct lane *lane,
                            struct experiment *experiment, unsigned dose)
{
    if (own_kernel_of(run->own, experiment->kernel) != NULL) {
        log_skip("a kernel of the user's own loads no other thread",
                 "core %u %s beside %s: all verdicts", first->corunner_core->core,
                 run->experiments.sibling_load->kernel->name, experiment->kernel->name);
        return;
    }
    lane->core = first->corunner_core;
    lane->sibling_load = experiment;
    lane->sibling_dose = dose;
    measure_twice(run, lane, 1, run->experiments.sibling_load, 0);
    outcome_report(run, lane, run->experiments.sibling_load, &run->rows.sibling);
    compare_again_reported(lane->core);
}

static void report(struct run *run, struct lane *lane, unsigned number, unsigned step)
{
    const unsigned core = (unsigned)(lane->core - run->cores.of);
    struct experiment *experiment = &run->experiments.of[number];
    struct table_row *row = &run->rows.of[number * run->rows.cores + core];

    if (experiment->kernel->doses > 0)
        outcome_dose(run, lane, experiment, step, row);
    else
        outcome_report(run, lane, experiment, row);
    compare_again_reported(lane->core);
    progress_reported(&run->progress, experiment->kernel->name, row);
}

static void log_claim(void *verdicts, bool holds, const char *text)
{
    outcome_verdicts_log_text(verdicts, holds, "%s", text);
}

/* The profile of a kernel that was counted, where it has a map. */
static void sample(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    struct extra extras[PARAMETERS_MAX];
    struct sampling_job job = {
        .sampling = run->sampling,
        .config = &run->config,
        .core = lane->core,
        .measurement = &lane->measurement,
        .pool = &run->round_pool,
        .verdict = log_claim,
        .context = &run->verdicts,
    };
    struct trial trial;

    if (!sampling_wanted(&run->config, experiment->kernel->name) || lane->failed ||
        experiment->kernel->cause != NULL || lane->core->silent)
        return;
    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    job.results = trial.results;
    job.given = &trial.counts;
    lane->measurement.kernel = experiment->kernel;
    cores_name_work(experiment->kernel->name);
    sampling_kernel(&job);
    cores_name_work(NULL);
}

/* Where each method's samples of a kernel with a known cause land. */
static void measure_skid(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    struct extra extras[PARAMETERS_MAX];
    struct skid_job job = {
        .skid = run->skid,
        .config = &run->config,
        .core = lane->core,
        .measurement = &lane->measurement,
        .verdict = log_claim,
        .context = &run->verdicts,
    };
    struct trial trial;

    if (!skid_wanted(&run->config, experiment->kernel) || lane->failed || lane->core->silent)
        return;
    outcome_trial(&run->judged, lane, experiment, extras, &trial);
    job.results = trial.results;
    lane->measurement.kernel = experiment->kernel;
    cores_name_work(experiment->kernel->name);
    skid_kernel(&job);
    cores_name_work(NULL);
}

/* How precise the bytes of PERF_METRICS are by the time since their reset. */
static void measure_precision(struct run *run, struct lane *lane,
                              const struct experiment *experiment)
{
    struct precision_job job = {
        .precision = run->precision,
        .config = &run->config,
        .core = lane->core,
        .measurement = &lane->measurement,
        .verdict = log_claim,
        .context = &run->verdicts,
    };

    if (run->precision == NULL || !precision_wanted(&run->config, experiment->kernel) ||
        lane->failed || lane->core->silent)
        return;
    lane->measurement.kernel = experiment->kernel;
    job.own = lane->measurement.cell != NULL;
    cores_name_work(experiment->kernel->name);
    precision_kernel(&job);
    cores_name_work(NULL);
}

/* What the kernel counted in this lane. */
static void fill_overhead(struct judged *judged, bool time_estimated, struct lane *lane,
                          const struct experiment *experiment, struct overhead_lane *to)
{
    struct extra extras[PARAMETERS_MAX];
    struct trial trial;
    const char *reason;

    *to = (struct overhead_lane){.core = lane->core, .measurement = &lane->measurement};
    memset(lane->measurement.discarded, 0, sizeof(lane->measurement.discarded));
    if (lane->failed)
        to->blocked = "the kernel could not run";
    else if (time_estimated)
        to->blocked = "the virtual rig estimates the time in which nothing counts, unless --full";
    else if (lane->corunner_core != NULL)
        to->blocked = "the sibling is loaded; with both threads at work: parallel = yes";
    if (to->blocked != NULL)
        return;
    outcome_trial(judged, lane, experiment, extras, &trial);
    lane->measurement.kernel = experiment->kernel;
    if (trial.results == NULL)
        return;
    (void)results_value(trial.results, "CPU_CLK_UNHALTED.THREAD", &to->cycles, &reason);
    (void)results_value(trial.results, "BR_INST_RETIRED.NEAR_TAKEN", &to->taken, &reason);
}

/* The overhead table of a kernel that was counted, where it has a map. */
static void measure_overhead(struct run *run, struct lane *lanes, unsigned count,
                             const struct experiment *experiment)
{
    struct overhead_lane overhead_lanes[CORES_MAX];
    struct overhead_job job = {
        .overhead = run->overhead,
        .config = &run->config,
        .lanes = overhead_lanes,
        .kernel = experiment->kernel->name,
        .verdict = log_claim,
        .context = &run->verdicts,
    };

    if (run->overhead == NULL || !overhead_wanted(&run->config, experiment->kernel->name))
        return;
    for (unsigned i = 0; i < count; i++)
        if (!lanes[i].core->silent)
            fill_overhead(&run->judged, run->time_estimated, &lanes[i], experiment,
                          &overhead_lanes[job.count++]);
    if (job.count == 0)
        return;
    cores_name_work(experiment->kernel->name);
    overhead_kernel(&job);
    for (unsigned i = 0; i < count; i++)
        measured_core_discarded(lanes[i].core, lanes[i].measurement.discarded);
    cores_name_work(NULL);
}

/* Cascades of counters, on the cores that have them. */
static void check_cascade(struct judged *judged, struct run_verdicts *verdicts,
                          const struct config *config, struct lane *lane,
                          const struct experiment *experiment)
{
    struct extra extras[PARAMETERS_MAX];
    struct cascade_job job = {
        .core = lane->core,
        .measurement = &lane->measurement,
        .timeout_us = (uint64_t)config->timeout * 1000000,
        .verdict = log_claim,
        .context = verdicts,
    };
    struct trial trial;
    const char *reason;

    if (lane->failed || !cascade_wanted(lane->core, experiment->kernel))
        return;
    outcome_trial(judged, lane, experiment, extras, &trial);
    job.counted = trial.results != NULL &&
                  results_value(trial.results, CASCADE_EVENT, &job.expected, &reason);
    lane->measurement.kernel = experiment->kernel;
    cores_name_work(experiment->kernel->name);
    cascade_check(&job);
    cores_name_work(NULL);
}

/* Kernel number `number` on the cores of these lanes, at each of its doses. */
static void measure_kernel(struct run *run, struct lane *lanes, unsigned count, unsigned number)
{
    struct lane *sibling_lane = &run->lanes.of[run->lanes.count];
    struct experiment *experiment = &run->experiments.of[number];
    const uint64_t doses = experiment->kernel->doses;

    lanes->sibling_load = choose_sibling_load(&run->experiments, lanes, experiment);
    for (unsigned step = 0; step < (doses > 0 ? doses : 1); step++) {
        const unsigned dose = doses > 0 ? dose_of_step(doses, step) : 0;

        measure_twice(run, lanes, count, experiment, dose);
        for (unsigned i = 0; i < count; i++)
            report(run, &lanes[i], number, step);
        for (unsigned i = 0; i < count; i++)
            sample(run, &lanes[i], experiment);
        for (unsigned i = 0; i < count; i++)
            measure_skid(run, &lanes[i], experiment);
        for (unsigned i = 0; i < count; i++)
            measure_precision(run, &lanes[i], experiment);
        measure_overhead(run, lanes, count, experiment);
        for (unsigned i = 0; i < count; i++)
            check_cascade(&run->judged, &run->verdicts, &run->config, &lanes[i], experiment);
        if (lanes->sibling_load != NULL && lanes->ready) {
            measure_sibling(run, lanes, sibling_lane, experiment, dose);
            core_wide_measure(run, lanes, sibling_lane, experiment);
            duty_measure(run, lanes, experiment, dose);
        }
        progress_done(&run->progress);
    }
    log_flush_soon();
    cut_look(run, experiment->kernel->name, lanes[count - 1].core->core);
}

/* Kernels `from` up to, not including, `to`; those after ESC are left out. */
static void measure_kernels(struct run *run, struct lane *lanes, unsigned count, unsigned from,
                            unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        if (progress_next(&run->progress, i)) {
            measure_kernel(run, lanes, count, i);
            continue;
        }
        for (unsigned j = 0; j < count; j++)
            lanes[j].core->left_out++;
    }
}

/* Why the lane has no timeline; null: it has one. */
static const char *timeline_refused(const struct lane *lane)
{
    if (!lane_counted(lane))
        return lane->blocked;
    return lane->measurement.what != NULL ? lane->measurement.what : lane->timeline->absent;
}

static void report_timeline(struct run_verdicts *verdicts, struct lane *lane, const char *kernel)
{
    const struct measured_core *core = lane->core;
    const struct measurement *m = &lane->measurement;
    const char *refused = timeline_refused(lane);
    char text[sizeof(verdicts->of->text)], why[160];
    bool holds;

    if (lane->ready) {
        outcome_trouble(core, m);
        measured_core_discarded(lane->core, m->discarded);
    }
    outcome_failed(verdicts, lane, kernel);
    outcome_lost(lane, kernel);
    if (refused != NULL && outcome_verdicts_silent(lane->core, kernel))
        return;
    if (refused != NULL) {
        log_skip(refused, "core %u %s timeline", core->core, kernel);
        return;
    }
    timeline_record(core, m, lane->timeline);
    holds = timeline_verdict(core, m, lane->timeline, text, sizeof(text), why, sizeof(why));
    if (why[0] != '\0' || core->untrusted)
        log_skip(why[0] != '\0' ? why : core->distrust, "%s", text);
    else
        outcome_verdicts_log_text(verdicts, holds, "%s", text);
}

/* The kernel of `timeline`, on the cores of these lanes. */
static void measure_timeline(struct run *run, struct lane *lanes, unsigned count)
{
    const struct experiment *experiment = run->experiments.timeline;

    if (experiment == NULL || run->progress.stopped)
        return;
    for (unsigned i = 0; i < count; i++)
        prepare_timeline(run, &lanes[i]);
    launch_lanes(run, lanes, count, experiment->kernel->name);
    for (unsigned i = 0; i < count; i++)
        report_timeline(&run->verdicts, &lanes[i], experiment->kernel->name);
    log_flush_soon();
}

/* What was not said of the core's round is a claim that holds. */
static void log_unsaid(struct run_verdicts *verdicts, struct rounds *rounds,
                       const struct measured_core *core)
{
    if (core->unsaid == 0)
        return;
    outcome_verdicts_log_text(verdicts, true, "core %u round %llu: %u results as in round 1",
                              core->core, (unsigned long long)rounds->number, core->unsaid);
    rounds->claims++;
}

static void finish_core(struct run *run, struct measured_core *core)
{
    outcome_brief_agreed(core);
    log_unsaid(&run->verdicts, &run->rounds, core);
    if (core->left_out > 0)
        log_skip(run->cut.stops ? "the log file has no room for more: the run ended early"
                                : "ESC was pressed: the run ended early",
                 "core %u the last %u kernels", core->core, core->left_out);
    compare_again_reported(core);
    compare_at_end(&run->comparison, &run->verdicts, core);
    if (run->rounds.number == 1)
        outcome_exactness(&run->config, core);
    if (!rounds_wanted(&run->rounds))
        restore_core(core);
}

static void run_in_parallel(struct run *run)
{
    for (unsigned i = 0; i < run->cores.count; i++)
        run->lanes.of[i].core = &run->cores.of[i];
    measure_kernels(run, run->lanes.of, run->cores.count, 0, run->experiments.count);
    measure_timeline(run, run->lanes.of, run->cores.count);
    for (unsigned i = 0; i < run->cores.count; i++)
        finish_core(run, &run->cores.of[i]);
}

/* How many of the kernels, which are the first, check the cores themselves. */
static unsigned self_checks(const struct run_experiments *experiments)
{
    unsigned count = 0;

    while (count < experiments->count && experiments->of[count].self_check)
        count++;
    return count;
}

/* With sibling threads loaded, a core is measured in its sibling's turn too: so all are checked
 * before and finished after. */
static void run_in_turn(struct run *run)
{
    const bool siblings = run->experiments.sibling_load != NULL;
    const unsigned checks = siblings ? self_checks(&run->experiments) : 0;
    struct lane *lane = run->lanes.of;

    for (unsigned i = 0; i < run->cores.count && checks > 0; i++) {
        lane->core = &run->cores.of[i];
        measure_kernels(run, lane, 1, 0, checks);
    }
    for (unsigned i = 0; i < run->cores.count; i++) {
        lane->core = &run->cores.of[i];
        measure_kernels(run, lane, 1, checks, run->experiments.count);
        measure_timeline(run, lane, 1);
        if (!siblings)
            finish_core(run, &run->cores.of[i]);
    }
    for (unsigned i = 0; i < run->cores.count && siblings; i++)
        finish_core(run, &run->cores.of[i]);
}

void series_run(struct run *run)
{
    progress_begin(&run->progress, &run->experiments, run->config.parallel ? 1 : run->cores.count);
    if (run->config.parallel)
        run_in_parallel(run);
    else
        run_in_turn(run);
}
