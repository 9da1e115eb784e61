#include "measure_twice.h"

#include "boot/machine/cores.h"
#include "boot/machine/pmi.h"
#include "boot/text.h"
#include "drill.h"
#include "harness/doubt/records_doubt.h"
#include "harness/outcome/outcome.h"
#include "harness/outcome/outcome_trial.h"
#include "harness/survey/compare_again.h"
#include "launch.h"
#include "prepare.h"

/* How often a kernel is measured from the start, at most, because its counters did not agree. */
#define STARTS 3u

/* The next step of a drill-down. False: no lane has one. */
static bool go_deeper(struct judged *judged, struct lane *lanes, unsigned count,
                      const struct experiment *experiment, const bool *takes_part)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        if (lanes[i].drill == NULL || !takes_part[i])
            continue;
        lanes[i].idle = !drill_deeper(judged, &lanes[i], experiment);
        memset(&lanes[i].rendezvous, 0, sizeof(lanes[i].rendezvous));
        any = any || !lanes[i].idle;
    }
    return any;
}

/* The lanes that take no part keep what they measured before. */
static void measure_some(struct run *run, struct lane *lanes, unsigned count,
                         struct experiment *experiment, unsigned dose, const bool *takes_part)
{
    for (unsigned i = 0; i < count; i++) {
        if (takes_part[i])
            prepare_lane(run, &lanes[i], experiment, dose);
        else
            lanes[i].idle = true;
    }
    if (run->config.pebs)
        pmi_install();
    do {
        launch_lanes(run, lanes, count, experiment->kernel->name);
    } while (go_deeper(&run->judged, lanes, count, experiment, takes_part));
    if (run->config.pebs)
        pmi_uninstall();
}

/* What was measured is replaced: only the windows that guards threw away stay counted. */
static void measure_again(struct run *run, struct lane *lanes, unsigned count,
                          struct experiment *experiment, unsigned dose, const bool *again)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(lanes[i].look.discarded, lanes[i].measurement.discarded,
               sizeof(lanes[i].look.discarded));
    measure_some(run, lanes, count, experiment, dose, again);
    for (unsigned i = 0; i < count; i++)
        for (unsigned guard = 0; again[i] && guard < GUARD_KINDS; guard++)
            lanes[i].measurement.discarded[guard] += lanes[i].look.discarded[guard];
}

/* Looks at what the lanes measured that took part. Returns whether a count is off in one of them;
 * off[i] says whether in lane i. */
static bool counts_are_off(struct judged *judged, struct lane *lanes, unsigned count,
                           const struct experiment *experiment, bool *off)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        off[i] = off[i] && outcome_recheck(judged, &lanes[i], experiment);
        any = any || off[i];
    }
    return any;
}

/* A kernel of the self-check, again where a count is off. Returns whether some lane was measured
 * again. */
static bool check_again(struct run *run, struct lane *lanes, unsigned count,
                        struct experiment *experiment)
{
    bool off[CORES_MAX], any = false;

    memset(off, true, sizeof(off));
    for (unsigned i = 0; i < count; i++)
        memset(&lanes[i].recheck, 0, sizeof(lanes[i].recheck));
    for (unsigned i = 0;
         counts_are_off(&run->judged, lanes, count, experiment, off) && i < RECHECKS; i++) {
        measure_again(run, lanes, count, experiment, 0, off);
        any = true;
    }
    return any;
}

static bool wants_second_look(struct judged *judged, struct lane *lane,
                              const struct experiment *experiment)
{
    struct extra extras[PARAMETERS_MAX];
    struct trial trial;

    second_look_forget(&lane->look);
    if (!lane_counted(lane) || lane->measurement.plan == NULL)
        return false;
    outcome_trial(judged, lane, experiment, extras, &trial);
    return second_look_wanted(&lane->look, &trial, &lane->measurement);
}

static void say_outliers(struct judged *judged, const struct lane *lane)
{
    const bool counted = lane_counted(lane);

    if (counted)
        results_make(&judged->results, &lane->measurement);
    record_outliers(lane->core, &lane->measurement, &lane->look, counted ? &judged->results : NULL);
}

/* Cores that were measured together share caches, and threads a core: they are measured together
 * again. Returns whether they were. */
static bool look_again(struct run *run, struct lane *lanes, unsigned count,
                       struct experiment *experiment, unsigned dose)
{
    bool wanted[CORES_MAX] = {false}, all[CORES_MAX], any = false;

    memset(all, true, sizeof(all));
    for (unsigned i = 0; i < count; i++) {
        wanted[i] = wants_second_look(&run->judged, &lanes[i], experiment);
        any = any || wanted[i];
    }
    if (!any)
        return false;
    measure_again(run, lanes, count, experiment, dose, all);
    for (unsigned i = 0; i < count; i++)
        if (wanted[i])
            say_outliers(&run->judged, &lanes[i]);
    return true;
}

/* off[i]: what lane i measured rests on counters that did not agree. A core whose fixed counters
 * are off is not measured at all. */
static bool compare(struct run_comparison *comparison, struct run_verdicts *verdicts,
                    struct lane *lanes, unsigned count, bool *off)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        off[i] = lanes[i].ready && compare_again(comparison, verdicts, lanes[i].core);
        if (off[i] && lanes[i].core->fixed_off) {
            lane_give_up(&lanes[i], lanes[i].core->distrust);
            off[i] = false;
        }
        any = any || off[i];
    }
    return any;
}

/* What a measurement of all lanes takes beside itself. Returns whether one of them rests on
 * counters that do not agree; off[i] says of which lanes. */
static bool is_off(struct run *run, struct lane *lanes, unsigned count,
                   struct experiment *experiment, unsigned dose, bool *off)
{
    bool again;

    if (compare(&run->comparison, &run->verdicts, lanes, count, off))
        return true;
    again = look_again(run, lanes, count, experiment, dose);
    again = (experiment->self_check && check_again(run, lanes, count, experiment)) || again;
    return again && compare(&run->comparison, &run->verdicts, lanes, count, off);
}

void measure_twice(struct run *run, struct lane *lanes, unsigned count,
                   struct experiment *experiment, unsigned dose)
{
    bool all[CORES_MAX], off[CORES_MAX];

    memset(all, true, sizeof(all));
    for (unsigned i = 0; i < STARTS; i++) {
        for (unsigned j = 0; j < count; j++)
            second_look_forget(&lanes[j].look);
        if (i == 0)
            measure_some(run, lanes, count, experiment, dose, all);
        else
            measure_again(run, lanes, count, experiment, dose, all);
        if (!is_off(run, lanes, count, experiment, dose, off))
            return;
    }
    for (unsigned i = 0; i < count; i++)
        if (off[i])
            lane_give_up(&lanes[i], "the core's counters did not agree after any of its windows");
}
