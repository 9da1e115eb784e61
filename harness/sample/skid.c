#include "skid.h"

#include "boot/msr.h"
#include "chain.h"
#include "harness/measure/window.h"
#include "sampler_program.h"

/* Long enough for an interrupt, short enough for many in the chain. */
#define PERIOD 400u
/* The first windows bring the chain into the caches. */
#define WINDOWS 6u
#define WARM_UP 2u

static bool run_chain(struct sampler *s)
{
    const struct sampling_plan *plan = &s->plan;
    const struct window window = {.code = chain_run,
                                  .msr = plan->enable.msr,
                                  .enable = plan->enable.value,
                                  .disable = plan->disable};

    program_begin_window(s);
    for (unsigned i = 0; i < plan->setup_count; i++)
        if (!msr_write(plan->setup[i].msr, plan->setup[i].value))
            return false;
    if (!msr_write(plan->counter_msr, sampling_preset(plan->counter_mask, PERIOD)))
        return false;
    s->program.left = STATS_VALUES;
    s->program.closed = 0;
    window_run(&window);
    program_count_windows(s);
    return program_close(s);
}

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

bool skid_measure(struct sampler *s)
{
    const struct sampling_periods periods = s->periods;
    uint64_t values[STATS_VALUES];
    struct spread steps;
    unsigned count = 0;
    bool worked = true;

    if (!s->counts_cycles)
        return true;
    s->periods = sampling_periods_from(PERIOD, 0, 0);
    for (unsigned i = 0; i < WINDOWS && worked; i++) {
        program_renew(s);
        worked = run_chain(s);
        if (worked && i >= WARM_UP)
            count = take_steps(s, values, count);
    }
    s->periods = periods;
    program_renew(s);
    if (!worked) {
        s->rc = RC_FAULT;
        s->what = "writing a register before the skid is measured";
    }
    s->cost.skid_known = worked && count > 0;
    if (!s->cost.skid_known)
        return worked;
    steps = stats_spread(values, count);
    s->cost.gain =
        (struct signed_spread){(int64_t)steps.minimum - PERIOD, (int64_t)steps.median - PERIOD,
                               (int64_t)steps.maximum - PERIOD};
    s->cost.skid = (struct signed_spread){s->cost.gain.minimum + s->cost.refill.median,
                                          s->cost.gain.median + s->cost.refill.median,
                                          s->cost.gain.maximum + s->cost.refill.median};
    return true;
}
