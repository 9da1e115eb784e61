/* Whose a cycle is in which several instructions retire: in equal parts that of all of them, as TIP
 * has it (B. Gottschall, L. Eeckhout, M. Jahre, "TIP: Time-Proportional Instruction Profiling",
 * MICRO 2021). Pure.
 *
 * A sample names the oldest instruction, so the first of a group that retires has the group's
 * cycle, and the others have nothing. An instruction heads no group in less than a cycle, so in
 * each execution it does so with a chance of its cycles per execution at most, and never more than
 * 1; that chance is taken, a guess where an instruction waits now and then only. From it and from
 * the flow follows of which instructions a group consists, as if neighbouring chances were
 * independent, another guess. Samples with a latency of retirement know the chance: the part of
 * them whose latency is not 0. What an instruction has beyond one cycle an execution it has waited
 * for, and keeps. */
#ifndef HARNESS_PROFILE_SHARE_H
#define HARNESS_PROFILE_SHARE_H

#include "code_index.h"
#include "flow.h"

/* By how much of what is moved its estimate may be wrong for these guesses (a guess itself: so much
 * as the virtual rig shows, on which groups are known). */
#define SHARE_SLACK 0.2

struct share {
    const struct code_index *index;
    const struct flow *flow; /* solved */
    const bool *fused; /* [instructions]: the first of a pair, which retires with the next one */
    /* [instructions]: of the executions, those that did not retire together with the instruction
     * before; null: that is not known. */
    const double *waited;
    double *heads;  /* [instructions]: work */
    double *shared; /* [instructions]: work */
    /* [instructions]: cycles that the instruction has given away and was given, of all others, and
     * of those of other blocks; null: that is not noted */
    double *moved, *crossed, *left; /* left: of those of other functions */
};

/* `cycles` [instructions]: of the oldest; they become cycles by TIP's rule, their sum stays.
 * cycles[i] / executions[i] times `scale` is core cycles per execution. */
void share_groups(const struct share *share, const double *executions, double *cycles,
                  double scale);

#endif
