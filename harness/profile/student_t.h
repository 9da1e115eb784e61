/* Student's t. Pure. */
#ifndef HARNESS_PROFILE_STUDENT_T_H
#define HARNESS_PROFILE_STUDENT_T_H

/* How many standard errors to each side of the mean of values 95 % of all such means lie in, for
 * values with this many degrees of freedom: at least 1; more than 15 count as 15, which is too
 * much rather than too little. */
double student_t(unsigned degrees);

#endif
