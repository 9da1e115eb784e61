#include "rotation.h"

#include "measure.h"

/* Disturbed windows that are run again, for each turn through the passes. */
#define RETRIES_PER_TURN 4u

int rotation_cycles(const struct pass *pass)
{
    for (unsigned i = 0; i < pass->reading_count; i++) {
        if (pass->readings[i].kind == READING_FIXED && pass->readings[i].counter == 1)
            return (int)i;
    }
    return -1;
}

static void add_slice(struct interval *interval, const struct pass *pass, unsigned number,
                      const struct raw_counts *raw)
{
    const double cycles = (double)raw->value[rotation_cycles(pass)];

    interval->cycles += cycles;
    interval->pass_cycles[number] += cycles;
    interval->slices[number]++;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        struct rotated *rotated = &interval->readings[number * PLAN_COUNTERS + i];
        const double rate = cycles > 0 ? (double)raw->value[i] / cycles : 0;

        rotated->sum += (double)raw->value[i];
        rotated->rates += rate;
        rotated->squares += rate * rate;
    }
}

/* One slice of every pass. */
static bool turn(struct measurement *m, const struct rotation *rotation, struct interval *interval,
                 unsigned *retries)
{
    struct raw_counts raw;

    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        if (!measure_window(m, &m->plan->passes[p], rotation->n, &raw, retries))
            return false;
        if (interval->first_window == 0)
            interval->first_window = m->registers->windows;
        interval->last_window = m->registers->windows;
        add_slice(interval, &m->plan->passes[p], p, &raw);
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

        for (unsigned slice = 0; slice < rotation->turns * passes; slice++) {
            if (!measure_window(m, pass, rotation->n, &raw, &retries))
                return false;
            for (unsigned i = 0; i < pass->reading_count; i++)
                rotation->whole[p * PLAN_COUNTERS + i] += (double)raw.value[i];
        }
    }
    rotation->compared = true;
    return true;
}

bool rotation_run(struct measurement *m, struct rotation *rotation)
{
    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        if (rotation_cycles(&m->plan->passes[p]) < 0)
            return true; /* nothing can be scaled; the report says so */
    }
    for (unsigned i = 0; i < rotation->intervals; i++) {
        if (!run_interval(m, rotation, &rotation->interval[i]))
            return false;
        rotation->done++;
    }
    return !rotation->unmultiplexed || run_whole(m, rotation);
}

static double square_root(double value)
{
    double root;

    __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(value));
    return root;
}

/* Two standard errors of the mean of `count` rates, relative to it; the part of the time that was
 * counted is not uncertain. */
static double uncertainty(const struct rotated *rotated, unsigned count, double running)
{
    const double mean = rotated->rates / count;
    double variance;

    if (running >= 1 || mean <= 0)
        return 0;
    if (count < 2)
        return 1;
    variance = (rotated->squares - rotated->rates * mean) / (count - 1) * (1 - running);
    return variance > 0 ? 2 * square_root(variance / count) / mean : 0;
}

struct estimate rotation_estimate(const struct plan *plan, const struct interval *interval,
                                  const struct event *event)
{
    struct estimate estimate = {.valid = false};
    struct rotated all = {0};
    double cycles = 0;
    unsigned slices = 0;

    for (unsigned p = 0; interval->complete && p < plan->pass_count; p++) {
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            const struct rotated *rotated = &interval->readings[p * PLAN_COUNTERS + i];

            if (plan->passes[p].readings[i].event != event)
                continue;
            all.sum += rotated->sum;
            all.rates += rotated->rates;
            all.squares += rotated->squares;
            cycles += interval->pass_cycles[p];
            slices += interval->slices[p];
        }
    }
    if (cycles <= 0 || slices == 0)
        return estimate;
    estimate.valid = true;
    estimate.running = cycles / interval->cycles;
    estimate.value = all.sum / estimate.running;
    estimate.share = estimate.value / interval->cycles;
    estimate.uncertainty = uncertainty(&all, slices, estimate.running);
    return estimate;
}

bool rotation_reliable(const struct estimate *estimate)
{
    return estimate->valid && estimate->running >= ESTIMATE_RUNNING &&
           estimate->uncertainty <= ESTIMATE_UNCERTAINTY &&
           (estimate->running >= 1 || estimate->share >= ESTIMATE_SHARE);
}
