#include "outliers.h"

#include "harness/window/stats.h"
#include "metric_error.h"

#define SHARE     8u /* an eighth of the median */
#define DISTANCES 6u

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct outlier_limit outliers_limit(const struct measurement *m, unsigned pass, unsigned reading,
                                    bool twice)
{
    const uint64_t *values = pass_values(&m->passes[pass], reading, twice, m->repeats);
    struct outlier_limit limit = {stats_spread(values, m->repeats).median, EDGE_COUNTS};
    uint64_t distances[STATS_VALUES], half;

    for (unsigned i = 0; i < m->repeats; i++)
        distances[i] = distance(values[i], limit.median);
    half = stats_spread(distances, m->repeats).median * DISTANCES;
    if (m->plan->passes[pass].readings[reading].kind == READING_METRIC)
        limit.most += (uint64_t)(2 * metric_error(m, pass));
    limit.most = larger(limit.most, larger(limit.median / SHARE, half));
    return limit;
}

bool outliers_apart(const struct outlier_limit *limit, uint64_t value)
{
    return distance(value, limit->median) > limit->most;
}

bool outliers_repeat_apart(const struct measurement *m, unsigned pass, unsigned reading,
                           unsigned repeat)
{
    bool apart = false;

    for (unsigned twice = 0; twice < 2; twice++) {
        const struct outlier_limit limit = outliers_limit(m, pass, reading, twice != 0);

        apart = apart || outliers_apart(&limit, pass_values(&m->passes[pass], reading, twice != 0,
                                                            m->repeats)[repeat]);
    }
    return apart;
}

static void note(struct outliers *outliers, const struct outlier *outlier)
{
    if (outliers->count < OUTLIERS_KEPT)
        outliers->first[outliers->count] = *outlier;
    outliers->count++;
}

static void look(struct outliers *outliers, const struct measurement *m, unsigned pass,
                 unsigned reading, bool twice)
{
    const struct pass_result *result = &m->passes[pass];
    const uint64_t *values = pass_values(result, reading, twice, m->repeats);
    struct outlier_limit limit;

    if (result->overflowed[reading])
        return;
    limit = outliers_limit(m, pass, reading, twice);
    for (unsigned i = 0; i < m->repeats; i++) {
        if (outliers_apart(&limit, values[i]))
            note(outliers, &(struct outlier){
                               .event = m->plan->passes[pass].readings[reading].event,
                               .twice = twice,
                               .window = pass_windows(result, twice, m->repeats)[i],
                               .value = values[i],
                               .middle = limit.median,
                           });
    }
}

/* Where the first pass and another one count the same event: the other pass's windows, as a whole,
 * lie apart when their median does. Fixed counters are in all passes. */
static void look_across(struct outliers *outliers, const struct measurement *m, unsigned pass,
                        unsigned reading, bool twice)
{
    const struct event *event = m->plan->passes[pass].readings[reading].event;
    const struct outlier_limit own = outliers_limit(m, pass, reading, twice);
    const struct pass *first = m->plan->passes;
    struct outlier_limit limit;
    unsigned i = 0;

    while (i < first->reading_count && first->readings[i].event != event)
        i++;
    if (i == first->reading_count || !m->passes[0].complete || m->passes[0].overflowed[i])
        return;
    limit = outliers_limit(m, 0, i, twice);
    limit.most = larger(limit.most, own.most);
    if (outliers_apart(&limit, own.median))
        note(outliers, &(struct outlier){
                           .event = event,
                           .twice = twice,
                           .window = pass_windows(&m->passes[pass], twice, m->repeats)[0],
                           .value = own.median,
                           .middle = limit.median,
                       });
}

void outliers_find(struct outliers *outliers, const struct measurement *m)
{
    outliers->count = 0;
    for (unsigned pass = 0; pass < m->plan->pass_count; pass++)
        for (unsigned i = 0; m->passes[pass].complete && i < m->plan->passes[pass].reading_count;
             i++)
            for (unsigned twice = 0; twice < 2; twice++) {
                look(outliers, m, pass, i, twice != 0);
                if (pass > 0 && !m->passes[pass].overflowed[i])
                    look_across(outliers, m, pass, i, twice != 0);
            }
}
