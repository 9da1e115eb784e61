#include "overhead_figures.h"

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

double overhead_rate(double cost, double hertz, double slowdown)
{
    return cost > 0 ? slowdown * hertz / cost : 0;
}
