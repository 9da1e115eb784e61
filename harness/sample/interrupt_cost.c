#include "interrupt_cost.h"

#include "boot/msr.h"
#include "probe.h"
#include "sampler_program.h"

/* Far from an overflow. */
#define START 0x1000u
/* Probes that are thrown away: they bring the code into the caches. */
#define WARM_UP 4u

/* One probe, with the counter at START; *stopped is the counter when the handler had stopped it. */
static bool run_probe(struct sampler *s, void (*run)(struct probe *), unsigned vector,
                      struct probe *probe, uint64_t *stopped, uint64_t *preset)
{
    const struct sampling_plan *plan = &s->plan;

    for (unsigned i = 0; i < plan->setup_count; i++)
        if (!msr_write(plan->setup[i].msr, plan->setup[i].value))
            return false;
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
    *preset = *s->program.preset;
    run(probe);
    program_count_windows(s);
    *stopped = s->records[PMI_RECORD_WORDS];
    program_end_window(s);
    return true;
}

/* The counter goes up from START, so its overflow bit is clear, as the highest bit of the counter
 * is: with that bit flipped, the handler takes the INT for the program's own interrupt and does all
 * that it does for one. */
static bool measure_one(struct sampler *s, unsigned number, uint64_t values[][2][SAMPLER_PROBES])
{
    const uint64_t mask = s->plan.counter_mask;
    struct probe without, stop, with;
    uint64_t stopped, preset;

    if (!run_probe(s, probe_run, 0, &without, &stopped, &preset) ||
        !run_probe(s, probe_stop, 0, &stop, &stopped, &preset) ||
        !run_probe(s, probe_run, pmi_vector(s->delivery), &with, &stopped, &preset))
        return false;
    values[0][0][number] = stop.after - stop.before;
    values[0][1][number] = stopped - with.before;
    values[1][0][number] = without.enabled - START;
    values[1][1][number] = (with.after - preset) & mask;
    values[2][0][number] = without.total_after - without.total_before;
    values[2][1][number] = with.total_after - with.total_before;
    return true;
}

bool interrupt_cost_measure(struct sampler *s)
{
    uint64_t values[3][2][SAMPLER_PROBES];

    s->program.status_flip = s->plan.status_bits;
    for (unsigned i = 0; i < SAMPLER_PROBES + WARM_UP; i++)
        if (!measure_one(s, i < WARM_UP ? 0 : i - WARM_UP, values)) {
            s->rc = RC_FAULT;
            s->what = "writing a register before an interrupt is measured";
            return false;
        }
    s->program.status_flip = s->plan.status_flip;
    s->cost = (struct interrupt_cost){
        .entry = stats_difference(values[0][0], values[0][1], SAMPLER_PROBES),
        .refill = stats_difference(values[1][0], values[1][1], SAMPLER_PROBES),
        .handler = stats_difference(values[2][0], values[2][1], SAMPLER_PROBES),
        .handler_known = s->plan.total_mask != 0,
    };
    return true;
}
