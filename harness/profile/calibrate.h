/* Latencies of retirement that add up to the counted cycles. Pure.
 *
 * Executions times mean latencies come to another sum than was counted, mostly by the chance of the
 * records. An instruction that takes each time alike has no part in it, one that waits now and then
 * has much. So each gives or takes in proportion to its variance: of all cycles with the counted
 * sum these are closest to the latencies in least squares, each weighed by its variance, as long as
 * no instruction is to give more than half of its own. */
#ifndef HARNESS_PROFILE_CALIBRATE_H
#define HARNESS_PROFILE_CALIBRATE_H

#include "profile_raw.h"

/* The cycles of all rows. `counted`: cycles for an instruction of the kernel; `executed`, `ran`
 * [RAW_ROWS]: the rows' sums. What chance does not explain stays as it is. */
void calibrate(const struct raw *raw, const struct addresses *addresses, double counted,
               const double *executed, const double *ran);

#endif
