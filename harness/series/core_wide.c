#include "core_wide.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/outcome/outcome_core.h"
#include "launch.h"

/* The two threads' windows differ by some hundred cycles: an interrupt waits until the instructions
 * in flight have retired. Compared with a window of this many cycles that is little. */
#define CYCLES_WANTED 80000

/* By how much the iterations are multiplied, so that the windows become long enough. */
static uint64_t times_longer(struct judged *judged, const struct lane *lane)
{
    const char *reason;
    double cycles;

    results_make(&judged->results, &lane->measurement);
    if (!results_value(&judged->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) ||
        cycles < 1 || cycles >= CYCLES_WANTED)
        return 1;
    return (uint64_t)(CYCLES_WANTED / cycles) + 1;
}

/* The sibling's measurement: the same passes, with other words for the values. */
static bool make_sibling(struct sibling_counters *counters, struct lane *lane, struct lane *sibling)
{
    struct measurement *measured = &lane->measurement, *m = &sibling->measurement;

    if (!lane_take_words(sibling, measurement_words(measured->plan, measured->repeats)))
        return false;
    *m = *measured;
    m->facts = &lane->corunner_core->facts;
    m->registers = &lane->corunner_core->registers;
    memset(counters, 0, sizeof(*counters));
    counters->cores[0] = lane->core->core;
    counters->cores[1] = lane->corunner_core->core;
    counters->facts = m->facts;
    m->sibling_counters = measured->sibling_counters = counters;
    m->sibling = measured->sibling = m;
    measurement_lay_out(m, sibling->words);
    return true;
}

static enum rc make_plan(struct plan_cache *cache, struct lane *lane,
                         const struct experiment *experiment, struct plan **plan)
{
    const struct measured_core *core = lane->core;
    struct extra extras[PARAMETERS_MAX];
    struct counts given = {.description = core->description, .extras = extras};
    struct experiment_size size;

    if (!measured_core_sizes(core, core->threads, experiment, lane->scale, extras,
                             &given.extra_count, &size))
        return RC_ABSENT; /* impossible: the thread alone had sizes */
    lane->asked = core->first;
    lane->asked.both = false;
    return plan_cache_plan(cache, plan, &core->facts, &given, &lane->asked);
}

static void measure(struct run *run, struct lane *lane, struct lane *sibling,
                    const struct experiment *experiment)
{
    const uint64_t times = times_longer(&run->judged, lane);
    struct plan *plan;
    enum rc rc = make_plan(&run->plan_cache, lane, experiment, &plan);
    char why[80];

    if (rc == RC_OK &&
        (!lane_renew(lane, plan) || !make_sibling(&run->sibling_counters, lane, sibling)))
        rc = RC_NO_SPACE;
    if (rc != RC_OK) {
        format(why, sizeof(why), "both threads' events cannot be planned: %s", rc_name(rc));
        lane_give_up(lane, why);
        return;
    }
    lane->measurement.n *= times;
    sibling->measurement.n *= times;
    memset(&lane->rendezvous, 0, sizeof(lane->rendezvous));
    lane->corunner.sibling_counters = &run->sibling_counters;
    lane->corunner.sibling = &sibling->measurement;
    lane->idle = false;
    launch_lanes(run, lane, 1, experiment->kernel->name);
}

/* Why the counts of both threads do not make one; null: they can. */
static const char *why_not(const struct lane *lane, char *why, unsigned size)
{
    const struct measured_core *core = lane->core, *other = lane->corunner_core;
    const char *differs = facts_counters_differ(&core->facts, &other->facts);

    if (other->untrusted)
        format(why, size, "core %u is untrusted: %s", other->core, other->distrust);
    else if (other->description != core->description)
        format(why, size, "cores %u and %u have other descriptions", core->core, other->core);
    else if (differs != NULL)
        format(why, size, "the counters of cores %u and %u differ: %s", core->core, other->core,
               differs);
    else
        return NULL;
    return why;
}

void core_wide_measure(struct run *run, struct lane *lane, struct lane *sibling,
                       struct experiment *experiment)
{
    struct measured_core *core = lane->core;

    if (!lane_counted(lane) || lane->measurement.plan == NULL || lane->measurement.rc == RC_FAULT ||
        lane->corunner_core->lost || core->description->method == TOPDOWN_NONE)
        return;
    core->threads = BOTH_THREADS;
    if (why_not(lane, lane->blocked, sizeof(lane->blocked)) == NULL)
        measure(run, lane, sibling, experiment);
    outcome_core_wide(run, lane, experiment);
    core->threads = ONE_OF_TWO;
}
