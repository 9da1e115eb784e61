#include "skid.h"

#include "boot/msr.h"
#include "chain.h"
#include "harness/window/window.h"
#include "sampler_program.h"

/* Long enough for an interrupt, short enough for many in the chain. */
#define PERIOD 400u
/* The first windows bring the chain into the caches. */
#define WARM_UP        2u
#define WINDOWS        (WARM_UP + GAIN_WINDOWS)
#define BRANCH_WINDOWS (WARM_UP + SKID_WINDOWS)

/* A window of the code, with a counter that overflows after `period` events. A disturbed window has
 * no records. False: a register failed. */
static bool run_chain(struct sampler *s, void (*code)(void), const char *begin, const char *end,
                      uint32_t period)
{
    const struct sampling_plan *plan = &s->plan;
    const struct window window = {.code = code,
                                  .msr = plan->enable.msr,
                                  .enable = plan->enable.value,
                                  .disable = plan->disable,
                                  .ring_3 = s->measurement->registers->ring_3};
    struct guard_bracket bracket;
    bool worked;

    program_begin_window(s);
    for (unsigned i = 0; i < plan->setup_count; i++)
        if (!msr_write(plan->setup[i].msr, plan->setup[i].value))
            return false;
    s->measurement->registers->windows += pass_starts(plan->setup, plan->setup_count);
    if (!msr_write(plan->counter_msr, sampling_preset(plan->counter_mask, period)))
        return false;
    s->program.left = STATS_VALUES;
    guards_open(&s->measurement->registers->guards, &bracket);
    s->program.closed = 0;
    window_run(&window);
    worked = program_close(s);
    program_count_windows(s, begin, (uint64_t)(end - begin));
    if (program_disturbed(s, &bracket))
        s->program.record = s->records;
    return worked;
}

static void fail(struct sampler *s)
{
    s->rc = RC_FAULT;
    s->what = "writing a register before the skid is measured";
}

/* ---- S ---- */

/* The additions between the branch and the first interrupt of each window. Where the interrupt
 * comes with the event after the overflow, the branch before it overflows the counter. */
static bool run_branches(struct sampler *s, uint64_t *values, unsigned *count)
{
    const uint32_t period = CHAIN_BRANCH - s->plan.interrupts_with_next;

    for (unsigned i = 0; i < BRANCH_WINDOWS; i++) {
        program_renew(s);
        if (!run_chain(s, chain_branch_run, chain_branch_begin, chain_branch_end, period))
            return false;
        if (i >= WARM_UP && program_records(s) > 0 &&
            s->records[0] >= (uintptr_t)chain_branch_target &&
            s->records[0] < (uintptr_t)chain_branch_end)
            values[(*count)++] = (s->records[0] - (uintptr_t)chain_branch_target) / CHAIN_STEP;
    }
    return true;
}

/* With the plan of the branches in place of the series' own. */
static bool sample_branch(struct sampler *s, uint64_t *values, unsigned *count)
{
    uint32_t msr;
    bool worked, overflowed;

    program_make(s);
    if (!program_try(s, &msr) || !program_overflowed(s, &overflowed))
        return false;
    if (overflowed || pmi_open(&s->program, s->delivery) != NULL)
        return true; /* the series' own program fails likewise, and says so */
    worked = run_branches(s, values, count);
    s->apic_changed = !pmi_close();
    return worked && !s->apic_changed;
}

bool skid_of_branch(struct sampler *s)
{
    const struct sampling_plan plan = s->plan;
    const struct sampling_periods periods = s->periods;
    const struct lbr_plan *lbr = s->lbr;
    uint64_t values[BRANCH_WINDOWS];
    struct spread steps;
    unsigned count = 0;
    bool worked;

    if (s->branch_plan == NULL)
        return true;
    s->plan = *s->branch_plan;
    s->lbr = NULL;
    s->periods = sampling_periods_from(PROGRAM_FAR, 0, 0);
    worked = measurement_keep(s->measurement, s->plan.keep, s->plan.keep_count) &&
             sample_branch(s, values, &count);
    s->plan = plan;
    s->lbr = lbr;
    s->periods = periods;
    s->cost.skid_missing = "no undisturbed interrupt came behind the branch of a known address";
    if (!worked)
        fail(s);
    if (!worked || count == 0)
        return worked;
    s->cost.skid_missing = NULL;
    s->cost.skid_windows = count;
    steps = stats_spread(values, count);
    s->cost.skid = (struct signed_spread){(int64_t)steps.minimum, (int64_t)steps.median,
                                          (int64_t)steps.maximum};
    return true;
}

/* ---- S - A ---- */

/* How far the chain came between each two interrupts, in values[count...]. Returns the new count.
 */
static unsigned take_steps(const struct sampler *s, uint64_t *values, unsigned count)
{
    const uint64_t words = PMI_RECORD_WORDS + s->plan.read_count, records = program_records(s);

    for (uint64_t i = 1; i < records && count < STATS_VALUES; i++) {
        const uint64_t from = s->records[(i - 1) * words], to = s->records[i * words];

        if (from >= (uintptr_t)chain_begin && to > from && to < (uintptr_t)chain_end)
            values[count++] = (to - from) / CHAIN_STEP;
    }
    return count;
}

static void store_gain(struct interrupt_cost *cost, struct spread steps)
{
    const struct signed_spread gain = {(int64_t)steps.minimum - PERIOD,
                                       (int64_t)steps.median - PERIOD,
                                       (int64_t)steps.maximum - PERIOD};

    cost->gain_known = true;
    cost->gain = gain;
    if (cost->skid_missing == NULL)
        cost->refill = (struct signed_spread){cost->skid.median - gain.maximum,
                                              cost->skid.median - gain.median,
                                              cost->skid.median - gain.minimum};
}

bool skid_gain(struct sampler *s)
{
    const struct sampling_periods periods = s->periods;
    uint64_t values[STATS_VALUES];
    unsigned count = 0;
    bool worked = true;

    if (!s->counts_cycles)
        return true;
    s->periods = sampling_periods_from(PERIOD, 0, 0);
    for (unsigned i = 0; i < WINDOWS && worked; i++) {
        program_renew(s);
        worked = run_chain(s, chain_run, chain_begin, chain_end, PERIOD);
        if (worked && i >= WARM_UP) {
            const unsigned before = count;

            count = take_steps(s, values, count);
            s->cost.gain_windows += count > before;
        }
    }
    s->periods = periods;
    program_renew(s);
    if (!worked)
        fail(s);
    if (worked && count > 0)
        store_gain(&s->cost, stats_spread(values, count));
    else if (s->cost.skid_missing == NULL)
        s->cost.skid_missing = "the chain of additions was not interrupted twice, undisturbed";
    return worked;
}
