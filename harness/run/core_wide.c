/* Both threads of a core over the same windows: one is measured, the loaded sibling counts too. */
#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/text.h"
#include "run.h"

/* What the two threads' windows differ by is some hundred cycles: the time an interrupt waits for
 * what is on its way. Windows of that many are long enough beside it. */
#define CYCLES_WANTED 80000

/* How many times the iterations that the thread alone was measured with. */
static uint64_t longer(struct run *run, const struct lane *lane)
{
    const char *reason;
    double cycles;

    results_make(&run->results, &lane->measurement);
    if (!results_value(&run->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) || cycles < 1 ||
        cycles >= CYCLES_WANTED)
        return 1;
    return (uint64_t)(CYCLES_WANTED / cycles) + 1;
}

/* The other thread's part: the same passes, on words of its own. */
static bool make_theirs(struct run *run, struct lane *lane, struct lane *other)
{
    const struct measurement *m = &lane->measurement;
    struct measurement *sibling = &other->measurement;

    if (!lane_take_words(other, measure_words(m->plan, m->repeats)))
        return false;
    *sibling = *m;
    sibling->facts = &lane->other->facts;
    sibling->registers = &lane->other->registers;
    measure_lay_out(sibling, other->words);
    memset(&run->sibling_counters, 0, sizeof(run->sibling_counters));
    run->sibling_counters.cores[0] = lane->core->core;
    run->sibling_counters.cores[1] = lane->other->core;
    run->sibling_counters.sibling = sibling;
    return true;
}

/* The measurement as it was for the thread alone, with another plan and nothing done yet. */
static bool make_mine(struct run *run, struct lane *lane, const struct plan *plan)
{
    struct measurement *m = &lane->measurement;

    if (plan->pass_count > MEASURE_PASSES ||
        !lane_take_words(lane, measure_words(plan, m->repeats)))
        return false;
    m->plan = plan;
    m->first_pass = m->passes_at_once = 0;
    m->branches = m->branches_taken = false;
    m->rotation = NULL;
    m->sibling_counters = &run->sibling_counters;
    m->kept = 0;
    memset(m->discarded, 0, sizeof(m->discarded));
    m->rc = RC_OK;
    m->what = NULL;
    m->where[0] = '\0';
    measure_lay_out(m, lane->words);
    return true;
}

static enum rc plan_core(struct run *run, struct lane *lane, struct experiment *experiment,
                         struct plan **plan)
{
    const struct measured_core *core = lane->core;
    struct extra extras[EXPERIMENT_EXTRAS];
    struct experiment_size size;
    unsigned count = experiment_extras(extras, &core->facts, core->description, core->threads);
    struct counts given = {.description = core->description, .extras = extras};

    if (!experiment_sizes(experiment, core->description, extras, &count, run->config.scale, &size))
        return RC_ABSENT; /* it has been, for the thread alone */
    given.extra_count = count;
    lane->asked = core->first;
    lane->asked.both = false;
    return experiment_plan_nodes(plan, experiment, &core->facts, &given, &lane->asked, &run->pool,
                                 memory_alloc);
}

static void measure(struct run *run, struct lane *lane, struct lane *other,
                    struct experiment *experiment)
{
    const uint64_t times = longer(run, lane);
    struct plan *plan;
    enum rc rc = plan_core(run, lane, experiment, &plan);

    if (rc == RC_OK && (!make_mine(run, lane, plan) || !make_theirs(run, lane, other)))
        rc = RC_NO_SPACE;
    if (rc != RC_OK) {
        format(lane->blocked, sizeof(lane->blocked), "both threads' events cannot be planned: %s",
               rc_name(rc));
        return;
    }
    lane->measurement.n *= times;
    other->measurement.n *= times;
    memset(&lane->rendezvous, 0, sizeof(lane->rendezvous));
    lane->corunner.sibling_counters = &run->sibling_counters;
    lane->idle = false;
    run_lanes(run, lane, 1, experiment->kernel->name);
}

void core_wide_measure(struct run *run, struct lane *lane, struct lane *other,
                       struct experiment *experiment)
{
    struct measured_core *core = lane->core;

    if (!lane->ready || lane->blocked[0] != '\0' || lane->measurement.plan == NULL ||
        lane->measurement.rc == RC_FAULT || lane->other->lost ||
        core->description->method == TOPDOWN_NONE)
        return;
    core->threads = BOTH_THREADS;
    if (lane->other->untrusted)
        format(lane->blocked, sizeof(lane->blocked), "core %u is untrusted: %s", lane->other->core,
               lane->other->distrust);
    else
        measure(run, lane, other, experiment);
    outcome_core_wide(run, lane, experiment);
    core->threads = ONE_OF_TWO;
}
