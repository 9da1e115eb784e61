#include "overhead_figures.h"

/* By so much a window is longer than its samples need: the kernel's own cycles between two samples
 * are the period, and a few more. */
#define MARGIN 1.04

static double part(uint64_t with, uint64_t without)
{
    return ((double)with - (double)without) / (double)without;
}

struct slowdown overhead_slowdown(const struct spread *without, const struct spread *with)
{
    return (struct slowdown){
        .minimum = part(with->minimum, without->maximum),
        .median = part(with->median, without->median),
        .maximum = part(with->maximum, without->minimum),
    };
}

bool overhead_is_possible(const struct slowdown *slowdown)
{
    return slowdown->maximum >= -OVERHEAD_NOISE;
}

bool overhead_falls(const struct slowdown *shorter_period, const struct slowdown *longer_period)
{
    return longer_period->minimum <= shorter_period->maximum + OVERHEAD_NOISE;
}

double overhead_cost(double slowdown, double cycles, double samples)
{
    return slowdown * cycles / samples;
}

bool overhead_costs_agree(double by_time, double spread, double by_counter)
{
    const double difference = by_time > by_counter ? by_time - by_counter : by_counter - by_time;

    return difference <= OVERHEAD_CLOCKS_DIFFER * by_counter + spread;
}

unsigned overhead_samples(uint32_t period)
{
    const uint32_t samples = OVERHEAD_CYCLES_WANTED / period;

    if (samples < OVERHEAD_SAMPLES_LEAST)
        return OVERHEAD_SAMPLES_LEAST;
    return samples < OVERHEAD_SAMPLES ? samples : OVERHEAD_SAMPLES;
}

uint64_t overhead_iterations(unsigned samples, uint32_t period, uint64_t n, double cycles)
{
    const double wanted =
        samples > 0 ? MARGIN * samples * (double)period : (double)OVERHEAD_CYCLES_WANTED;

    return (uint64_t)(wanted * (double)n / cycles) + 1;
}

uint64_t overhead_every(uint32_t period, double events, double cycles)
{
    const double every = period * events / cycles + 0.5;

    return every >= 1 && every <= UINT32_MAX ? (uint64_t)every : 0;
}
