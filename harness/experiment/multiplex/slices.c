#include "slices.h"

#include "harness/judge/outliers.h"

#define SHARE 8 /* an eighth of the mean */

/* A count of windows, which is a whole number below 2^53. */
static bool is_apart(const struct outlier_limit *limit, const struct rotated *rotated)
{
    return outliers_apart(limit, (uint64_t)rotated->least) ||
           outliers_apart(limit, (uint64_t)rotated->most);
}

static void include(struct slices *slices, const struct rotated *rotated,
                    const struct outlier_limit *limit, bool first)
{
    if (first)
        *slices = (struct slices){rotated->least, rotated->most, limit->median};
    if (rotated->least < slices->least)
        slices->least = rotated->least;
    if (rotated->most > slices->most)
        slices->most = rotated->most;
}

bool slices_apart(struct slices *slices, const struct measurement *m,
                  const struct interval *interval, const struct event *event)
{
    bool apart = false, some = false;

    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        const struct pass_result *pass = &m->passes[p];

        for (unsigned i = 0; i < m->plan->passes[p].reading_count; i++) {
            const struct rotated *rotated = &interval->readings[p * PLAN_COUNTERS + i];
            struct outlier_limit limit;

            if (m->plan->passes[p].readings[i].event != event || !pass->complete ||
                pass->overflowed[i] || interval->time_slices[p] == 0 || rotated->overflowed)
                continue;
            limit = outliers_limit(m, p, i, false);
            include(slices, rotated, &limit, !some);
            some = true;
            apart = apart || is_apart(&limit, rotated);
        }
    }
    return apart;
}

bool slices_differ(const struct rotated *rotated, unsigned count, double rounding)
{
    const double mean = rotated->sum / count;
    double most = mean / SHARE > EDGE_COUNTS ? mean / SHARE : EDGE_COUNTS;

    most = rounding > most ? rounding : most;
    return count > 0 && !rotated->overflowed && rotated->most - rotated->least > most;
}
