#include "sampler.h"

#include "boot/format.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "digest.h"
#include "harness/window/settle.h"
#include "harness/window/timed_window.h"
#include "interrupt_cost.h"
#include "kernels/kernel_map.h"
#include "precise.h"
#include "sampler_program.h"
#include "skid.h"

/* So many windows without a sample, and none will come. */
#define BARREN_WINDOWS 16u
/* Disturbed windows that are run again, for each window that is kept, and at least. Where half of
 * the windows are disturbed, each by chance, at most one series in 70,000 runs out of retries (a
 * walk of one step up or four down passes 16); where more than four in five are, every long one
 * does. A window of the default period takes 0.2 ms at 3 GHz, so SMIs that disturb half of them
 * come thousands of times a second. Where all are disturbed, 17 windows show it as well as more
 * would, and the rig plays these four times as fast as 65. */
#define RETRIES_PER_WINDOW 4u
#define RETRIES_AT_LEAST   16u

/* What a counter of all cycles of a window may differ by from the clocks: by this part, and by what
 * begins and ends the window outside of what is counted (a guess: four writes of a register, which
 * take up to 250 cycles each, or one that a hypervisor takes). */
#define CLOCKS_SHARE 0.01
#define CLOCKS_EDGE  1000

static void fail(struct sampler *s, enum rc rc, const char *what)
{
    s->rc = rc;
    s->what = what;
}

static void fail_at(struct sampler *s, uint32_t msr, const char *what)
{
    fail(s, RC_FAULT, what);
    msr_name(s->measurement->facts, msr, s->where, sizeof(s->where));
}

static bool write_or_fail(struct sampler *s, uint32_t msr, uint64_t value)
{
    if (msr_write(msr, value))
        return true;
    fail_at(s, msr, "writing a register");
    return false;
}

static bool set_up(struct sampler *s)
{
    const struct measurement *m = s->measurement;
    const struct sampling_plan *plan = &s->plan;

    if (m->kernel->reset != NULL)
        kernel_call(m->kernel->reset, s->n, m->arena, m->arena_bytes, m->dose);
    for (unsigned i = 0; i < plan->setup_count; i++)
        if (!write_or_fail(s, plan->setup[i].msr, plan->setup[i].value))
            return false;
    s->measurement->registers->windows += pass_starts(plan->setup, plan->setup_count);
    return write_or_fail(s, plan->counter_msr, s->carried);
}

static struct window window_of(const struct sampler *s)
{
    const struct measurement *m = s->measurement;

    return (struct window){
        .code = m->kernel->code,
        .n = s->n,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .msr = s->plan.enable.msr,
        .enable = s->plan.enable.value,
        .disable = s->plan.disable,
        .dose = m->dose,
        .ring_3 = m->registers->ring_3,
    };
}

static void next_preset(struct sampler *s)
{
    s->carried = *s->program.preset++;
}

/* Where the interrupt comes with the event after the overflow, a window can end between the two.
 * Its last event is then counted again, so that the next window begins before the overflow. */
static bool interrupt_is_to_come(const struct sampler *s)
{
    return s->plan.interrupts_with_next && s->carried == 0;
}

/* The window is over; an interrupt on its way may still come, and the handler may have started the
 * counter before it learned that the window is over. */
static bool end_window(struct sampler *s)
{
    bool overflowed;

    if (!program_close(s)) {
        fail(s, RC_FAULT, "writing the register that ends a window");
        return false;
    }
    if (!rdpmc_read(s->plan.counter_index, &s->carried)) {
        fail(s, RC_FAULT, "reading the sampled counter");
        return false;
    }
    s->carried &= s->plan.counter_mask;
    if (interrupt_is_to_come(s)) {
        s->carried = s->plan.counter_mask;
        return true;
    }
    if (!program_overflowed(s, &overflowed)) {
        fail_at(s, s->plan.status_msr, "reading the sampled counter's overflow bit");
        return false;
    }
    if (!overflowed)
        return true;
    s->lost++;
    s->window_lost = true;
    next_preset(s);
    return true;
}

/* Adds the last window to the core's windows. */
static void count_window(struct sampler *s)
{
    const struct kernel *kernel = s->measurement->kernel;
    const struct kernel_map *map = kernel_map_of(kernel->name);

    program_count_windows(s, (const void *)(uintptr_t)kernel->code, map != NULL ? map->bytes : 0);
}

static bool run_window(struct sampler *s, enum guard *guard)
{
    struct core_guards *guards = &s->measurement->registers->guards;
    const struct window window = window_of(s);
    struct guard_bracket bracket;
    uint64_t own_nmis;

    program_begin_window(s);
    s->window_lost = false;
    if (!set_up(s))
        return false;
    guards_open(guards, &bracket);
    s->program.closed = 0;
    s->ticks = timed_window_run(&window);
    if (!end_window(s))
        return false;
    /* Those are among `spurious`, and nothing counted then. */
    own_nmis = s->delivery == PMI_NMI ? s->program.foreign : 0;
    *guard = guards_close(guards, &bracket, own_nmis);
    s->cycles = guards_cycles_in(guards, &bracket, s->ticks);
    count_window(s);
    return true;
}

