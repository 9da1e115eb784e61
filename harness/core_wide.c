/* Both threads of a core over the same windows: one is measured, the loaded sibling counts too. */
#include "boot/format.h"
#include "boot/text.h"
#include "run.h"

/* What the two threads' windows differ by is some hundred cycles: the time an interrupt waits for
 * what is on its way. Windows of that many are long enough beside it. */
#define CYCLES_WANTED 80000

/* How many times the iterations that the thread alone was measured with. */
static uint64_t longer(struct run *run, const struct slot *slot)
{
    const char *reason;
    double cycles;

    results_make(&run->results, &slot->measurement);
    if (!results_value(&run->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) || cycles < 1 ||
        cycles >= CYCLES_WANTED)
        return 1;
    return (uint64_t)(CYCLES_WANTED / cycles) + 1;
}

/* The other thread's part: the same passes, on words of its own. */
static bool make_theirs(struct run *run, struct slot *slot, struct slot *other)
{
    const struct measurement *m = &slot->measurement;
    struct measurement *theirs = &other->measurement;

    if (!slot_take_words(other, measure_words(m->plan, m->repeats)))
        return false;
    *theirs = *m;
    theirs->facts = &slot->other->facts;
    theirs->registers = &slot->other->registers;
    measure_lay_out(theirs, other->words);
    memset(&run->watch, 0, sizeof(run->watch));
    run->watch.cores[0] = slot->core->core;
    run->watch.cores[1] = slot->other->core;
    run->watch.theirs = theirs;
    return true;
}

/* The measurement as it was for the thread alone, with another plan and nothing done yet. */
static bool make_mine(struct run *run, struct slot *slot, const struct plan *plan)
{
    struct measurement *m = &slot->measurement;

    if (plan->pass_count > MEASURE_PASSES ||
        !slot_take_words(slot, measure_words(plan, m->repeats)))
        return false;
    m->plan = plan;
    m->first_pass = m->passes_at_once = 0;
    m->branches = m->branches_taken = false;
    m->rotation = NULL;
    m->watch = &run->watch;
    m->kept = 0;
    memset(m->discarded, 0, sizeof(m->discarded));
    m->rc = RC_OK;
    m->what = NULL;
    m->where[0] = '\0';
    measure_lay_out(m, slot->words);
    return true;
}

static enum rc plan_core(struct run *run, struct slot *slot, struct experiment *experiment,
                         struct plan **plan)
{
    const struct core_state *core = slot->core;
    struct extra extras[EXPERIMENT_EXTRAS];
    struct experiment_size size;
    unsigned count = experiment_extras(extras, &core->facts, core->description, core->threads);
    struct counts given = {.description = core->description, .extras = extras};

    if (!experiment_sizes(experiment, core->description, extras, &count, run->config.scale, &size))
        return RC_ABSENT; /* it has been, for the thread alone */
    given.extra_count = count;
    slot->asked = core->first;
    slot->asked.both = false;
    return experiment_plan_nodes(plan, experiment, &core->facts, &given, &slot->asked, &run->pool,
                                 machine_alloc);
}

static void measure(struct run *run, struct slot *slot, struct slot *other,
                    struct experiment *experiment)
{
    const uint64_t times = longer(run, slot);
    struct plan *plan;
    enum rc rc = plan_core(run, slot, experiment, &plan);

    if (rc == RC_OK && (!make_mine(run, slot, plan) || !make_theirs(run, slot, other)))
        rc = RC_NO_SPACE;
    if (rc != RC_OK) {
        format(slot->blocked, sizeof(slot->blocked), "both threads' events cannot be planned: %s",
               rc_name(rc));
        return;
    }
    slot->measurement.n *= times;
    other->measurement.n *= times;
    memset(&slot->meeting, 0, sizeof(slot->meeting));
    slot->company.watch = &run->watch;
    slot->idle = false;
    run_slots(run, slot, 1, experiment->kernel->name);
}

void core_wide_measure(struct run *run, struct slot *slot, struct slot *other,
                       struct experiment *experiment)
{
    struct core_state *core = slot->core;

    if (!slot->ready || slot->blocked[0] != '\0' || slot->measurement.plan == NULL ||
        slot->measurement.rc == RC_FAULT || slot->other->lost ||
        core->description->method == TOPDOWN_NONE)
        return;
    core->threads = BOTH_THREADS;
    if (slot->other->untrusted)
        format(slot->blocked, sizeof(slot->blocked), "core %u is untrusted: %s", slot->other->core,
               slot->other->distrust);
    else
        measure(run, slot, other, experiment);
    outcome_core_wide(run, slot, experiment);
    core->threads = ONE_OF_TWO;
}
