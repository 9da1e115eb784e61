/* How wrong a profile is about what was executed. Pure.
 *
 * The measure is the weighted mean relative error: the sum of |estimate - truth| over all entries
 * of a level, over the sum of the truth. It sums executed instructions, so that a block weighs what
 * its instructions weigh. An entry without an estimate is in neither sum: which part of the truth
 * such entries have is said apart. */
#ifndef HARNESS_PROFILE_PROFILE_ERROR_H
#define HARNESS_PROFILE_PROFILE_ERROR_H

#include "profile.h"

/* `instructions` has for each entry of the level how many were executed in it. Writes the error,
 * 0.01 is 1 %, and the part of the truth in entries without an estimate, 0 to 1, and returns null;
 * or returns why there is none. */
const char *profile_error(double *error, double *unknown, const struct profile *profile,
                          enum profile_level level, const double *instructions);

/* How wrong a profile of so many samples and places (entries that ran) may be, 0.01 is 1 %.
 * `systematic` is what it may be whatever the number of places, with 100,000 samples; it grows by
 * the root for fewer. Chance alone makes an error of root(2 / pi) root(places / samples) at most on
 * average: each share p has a mean deviation of root(2 / pi) root(p (1 - p) / samples), and the sum
 * of the roots is greatest where all shares are equal. A quarter is allowed on top. */
double profile_bound(double systematic, double places, double samples);

/* Chance alone leaves 0.8 root(places / samples) of each of the two series that a CPI has, of
 * cycles and of executions, and their squares add up: 0.8 root(2 places / samples). */
double profile_chance(double places, double samples);
/* As many samples of each as leave 0.03: 2 x 0.8^2 / 0.03^2 = 12800 / 9 for a place. */
uint64_t profile_samples(uint64_t places);

#endif
