#include "metrics.h"

#define METRIC_ALL 255.0 /* the byte that stands for all slots */

double metrics_slots(uint64_t metrics, uint64_t slots, unsigned field)
{
    uint64_t byte = metrics >> (8 * (field & 7)) & 0xff;

    return (double)byte / METRIC_ALL * (double)slots;
}

double metrics_error(uint64_t slots)
{
    return 1 / METRIC_ALL * (double)slots;
}
