#include "sampling.h"

#include "boot/text.h"
#include "pmu/kind.h"

/* Recording stops first, and starts again last before the counter, so that no branch of the handler
 * is recorded; the counter that stops behind it counts one, by which the writes go on. */
static void add_branches(struct sampling_plan *plan, const struct lbr_plan *lbr)
{
    const struct msr_value off = {lbr->enable.msr, lbr->disable};

    for (unsigned i = 0; i < lbr->keep_count; i++)
        plan->keep[plan->keep_count++] = lbr->keep[i];
    for (unsigned i = 0; i < lbr->read_count; i++)
        plan->reads[plan->read_count++] = lbr->reads[i];
    plan->setup[plan->setup_count++] = lbr->enable;
    for (unsigned i = plan->stop_count++; i > 0; i--)
        plan->stop[i] = plan->stop[i - 1];
    plan->stop[0] = off;
    plan->resume[plan->resume_count++] = lbr->enable;
    plan->finish = off;
}

const char *sampling_plan_make(struct sampling_plan *plan, const struct facts *facts,
                               const struct description *description, const struct event *event,
                               const struct event *cycles, const struct lbr_plan *lbr)
{
    const char *why;

    memset(plan, 0, sizeof(*plan));
    if (facts->absent != NULL)
        return facts->absent;
    if (event == NULL)
        return "this CPU's description does not have the event that is to be sampled";
    why = pass_refuses(facts, event);
    if (why != NULL)
        return why;
    why = kind_of(facts)->sampling(plan, facts, description, event,
                                   lbr != NULL && lbr->freezes_counters ? NULL : cycles);
    if (why == NULL && lbr != NULL)
        add_branches(plan, lbr);
    return why;
}

/* The generator's state is the seed, mixed so that neighbouring seeds have nothing in common
 * (SplitMix64's output function). */
struct sampling_periods sampling_periods_from(uint32_t period, uint32_t jitter, uint64_t seed)
{
    uint64_t state = seed + 0x9e3779b97f4a7c15u;

    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
    state = (state ^ state >> 27) * 0x94d049bb133111ebu;
    state ^= state >> 31;
    return (struct sampling_periods){
        .period = period, .jitter = jitter, .state = state != 0 ? state : 1};
}

/* Marsaglia's xorshift64, of which the upper half is used: uniform within jitter / 2^32. */
static uint32_t up_to_jitter(struct sampling_periods *periods)
{
    uint64_t x = periods->state;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    periods->state = x;
    return (uint32_t)((x >> 32) * ((uint64_t)periods->jitter + 1) >> 32);
}

uint32_t sampling_periods_next(struct sampling_periods *periods)
{
    if (periods->left == 0) {
        periods->shift = up_to_jitter(periods);
        periods->left = SAMPLING_ALIKE;
    }
    periods->left--;
    return periods->period + periods->shift + up_to_jitter(periods);
}

uint64_t sampling_preset(uint64_t mask, uint32_t period)
{
    return (0 - (uint64_t)period) & mask;
}
