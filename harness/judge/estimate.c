#include "estimate.h"

static double square_root(double value)
{
    double root;

    __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(value));
    return root;
}

/* Two standard errors of the mean of `count` rates, relative to the mean. The part of the time in
 * which the event was counted adds no uncertainty. */
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

struct estimate estimate_event(const struct plan *plan, const struct interval *interval,
                               const struct event *event)
{
    struct estimate estimate = {.valid = false};
    struct rotated all = {0};
    double cycles = 0;
    unsigned time_slices = 0;

    for (unsigned p = 0; interval->complete && p < plan->pass_count; p++) {
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            const struct rotated *rotated = &interval->readings[p * PLAN_COUNTERS + i];

            if (plan->passes[p].readings[i].event != event)
                continue;
            all.sum += rotated->sum;
            all.rates += rotated->rates;
            all.squares += rotated->squares;
            cycles += interval->pass_cycles[p];
            time_slices += interval->time_slices[p];
        }
    }
    if (cycles <= 0 || time_slices == 0)
        return estimate;
    estimate.valid = true;
    estimate.running = cycles / interval->cycles;
    estimate.value = all.sum / estimate.running;
    estimate.share = estimate.value / interval->cycles;
    estimate.uncertainty = uncertainty(&all, time_slices, estimate.running);
    return estimate;
}

bool estimate_reliable(const struct estimate *estimate)
{
    return estimate->valid && estimate->running >= ESTIMATE_RUNNING &&
           estimate->uncertainty <= ESTIMATE_UNCERTAINTY &&
           (estimate->running >= 1 || estimate->share >= ESTIMATE_SHARE);
}

/* The first pass and reading that count the event. */
static bool find_reading(const struct plan *plan, const struct event *event, unsigned *pass,
                         unsigned *reading)
{
    for (*pass = 0; *pass < plan->pass_count; (*pass)++) {
        for (*reading = 0; *reading < plan->passes[*pass].reading_count; (*reading)++) {
            if (plan->passes[*pass].readings[*reading].event == event)
                return true;
        }
    }
    return false;
}

bool estimate_compare(struct multiplexed *multiplexed, const struct plan *plan,
                      const struct rotation *rotation, const struct event *event)
{
    unsigned pass, reading;

    *multiplexed = (struct multiplexed){
        .event = event, .estimate = estimate_event(plan, rotation->interval, event)};
    if (!multiplexed->estimate.valid || !find_reading(plan, event, &pass, &reading))
        return false;
    multiplexed->count = rotation->whole[pass * PLAN_COUNTERS + reading];
    if (multiplexed->count > 0)
        multiplexed->error = multiplexed->estimate.value / multiplexed->count - 1;
    else
        multiplexed->error = multiplexed->estimate.value > 0 ? 1 : 0;
    multiplexed->reliable = estimate_reliable(&multiplexed->estimate);
    return true;
}
