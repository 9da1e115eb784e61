#include "branch_series.h"

/* Mispredicted branches are sampled at S1's period, but so many of them a window where the kernel
 * mispredicts often enough. */
#define MISPREDICTED_SAMPLES 8.0

double sampling_counted(const struct sampling_job *job, const char *event)
{
    const char *reason;
    double value;

    return results_value(job->results, event, &value, &reason) && value >= 1 ? value : 0;
}

bool branch_series_executed(const struct description *description)
{
    return description_event(description, TAKEN_BRANCHES) == NULL &&
           description_event(description, TAKEN_EXECUTED) != NULL;
}

const char *branch_series_event(const struct description *description)
{
    return branch_series_executed(description) ? TAKEN_EXECUTED : TAKEN_BRANCHES;
}

/* Of a window of n iterations. */
static double mispredicted(const struct sampling_job *job, uint64_t n)
{
    return sampling_counted(job, TAKEN_MISPREDICTS_EXECUTED) * (double)n /
           (double)job->measurement->n;
}

uint32_t branch_series_period(const struct sampling_job *job, enum series series, uint64_t n,
                              double by_cycles)
{
    const double most = mispredicted(job, n) / MISPREDICTED_SAMPLES;
    double period = by_cycles;

    if (series == SERIES_MISPREDICTED && period > most)
        period = most;
    if (job->config->jitter > 0 && period < BRANCHES_PERIOD)
        return BRANCHES_PERIOD;
    return period > 1 ? (uint32_t)period : 1;
}

uint64_t branch_series_planned(const struct sampling_job *job, enum series series, uint64_t n,
                               double mean_period)
{
    const struct sampling *sampling = job->sampling;

    if (series != SERIES_MISPREDICTED)
        return sampling->samples;
    return (uint64_t)(mispredicted(job, n) * (double)sampling->branch_windows / mean_period) + 1;
}

/* With less than a sample a window, windows without any are most. R and the shift are half of their
 * most, on average. */
const char *branch_series_too_few(const struct sampling_job *job, uint64_t n)
{
    const double parts = 1 + (double)job->config->jitter / job->config->period;

    return mispredicted(job, n) < BRANCHES_PERIOD * parts
               ? "too few taken branches are mispredicted to be sampled"
               : NULL;
}

/* The handler stops the recording itself where it can: a freeze with the overflow keeps what
 * retires in the same cycle, and no counter says how many of the records that is. Without a filter
 * the interrupts themselves are recorded, unless the PMI freezes the records; the counters are
 * frozen with them, since the sampled one says how many records are newer than its overflow. Only a
 * legacy freeze ends by the handler's own writes; of a streamlined one the status would stay set.
 */
const char *branch_series_plan(struct lbr_plan *lbr, const struct measured_core *core)
{
    const struct lbr_options ways[] = {
        {.types = LBR_EVERY_TYPE & ~(1u << LBR_OTHER)},
        {.freeze_on_pmi = true, .freeze_counters = true},
        {.types = 0},
    };
    const char *reason = NULL;

    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        reason = lbr_plan_make(lbr, &core->facts, core->description, &ways[i]);
        if (reason == NULL && (!ways[i].freeze_on_pmi || lbr->kind->freeze == LBR_FREEZE_LEGACY))
            break;
    }
    return reason;
}

/* Without a filter the newest record is the interrupt's, which does not lead into the kernel. Of
 * stacks that cannot be frozen that was not tried. */
const struct lbr_plan *branch_series_plan_last(struct lbr_plan *lbr,
                                               const struct measured_core *core)
{
    const struct lbr_options ways[] = {
        {.types = LBR_EVERY_TYPE & ~(1u << LBR_OTHER)},
        {.types = 0},
    };

    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (lbr_plan_make(lbr, &core->facts, core->description, &ways[i]) == NULL &&
            (ways[i].types != 0 || lbr->kind->freeze != LBR_FREEZE_NONE))
            return lbr;
    return NULL;
}

unsigned branch_series_kept(const struct lbr_plan *lbr)
{
    return lbr->depth >= 8 ? lbr->depth / 4 : 2;
}

/* The mean period, and what the counter counted from its overflow until it was stopped. */
double branch_series_weight(const struct sampler *s)
{
    const double late = s->late.count > 0 ? s->late.sum / (double)s->late.count : 0;
    const double period = (double)s->periods.period + s->periods.jitter;

    return s->windows > 0 ? (period + late) / (double)s->windows : 0;
}
