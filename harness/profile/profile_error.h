/* How wrong a profile is. Pure.
 *
 * There is one measure, the weighted mean relative error: the sum of |estimate - truth| over all
 * entries of a level, over the sum of the truth. For executions it sums executed instructions, so
 * that a block weighs what its instructions weigh. For CPI it sums |CPI - true CPI| x true
 * instructions over true cycles, so that each entry weighs its true share of the cycles, and what
 * a profile says of an instruction that costs nothing counts as well. An entry without an estimate
 * is off by all of its truth. */
#ifndef HARNESS_PROFILE_ERROR_H
#define HARNESS_PROFILE_ERROR_H

#include "profile.h"

/* The largest single error is sought among entries with at least this share of the cycles. */
#define ERROR_LEAST_SHARE 0.01

/* What is true of an entry, in the same windows. */
struct profile_truth {
    double instructions, cycles; /* that were executed in it, and that it took */
};
struct profile_error {
    const char *reason; /* null: there is an error */
    double mean;        /* weighted mean relative error; 0.01 is 1 % */
    double largest;     /* relative error of the worst entry with at least ERROR_LEAST_SHARE */
    uint32_t worst;     /* that entry; UINT32_MAX: no entry has that share */
    uint32_t missing;   /* entries that ran and have no estimate */
};

/* Of the number of executed instructions. `truth` has an entry for each entry of the level. */
void profile_error_executions(struct profile_error *error, const struct profile *profile,
                              enum profile_level level, const struct profile_truth *truth);
/* Of the CPI. */
void profile_error_cpi(struct profile_error *error, const struct profile *profile,
                       enum profile_level level, const struct profile_truth *truth);

#endif
