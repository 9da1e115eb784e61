/* Numbers with a confidence interval. */
#ifndef HARNESS_PROFILE_ESTIMATED_H
#define HARNESS_PROFILE_ESTIMATED_H

#include "groups.h"

/* A number that is at least 0, with its 95 % confidence interval. `reason` (null: there is a
 * number) says why there is none; the other members then hold nothing. */
struct estimated {
    const char *reason;
    double value, low, high;
};

struct estimated estimated_absent(const char *reason);

/* An estimate, and the same estimate without each of the groups of one source of samples. */
struct left_out {
    double all;
    double without[PROFILE_GROUPS];
    const struct groups *groups;
};
/* Variance of the estimate, for groups of unequal size (Busing, Meijer and van der Leeden 1999,
 * "Delete-m jackknife for unequal m"). False: fewer than two groups have samples. */
bool left_out_variance(const struct left_out *left_out, double *variance);
/* The estimate with the interval that Student's t gives for the number of groups. Two sources,
 * sampled apart from each other, add their variances; `second` is null if there is only one. */
struct estimated estimated_make(const struct left_out *first, const struct left_out *second);

#endif
