#include "interrupt_cost.h"

#include "boot/msr.h"
#include "harness/window/timed_window.h"
#include "probe.h"
#include "sampler_program.h"

/* Far from an overflow. */
#define START 0x1000u
/* Probes that are thrown away: they bring the code into the caches. */
#define WARM_UP 4u
/* Probes in all, the disturbed ones too. */
#define PROBES_AT_MOST (4u * (WARM_UP + SAMPLER_PROBES))

/* What the counter of all cycles may say of the handler that the clocks do not (a guess). */
#define CLOCKS_SHARE 0.1
#define CLOCKS_EDGE  50

/* What is read of a probe. */
enum { VALUE_COUNTER, VALUE_TOTAL, VALUE_TICKS, VALUE_OWN, VALUES };

/* One probe, with the counter at START; *preset is what the handler sets it to, *ticks the time
 * that the probe took. */
static bool run_probe(struct sampler *s, unsigned vector, struct probe *probe, uint64_t *preset,
                      uint64_t *ticks)
{
    const struct sampling_plan *plan = &s->plan;
    uint64_t begun;

    for (unsigned i = 0; i < plan->setup_count; i++)
        if (!msr_write(plan->setup[i].msr, plan->setup[i].value))
            return false;
    s->measurement->registers->windows += pass_starts(plan->setup, plan->setup_count);
    if (!msr_write(plan->counter_msr, START))
        return false;
    *probe = (struct probe){
        .msr = plan->enable.msr,
        .enable = plan->enable.value,
        .disable = plan->disable,
        .counter = plan->counter_index,
        .total = plan->total_mask != 0 ? plan->total_index : plan->counter_index,
        .vector = vector,
    };
    program_begin_window(s);
    s->program.closed = 0;
    s->program.left = 1;
    s->program.preset = s->presets;
    *preset = *s->program.preset;
    begun = timed_now();
    probe_run(probe);
    *ticks = timed_now() - begun;
    program_count_windows(s, NULL, 0);
    return true;
}

/* The sampled counter when the handler had stopped it, as its record of this one interrupt says. */
static uint64_t stopped_at(struct sampler *s)
{
    s->cost.own_known &= program_records(s) == 1;
    return s->records[PMI_RECORD_WORDS];
}

/* The counter goes up from START, so its overflow bit is clear, as the highest bit of the counter
 * is: with that bit flipped, the handler takes the INT for the program's own interrupt and does all
 * that it does for one. INT 2 does not hold back NMIs (SDM 3A, "Handling Multiple NMIs"), and a
 * second NMI would overwrite the stack of the first, which has one stack for all. So the handler
 * sets the counter far from its next overflow, and the entry of the local APIC stays masked. */
static bool measure_one(struct sampler *s, unsigned number, uint64_t values[][2][SAMPLER_PROBES],
                        double *cycles_per_tick, bool *disturbed)
{
    const uint64_t mask = s->plan.counter_mask;
    struct core_guards *guards = &s->measurement->registers->guards;
    struct guard_bracket bracket;
    struct probe without, with;
    uint64_t preset;

    guards_open(guards, &bracket);
    if (!run_probe(s, 0, &without, &preset, &values[VALUE_TICKS][0][number]) ||
        !run_probe(s, pmi_vector(s->delivery), &with, &preset, &values[VALUE_TICKS][1][number]))
        return false;
    values[VALUE_COUNTER][0][number] = without.enabled - START;
    values[VALUE_COUNTER][1][number] = (with.after - preset) & mask;
    /* Between the two reads there is the store of the first, with the interrupt and without. */
    values[VALUE_OWN][0][number] = without.after - without.before;
    values[VALUE_OWN][1][number] = (stopped_at(s) - with.before) & mask;
    values[VALUE_TOTAL][0][number] = without.total_after - without.total_before;
    values[VALUE_TOTAL][1][number] = with.total_after - with.total_before;
    *disturbed = program_disturbed(s, &bracket);
    *cycles_per_tick = guards_cycles_in(guards, &bracket, 1);
    return true;
}

static void conclude(struct interrupt_cost *cost, uint64_t values[][2][SAMPLER_PROBES],
                     double cycles_per_tick, bool counted)
{
    const struct signed_spread ticks =
        stats_difference(values[VALUE_TICKS][0], values[VALUE_TICKS][1], SAMPLER_PROBES);

    cost->least_refill =
        stats_difference(values[VALUE_COUNTER][0], values[VALUE_COUNTER][1], SAMPLER_PROBES);
    cost->own = stats_difference(values[VALUE_OWN][0], values[VALUE_OWN][1], SAMPLER_PROBES);
    cost->handler =
        stats_difference(values[VALUE_TOTAL][0], values[VALUE_TOTAL][1], SAMPLER_PROBES);
    cost->handler_known = counted;
    cost->handler_off =
        cost->handler.median <= 0 ||
        guard_clocks_differ((double)cost->handler.median, (double)ticks.median * cycles_per_tick,
                            CLOCKS_SHARE, CLOCKS_EDGE);
}

static bool measure_masked(struct sampler *s)
{
    uint64_t values[VALUES][2][SAMPLER_PROBES];
    double cycles_per_tick = 0;
    unsigned done = 0;

    for (unsigned i = 0; i < PROBES_AT_MOST && done < WARM_UP + SAMPLER_PROBES; i++) {
        bool disturbed;

        if (!measure_one(s, done < WARM_UP ? 0 : done - WARM_UP, values, &cycles_per_tick,
                         &disturbed)) {
            s->rc = RC_FAULT;
            s->what = "writing a register before an interrupt is measured";
            return false;
        }
        done += !disturbed;
    }
    if (done < WARM_UP + SAMPLER_PROBES)
        return true;
    conclude(&s->cost, values, cycles_per_tick, s->plan.total_mask != 0);
    return true;
}

bool interrupt_cost_measure(struct sampler *s)
{
    bool measured;

    program_renew_far(s);
    s->cost.own_known = true;
    s->program.status_flip = s->plan.status_bits;
    pmi_mask(&s->program, true);
    measured = measure_masked(s);
    pmi_mask(&s->program, false);
    s->program.status_flip = s->plan.status_flip;
    program_renew(s);
    return measured;
}
