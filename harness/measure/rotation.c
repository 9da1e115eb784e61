#include "rotation.h"

#include "boot/clock.h"
#include "measured_window.h"

/* How many disturbed windows are run again, for each turn through the passes. */
#define RETRIES_PER_TURN 4u

int rotation_cycles(const struct pass *pass)
{
    for (unsigned i = 0; i < pass->reading_count; i++) {
        if (pass->readings[i].kind == READING_FIXED && pass->readings[i].counter == 1)
            return (int)i;
    }
    return -1;
}

static void add_time_slice(struct interval *interval, const struct pass *pass, unsigned number,
                           const struct raw_counts *raw)
{
    const double cycles = (double)raw->value[rotation_cycles(pass)];

    interval->cycles += cycles;
    interval->pass_cycles[number] += cycles;
    interval->time_slices[number]++;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        struct rotated *rotated = &interval->readings[number * PLAN_COUNTERS + i];
        const double rate = cycles > 0 ? (double)raw->value[i] / cycles : 0;

        rotated->sum += (double)raw->value[i];
        rotated->rates += rate;
        rotated->squares += rate * rate;
    }
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

static bool run_interval(struct measurement *m, const struct rotation *rotation,
                         struct interval *interval)
{
    unsigned turns = 0, retries = RETRIES_PER_TURN * (rotation->turns + 1);
    const uint64_t begun = clock_now();

    interval->begun = begun;
    do {
        if (!turn(m, rotation, interval, &retries))
            return false;
        turns++;
    } while (rotation->turns > 0 ? turns < rotation->turns : clock_now() - begun < rotation->ticks);
    interval->ended = clock_now();
    interval->complete = true;
    return true;
}

static bool run_whole(struct measurement *m, struct rotation *rotation)
{
    const unsigned passes = m->plan->pass_count;
    struct raw_counts raw;

    for (unsigned p = 0; p < passes; p++) {
        const struct pass *pass = &m->plan->passes[p];
        unsigned retries = RETRIES_PER_TURN * (rotation->turns + 1);

        for (unsigned i = 0; i < rotation->turns * passes; i++) {
            if (!measured_window_count(m, pass, rotation->n, &raw, &retries))
                return false;
            for (unsigned r = 0; r < pass->reading_count; r++)
                rotation->whole[p * PLAN_COUNTERS + r] += (double)raw.value[r];
        }
    }
    rotation->compared = true;
    return true;
}

bool rotation_run(struct measurement *m, struct rotation *rotation)
{
    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        if (rotation_cycles(&m->plan->passes[p]) < 0)
            return true;
    }
    for (unsigned i = 0; i < rotation->intervals; i++) {
        if (!run_interval(m, rotation, &rotation->interval[i]))
            return false;
        rotation->done++;
    }
    return !rotation->unmultiplexed || run_whole(m, rotation);
}
