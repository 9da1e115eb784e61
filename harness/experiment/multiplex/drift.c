#include "drift.h"

void drift_add(struct drift *drift, double share, unsigned interval, unsigned intervals)
{
    const bool first = drift->early_count + drift->late_count == 0;

    if (first || share < drift->lowest)
        drift->lowest = share;
    if (first || share > drift->highest)
        drift->highest = share;
    if (interval < intervals / 2) {
        drift->early += share;
        drift->early_count++;
    } else {
        drift->late += share;
        drift->late_count++;
    }
}

bool drift_between_halves(const struct drift *drift, double *difference)
{
    if (drift->early_count == 0 || drift->late_count == 0)
        return false;
    *difference = drift->late / drift->late_count - drift->early / drift->early_count;
    return true;
}
