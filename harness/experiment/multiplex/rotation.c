#include "rotation.h"

#include "boot/clock.h"
#include "harness/window/kernel_run.h"
#include "harness/window/measured_window.h"

/* How many disturbed windows are run again, for each turn through the passes. */
#define RETRIES_PER_TURN 4u
/* Up to so many time slices lie between two windows of a pass alone, and before the first slice of
 * all. */
#define PLACES       2u
#define FIRST_PLACES 8u

static void add_window(struct rotated *readings, const struct pass *pass,
                       const struct raw_counts *raw, bool first)
{
    for (unsigned i = 0; i < pass->reading_count; i++) {
        struct rotated *rotated = &readings[i];
        const double count = (double)raw->value[i];

        rotated->sum += count;
        if (first || count < rotated->least)
            rotated->least = count;
        if (first || count > rotated->most)
            rotated->most = count;
        rotated->overflowed |= raw->overflowed[i];
    }
}

static void add_time_slice(struct interval *interval, const struct pass *pass, unsigned number,
                           const struct raw_counts *raw)
{
    const double cycles = (double)raw->value[rotation_cycles(pass)];

    add_window(&interval->readings[number * PLAN_COUNTERS], pass, raw,
               interval->time_slices[number] == 0);
    interval->cycles += cycles;
    interval->pass_cycles[number] += cycles;
    interval->time_slices[number]++;
}

/* One time slice of every pass. */
static bool turn(struct measurement *m, const struct rotation *rotation, struct interval *interval,
                 unsigned *retries)
{
    struct raw_counts raw;

    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        if (!measured_window_count(m, &m->plan->passes[p], rotation->n, &raw, retries))
            return false;
        if (interval->first_window == 0)
            interval->first_window = m->registers->windows;
        interval->last_window = m->registers->windows;
        add_time_slice(interval, &m->plan->passes[p], p, &raw);
    }
    return true;
}

/* Xorshift (Marsaglia 2003): 1 to limit - 1, or 1. */
static uint64_t random_below(struct rotation *rotation, uint64_t limit)
{
    rotation->random ^= rotation->random << 13;
    rotation->random ^= rotation->random >> 7;
    rotation->random ^= rotation->random << 17;
    return limit > 1 ? 1 + rotation->random % (limit - 1) : 1;
}

/* The windows of each pass alone after a turn. Each begins a random number of iterations behind the
 * one before, so that no phase of the kernel keeps step with them. In all as many iterations run
 * between two turns each time: the rotation itself keeps its step, as a profiler's does. */
static bool turn_alone(struct measurement *m, struct rotation *rotation, bool first,
                       unsigned *retries)
{
    const uint64_t most = PLACES * rotation->n;
    uint64_t left = most * m->plan->pass_count * rotation->alone;
    struct raw_counts raw;

    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        for (unsigned i = 0; i < rotation->alone; i++) {
            const uint64_t place = random_below(rotation, most);

            kernel_run_once(m, place);
            left -= place;
            if (!measured_window_count(m, &m->plan->passes[p], rotation->n, &raw, retries))
                return false;
            add_window(&rotation->whole[p * PLAN_COUNTERS], &m->plan->passes[p], &raw,
                       first && i == 0);
        }
    }
    kernel_run_once(m, left);
    return true;
}

static bool run_interval(struct measurement *m, struct rotation *rotation,
                         struct interval *interval)
{
    unsigned turns = 0, retries = RETRIES_PER_TURN * (rotation->turns + 1);
    unsigned retries_alone = retries * rotation->alone;
    const uint64_t begun = clock_now();

    interval->begun = begun;
    if (rotation->alone > 0)
        kernel_run_once(m, random_below(rotation, FIRST_PLACES * rotation->n));
    do {
        if (!turn(m, rotation, interval, &retries))
            return false;
        if (rotation->alone > 0 && !turn_alone(m, rotation, turns == 0, &retries_alone))
            return false;
        turns++;
    } while (rotation->turns > 0 ? turns < rotation->turns : clock_now() - begun < rotation->ticks);
    interval->ended = clock_now();
    interval->complete = true;
    return true;
}

static bool run_intervals(struct measurement *m, struct rotation *rotation)
{
    for (unsigned i = 0; i < rotation->intervals; i++) {
        if (!run_interval(m, rotation, &rotation->interval[i]))
            return false;
        rotation->done++;
    }
    return true;
}

bool rotation_run(struct measurement *m, struct rotation *rotation)
{
    bool ran;

    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        if (rotation_cycles(&m->plan->passes[p]) < 0)
            return true;
    }
    m->rehearsed = rotation->alone > 0;
    ran = run_intervals(m, rotation);
    m->rehearsed = false;
    rotation->compared = ran && rotation->alone > 0;
    return ran;
}
