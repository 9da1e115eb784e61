#include "cascade.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/judge/measured_core_run.h"
#include "harness/measure/cascade_windows.h"
#include "outcome.h"
#include "outcome_trial.h"
#include "outcome_verdicts.h"
#include "pmu/kind.h"

#define KERNEL "cal.instructions"
#define EVENT  "INST_RETIRED.ANY"

static const char *name_of(enum cascading how)
{
    return how == CASCADING ? "CASCADE" : "EXTENDED_CASCADE";
}

/* What n iterations count without a cascade. False: they were not counted. */
static bool counted(struct run *run, struct lane *lane, const struct experiment *experiment,
                    double *value)
{
    struct extra extras[PARAMETERS_MAX];
    struct trial trial;
    const char *reason;

    outcome_trial(run, lane, experiment, extras, &trial);
    return trial.results != NULL && results_value(trial.results, EVENT, value, &reason);
}

static const char *plan(struct cascade_windows *windows, const struct measured_core *core,
                        enum cascading how)
{
    const struct event *event = description_event(core->description, EVENT);
    const struct pmu_kind *kind = kind_of(&core->facts);
    const char *why;

    if (event == NULL)
        return "this CPU's description does not name " EVENT;
    why =
        kind->cascade(&windows->early, &core->facts, core->description, event, how, CASCADE_EARLY);
    return why != NULL ? why
                       : kind->cascade(&windows->late, &core->facts, core->description, event, how,
                                       CASCADE_LATE);
}

/* The second counter begins with the cycle behind the overflow: of the instructions that retire in
 * the overflow's own cycle it misses all but the one that overflows, at most. */
static void conclude(struct run *run, const struct lane *lane, const char *claim, int64_t count,
                     int64_t expected)
{
    const int64_t most = (int64_t)lane->core->description->width - 1;
    char text[280];

    format(text, sizeof(text), "core %u %s %lld in [%lld, %lld]", lane->core->core, claim,
           (long long)count, (long long)(expected - most), (long long)(expected + most));
    outcome_verdicts_log_text(run, count >= expected - most && count <= expected + most, text);
}

static void judge(struct run *run, const struct lane *lane, const struct cascade_windows *windows,
                  enum cascading how, double expected)
{
    char claim[160];

    format(claim, sizeof(claim),
           "%s: started by counter %u %u instructions later, counter %u counts fewer by",
           name_of(how), windows->early.first, CASCADE_LATE - CASCADE_EARLY, windows->early.second);
    conclude(run, lane, claim, (int64_t)(windows->counted_early - windows->counted_late),
             CASCADE_LATE - CASCADE_EARLY);
    format(claim, sizeof(claim), "%s: in n iterations more, counter %u counts more by",
           name_of(how), windows->early.second);
    conclude(run, lane, claim, (int64_t)(windows->counted_twice - windows->counted_early),
             (int64_t)(expected < 0 ? expected - 0.5 : expected + 0.5));
}

static void check(struct run *run, struct lane *lane, const struct experiment *experiment,
                  enum cascading how)
{
    struct measured_core *core = lane->core;
    struct cascade_windows windows = {.measurement = &lane->measurement};
    double expected;
    const char *why = counted(run, lane, experiment, &expected) ? plan(&windows, core, how)
                                                                : EVENT " was not counted";
    bool back;

    if (why == NULL && core->untrusted)
        why = core->distrust;
    if (why != NULL) {
        log_skip(why, "core %u %s", core->core, name_of(how));
        return;
    }
    memset(lane->measurement.discarded, 0, sizeof(lane->measurement.discarded));
    back =
        measured_core_run(core, cascade_windows_work, &windows,
                          (uint64_t)run->config.timeout * 1000000, "its counters", "were cascaded");
    measured_core_discarded(core, lane->measurement.discarded);
    if (!back) {
        outcome_verdicts_log_text(run, false, core->why);
    } else if (!windows.done) {
        outcome_trouble(core, &lane->measurement);
        measured_core_give_up(core, lane->measurement.kernel->name);
        log_skip(lane->measurement.what, "core %u %s", core->core, name_of(how));
    } else {
        judge(run, lane, &windows, how, expected);
    }
}

void cascade_check(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    if (kind_of(&lane->core->facts)->cascade == NULL || lane->core->facts.absent != NULL ||
        lane->failed || strcmp(experiment->kernel->name, KERNEL) != 0)
        return;
    lane->measurement.kernel = experiment->kernel;
    run->kernel_running = experiment->kernel->name;
    check(run, lane, experiment, CASCADING);
    if (!lane->core->lost)
        check(run, lane, experiment, EXTENDED_CASCADING);
    run->kernel_running = NULL;
}
