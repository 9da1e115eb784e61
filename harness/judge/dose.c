#include "dose.h"

unsigned dose_of_step(uint64_t doses, unsigned step)
{
    return (unsigned)((100 * step + (doses - 1) / 2) / (doses - 1));
}

static double mean_of(const struct dose_point *points, unsigned count, bool shares)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += shares ? points[i].share : points[i].dose / 100;
    return sum / count;
}

void dose_fit(struct dose_line *line, const struct dose_point *points, unsigned count)
{
    double mean_dose, mean_share, dose_dose = 0, dose_share = 0, share_share = 0, residual = 0;

    *line = (struct dose_line){.valid = false};
    if (count == 0)
        return;
    mean_dose = mean_of(points, count, false);
    mean_share = mean_of(points, count, true);
    for (unsigned i = 0; i < count; i++) {
        const double dose = points[i].dose / 100 - mean_dose, share = points[i].share - mean_share;

        dose_dose += dose * dose;
        dose_share += dose * share;
        share_share += share * share;
        if (i > 0 && points[i - 1].share - points[i].share > line->largest_drop)
            line->largest_drop = points[i - 1].share - points[i].share;
    }
    if (dose_dose <= 0 || share_share <= 0)
        return;
    line->valid = true;
    line->slope = dose_share / dose_dose;
    line->intercept = mean_share - line->slope * mean_dose;
    for (unsigned i = 0; i < count; i++) {
        const double off = points[i].share - line->intercept - line->slope * points[i].dose / 100;

        residual += off * off;
    }
    line->r_squared = 1 - residual / share_share;
}