/* A counter that counts otherwise for these windows alone is seen nowhere else. */
static void add_total(struct sampler *s)
{
    uint64_t total;

    if (s->plan.total_mask == 0)
        return;
    if (!rdpmc_read(s->plan.total_index, &total)) {
        s->total_unknown = true;
        return;
    }
    total &= s->plan.total_mask;
    s->total_off |=
        total == 0 || guard_clocks_differ((double)total, s->cycles, CLOCKS_SHARE, CLOCKS_EDGE);
    s->total_cycles += total;
}

/* Takes the window's samples, or throws them away: where sampling ended early, the begin of the
 * kernel would be sampled more often than its end. False: no more windows. */
static bool take_window(struct sampler *s, enum guard guard, unsigned *barren)
{
    const uint64_t came = program_records(s);
    uint64_t discarded = 0;

    s->interrupts += s->program.interrupts;
    s->spurious += s->program.foreign;
    s->no_room += s->program.full;
    *barren = came > 0 ? 0 : *barren + 1;
    if (guard != GUARD_CLEAN) {
        s->discarded[guard]++;
        s->thrown_away += came;
    } else if (s->window_lost || s->program.full > 0) {
        s->ended_early++;
        s->thrown_away += came;
    } else {
        if (s->times != NULL)
            s->times[s->windows] = s->ticks;
        s->windows++;
        s->last_window = s->measurement->registers->windows;
        if (s->first_window == 0)
            s->first_window = s->last_window;
        s->came += came;
        add_total(s);
        digest_records(s, came);
    }
    program_end_window(s);
    if (s->program.full > 0) /* the handler left the counter as the overflow did */
        next_preset(s);
    discarded = s->ended_early;
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        discarded += s->discarded[i];
    if (s->program.cut_off > 0)
        fail(s, RC_TIMEOUT, "more interrupts than the window's cycles can overflow for: cut off");
    else if (*barren == BARREN_WINDOWS)
        fail(s, RC_TIMEOUT, "no performance-monitoring interrupt came");
    else if (discarded > RETRIES_AT_LEAST + RETRIES_PER_WINDOW * s->windows)
        fail(s, RC_TIMEOUT,
             s->ended_early > discarded / 2 ? "too many windows lost an interrupt or had no room"
                                            : "too many windows were disturbed");
    return s->what == NULL;
}

static void sample(struct sampler *s)
{
    unsigned barren = 0;
    enum guard guard;

    settle(s->measurement);
    next_preset(s);
    while (s->kept < s->wanted && (s->window_limit == 0 || s->windows < s->window_limit)) {
        if (!run_window(s, &guard) || !take_window(s, guard, &barren))
            return;
    }
}

/* From interrupt to interrupt the kernel runs the period and the gain, which is below 0 where the
 * refill is longer than the skid. With this period the samples of a window would just fill its
 * room, or be cut off. */
static uint64_t limit_of_room(const struct sampler *s)
{
    const uint64_t samples = s->expected + SAMPLER_EDGES, taken = program_interrupts(s);
    const uint64_t most = s->room < taken ? s->room : taken;

    if (!s->cost.gain_known || s->cost.gain.median >= 0 || most <= samples)
        return 0;
    return most * (uint64_t)-s->cost.gain.median / (most - samples);
}

/* A period that the handler itself takes would leave the kernel hardly any time. Where the handler
 * reads branch records, which takes thousands of cycles that the sampled counter does not count, or
 * where nobody knows what the handler takes, only the refill sets a limit: up to it the kernel
 * would not go on at all. */
static bool has_time(struct sampler *s)
{
    const bool known = s->cost.handler_known && !s->cost.handler_off;
    const int64_t cost =
        s->lbr != NULL || !known ? s->cost.least_refill.median : s->cost.handler.median;
    const uint64_t limit = limit_of_room(s);

    s->period_limit = cost > 0 && (uint64_t)cost > limit ? (uint64_t)cost : limit;
    s->below_cost = s->least_period > 0 && s->period_limit >= s->least_period;
    return !s->below_cost;
}

void sampler_run(struct sampler *s)
{
    bool overflowed = false;
    uint32_t msr = 0;

    if (!measurement_keep(s->measurement, s->plan.keep, s->plan.keep_count)) {
        fail(s, s->measurement->rc, s->measurement->what);
        memcpy(s->where, s->measurement->where, sizeof(s->where));
        return;
    }
    if (counters_silence(&s->measurement->registers->saved, s->measurement->facts, &msr) != RC_OK) {
        fail_at(s, msr, "switching off what the firmware records");
        return;
    }
    if (!skid_of_branch(s))
        return;
    program_make(s);
    if (!program_try(s, &msr)) {
        fail_at(s, msr, "trying a register of the interrupt's handler");
        return;
    }
    if (!program_overflowed(s, &overflowed)) {
        fail_at(s, s->plan.status_msr, "reading the sampled counter's overflow bit");
        return;
    }
    if (overflowed) { /* an interrupt would come whenever the counter starts */
        fail(s, RC_FAULT, "the sampled counter's overflow bit cannot be cleared");
        return;
    }
    s->absent = pmi_open(&s->program, s->delivery);
    if (s->absent != NULL)
        return;
    if (interrupt_cost_measure(s) && skid_gain(s) && has_time(s))
        sample(s);
    s->apic_changed = !pmi_close();
}

void sampler_work(void *sampler)
{
    const struct sampler *s = sampler;

    if (s->memory.area != NULL)
        precise_run(sampler);
    else
        sampler_run(sampler);
}
