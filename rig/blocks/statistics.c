#include "statistics.h"

#include <math.h>
#include <stdlib.h>

double pair_error(const struct pair *pair)
{
    return (pair->predicted - pair->measured) / pair->measured;
}

static int ascending(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* All pairs of pairs are looked at: a few thousand blocks make a few million. */
static double tau_of(const struct pair *pairs, size_t count)
{
    double agree = 0, measured_differ = 0, predicted_differ = 0;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const int measured = sign(pairs[i].measured - pairs[j].measured);
            const int predicted = sign(pairs[i].predicted - pairs[j].predicted);

            agree += measured * predicted;
            measured_differ += measured != 0;
            predicted_differ += predicted != 0;
        }
    }
    return measured_differ > 0 && predicted_differ > 0
               ? agree / sqrt(measured_differ * predicted_differ)
               : 0;
}

struct statistics statistics_of(const struct pair *pairs, size_t count)
{
    struct statistics result = {0};
    double *errors = count ? malloc(count * sizeof(*errors)) : NULL;

    if (errors == NULL)
        return result;
    for (size_t i = 0; i < count; i++) {
        const double error = pair_error(&pairs[i]);

        errors[i] = fabs(error);
        result.mean += fabs(error) / (double)count;
        result.bias += error / (double)count;
        result.within_10 += (fabs(error) <= 0.10) / (double)count;
        result.within_25 += (fabs(error) <= 0.25) / (double)count;
    }
    qsort(errors, count, sizeof(*errors), ascending);
    result.median = (errors[(count - 1) / 2] + errors[count / 2]) / 2;
    result.tau = tau_of(pairs, count);
    result.count = count;
    free(errors);
    return result;
}
