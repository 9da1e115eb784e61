/* Cycles in which the re-order buffer is empty behind a mispredicted branch. They are the branch's,
 * as TIP has it (B. Gottschall, L. Eeckhout, M. Jahre, "TIP: Time-Proportional Instruction
 * Profiling", MICRO 2021); a sample names the first instruction that comes behind it. Pure.
 *
 * Branch records have a flag on a taken branch that was mispredicted. Of those that are not taken
 * there are no records: what was counted beyond the flags is shared out to them by flow x share
 * taken, which is most where either way is likely, as far as the cycles are there. That is a guess,
 * and right where one branch alone is mispredicted. */
#ifndef HARNESS_PROFILE_RESTEER_H
#define HARNESS_PROFILE_RESTEER_H

#include "branches.h"
#include "flow.h"

/* A branch retires a cycle after its execution at the earliest, and four cycles after it at the
 * latest (a guess: nobody has published it). The middle is taken, and may be wrong by that much. */
#define RESTEER_RETIRES 2.5
#define RESTEER_SLACK   1.5

struct resteer {
    const struct branches *branches;
    const struct flow *flow;
    double *rates;          /* [edges]: mispredicts, in the unit of the flow */
    double *given, *wanted; /* [instructions]: work of resteer_take */
};

/* What the first instructions behind mispredicted branches have. */
struct behind {
    const double *cycles; /* [instructions] */
    double each;          /* of them for a misprediction */
};

/* Fills in the rates. `mispredicts`: of the whole kernel, in the unit of the flow; those of a way
 * are at most its flow. Of ways that are not taken, one that has cycles `behind` it comes first;
 * null: nobody knows the cycles. Null; or why the count cannot be that of these branches, and no
 * rate holds.
 */
const char *resteer_rates(const struct resteer *resteer, double mispredicts,
                          const struct behind *behind);
/* [instructions]: adds the mispredicts of each branch, and takes them from the first instruction
 * behind it. */
void resteer_net(const struct resteer *resteer, double *net);
/* Takes `each` cycles of each mispredict, times `part`, from the first instruction behind the edge,
 * as far as it has them, and notes them in `given` for the branch. Returns the sum; in *missing
 * what these instructions do not have. */
double resteer_take(const struct resteer *resteer, double each, double part, double *cycles,
                    double *missing);
/* As much of what was taken for the branches as they have themselves. */
double resteer_had(const struct resteer *resteer, const double *cycles);
/* Gives the branches what was taken for them. */
void resteer_give(const struct resteer *resteer, double *cycles);

#endif
