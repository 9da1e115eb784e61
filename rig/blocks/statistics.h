/* How far predictions are from measurements. */
#ifndef RIG_BLOCKS_STATISTICS_H
#define RIG_BLOCKS_STATISTICS_H

#include <stddef.h>

struct pair {
    double measured, predicted; /* cycles; `measured` above 0 */
};

/* Errors are (predicted - measured) / measured, as fractions; all are 0 where `count` is 0. */
struct statistics {
    size_t count;
    double mean, median;         /* of the errors without their signs */
    double bias;                 /* mean of the errors with their signs */
    double within_10, within_25; /* share of pairs whose error is at most 0.10, 0.25 */
    double tau; /* Kendall's tau-b of the two orders (M. G. Kendall, "The Treatment of Ties in
                   Ranking Problems", Biometrika 33, 1945); 0 where either has no order */
};

/* The host's memory ran out: `count` is 0 although the argument is not. */
struct statistics statistics_of(const struct pair *pairs, size_t count);
double pair_error(const struct pair *pair);

#endif
