/* The series whose samples are stacks of branch records. */
#ifndef HARNESS_EXPERIMENT_CPI_BRANCH_SERIES_H
#define HARNESS_EXPERIMENT_CPI_BRANCH_SERIES_H

#include "sampling_job.h"

/* Of taken branches a period and its random part are at least this long, whatever time that takes:
 * of a period of three the random part would be none, and it would divide loops (a guess). */
#define BRANCHES_PERIOD 16u
#define BRANCHES_JITTER 8u

/* What the event counted in the kernel; 0: less than one, or it was not counted. */
double sampling_counted(const struct sampling_job *job, const char *event);

static inline bool branch_series_is(enum series series)
{
    return series == SERIES_BRANCHES || series == SERIES_MISPREDICTED;
}

/* Whether S1 samples branches as they are executed, of which some may never retire: no event of the
 * description counts the retired ones alone. */
bool branch_series_executed(const struct description *description);
/* The event of S1; the name of one that the description lacks, where it has none. */
const char *branch_series_event(const struct description *description);
/* The period, at least 1, with which a series of branches takes its samples in windows of n
 * iterations; `by_cycles`: with which S1 has as many samples as the series of cycles has. */
uint32_t branch_series_period(const struct sampling_job *job, enum series series, uint64_t n,
                              double by_cycles);
/* Samples that are to come, as nearly as is known: mispredicted branches are sampled in as many
 * windows as S1 was, whose samples are as many as that is. */
uint64_t branch_series_planned(const struct sampling_job *job, enum series series, uint64_t n,
                               double mean_period);
/* Why so few mispredicted branches are no series; null: they are one. */
const char *branch_series_too_few(const struct sampling_job *job, uint64_t n);
/* Plans the branch records that a sample of branches stores. Null, or why this core has none. */
const char *branch_series_plan(struct lbr_plan *lbr, const struct measured_core *core);
/* Plans the branches before each sampled cycle, so that a sample at the begin of a block is known
 * to come from the block before. Null: this core has none; else `lbr`. */
const struct lbr_plan *branch_series_plan_last(struct lbr_plan *lbr,
                                               const struct measured_core *core);
/* Records of each stack that are used: what the branches between an overflow and its interrupt
 * leave of it. */
unsigned branch_series_kept(const struct lbr_plan *lbr);
/* Events of a window that each sample of the series stands for. */
double branch_series_weight(const struct sampler *s);

#endif
