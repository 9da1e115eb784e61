#include "metric_error.h"

#include "pmu/metrics.h"

double metric_error(const struct measurement *m, unsigned pass)
{
    const struct pass *of = &m->plan->passes[pass];
    const struct pass_result *result = &m->passes[pass];
    double most = 0;

    for (unsigned i = 0; i < of->reading_count; i++) {
        if (of->readings[i].kind != READING_SLOTS)
            continue;
        for (unsigned repeat = 0; repeat < m->repeats; repeat++) {
            for (unsigned twice = 0; twice < 2; twice++) {
                const uint64_t slots = pass_values(result, i, twice != 0, m->repeats)[repeat];
                const double error = metrics_error(slots) + 1;

                most = error > most ? error : most;
            }
        }
    }
    return most;
}
