/* How wrong a profile is. Pure.
 *
 * The error of a level is the weighted mean relative error: the sum of |estimate - truth| over all
 * entries, over the sum of the truth. For executions the sums are over executions x instructions of
 * the entry (so that a block weighs what its instructions weigh), for CPI over cycles: each entry's
 * |CPI - true CPI| / true CPI counts with its true share of the cycles. */
#ifndef HARNESS_PROFILE_ERROR_H
#define HARNESS_PROFILE_ERROR_H

#include "profile.h"

/* The largest single error is sought among entries with at least this share of the cycles. */
#define ERROR_LEAST_SHARE 0.01

/* What is true of an entry, in the same windows. */
struct profile_truth {
    double executions, instructions, cycles;
};
struct profile_error {
    const char *reason; /* null: there is an error */
    double mean;        /* weighted mean relative error; 0.01 is 1 % */
    double largest;     /* relative error of the worst entry with at least ERROR_LEAST_SHARE */
    uint32_t worst;     /* that entry; UINT32_MAX: no entry has that share */
    uint32_t missing;   /* entries with a true share and no estimate: their error is 1 in `mean` */
};

/* Of the number of executions. `truth` has an entry for each entry of the level. */
void profile_error_executions(struct profile_error *error, const struct profile *profile,
                              enum profile_level level, const struct profile_truth *truth);
/* Of the CPI. */
void profile_error_cpi(struct profile_error *error, const struct profile *profile,
                       enum profile_level level, const struct profile_truth *truth);

#endif
