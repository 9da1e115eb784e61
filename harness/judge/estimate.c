#include "estimate.h"

#include "harness/profile/square_root.h"
#include "harness/profile/student_t.h"

/* The half width of the interval in which the mean of `count` rates lies, with 95 % confidence,
 * relative to the mean. The part of the time in which the event was counted adds no uncertainty. */
static double uncertainty(const struct rotated *rotated, unsigned count, double running)
{
    const double mean = rotated->rates / count;
    double variance;

    if (running >= 1 || mean <= 0)
        return 0;
    if (count < 2)
        return 1;
    variance = (rotated->squares - rotated->rates * mean) / (count - 1) * (1 - running);
    return variance > 0 ? student_t(count - 1) * square_root(variance / count) / mean : 0;
}

struct estimate estimate_event(const struct plan *plan, const struct interval *interval,
                               const struct event *event)
{
    struct estimate estimate = {.valid = false};
    struct rotated all = {0};
    double cycles = 0;
    unsigned time_slices = 0;

    for (unsigned p = 0; interval->complete && p < plan->pass_count; p++) {
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            const struct rotated *rotated = &interval->readings[p * PLAN_COUNTERS + i];

            if (plan->passes[p].readings[i].event != event)
                continue;
            all.sum += rotated->sum;
            all.rates += rotated->rates;
            all.squares += rotated->squares;
            cycles += interval->pass_cycles[p];
            time_slices += interval->time_slices[p];
        }
    }
    if (cycles <= 0 || time_slices == 0)
        return estimate;
    estimate.valid = true;
    estimate.running = cycles / interval->cycles;
    estimate.value = all.sum / estimate.running;
    estimate.share = estimate.value / interval->cycles;
    estimate.uncertainty = uncertainty(&all, time_slices, estimate.running);
    return estimate;
}

bool estimate_reliable(const struct estimate *estimate)
{
    return estimate->valid && estimate->running >= ESTIMATE_RUNNING &&
           estimate->uncertainty <= ESTIMATE_UNCERTAINTY &&
           (estimate->running >= 1 || estimate->share >= ESTIMATE_SHARE);
}

/* The first pass and reading that count the event. */
static bool find_reading(const struct plan *plan, const struct event *event, unsigned *pass,
                         unsigned *reading)
{
    for (*pass = 0; *pass < plan->pass_count; (*pass)++) {
        for (*reading = 0; *reading < plan->passes[*pass].reading_count; (*reading)++) {
            if (plan->passes[*pass].readings[*reading].event == event)
                return true;
        }
    }
    return false;
}

/* The sum of what fixed counter `counter` counted in the multiplexed run, which every pass has;
 * false: one has not. */
static bool sum_fixed(const struct plan *plan, const struct interval *interval, unsigned counter,
                      double *sum)
{
    *sum = 0;
    for (unsigned p = 0; p < plan->pass_count; p++) {
        const struct pass *pass = &plan->passes[p];
        unsigned i = 0;

        while (i < pass->reading_count &&
               !(pass->readings[i].kind == READING_FIXED && pass->readings[i].counter == counter))
            i++;
        if (i == pass->reading_count)
            return false;
        *sum += interval->readings[p * PLAN_COUNTERS + i].sum;
    }
    return true;
}

/* By what part fixed counter `counter` counted more or less in the run of the pass alone than in
 * the multiplexed run; 0 where not all passes have it. */
static double apart(const struct plan *plan, const struct rotation *rotation, unsigned number,
                    unsigned counter)
{
    const struct pass *pass = &plan->passes[number];
    double sum;

    if (!sum_fixed(plan, rotation->interval, counter, &sum) || sum <= 0)
        return 0;
    for (unsigned i = 0; i < pass->reading_count; i++)
        if (pass->readings[i].kind == READING_FIXED && pass->readings[i].counter == counter)
            return __builtin_fabs(rotation->whole[number * PLAN_COUNTERS + i] - sum) / sum;
    return 0;
}

/* What part the event has of what it counts at most when cycles are added: one a cycle, all slots
 * of a cycle for a byte of PERF_METRICS. 1 of an event that counts more than once a cycle. */
static double part_of_most(const struct estimate *estimate, const struct plan *plan,
                           const struct interval *interval, unsigned pass, unsigned reading)
{
    const struct reading *readings = plan->passes[pass].readings;
    const struct rotated *rotated = &interval->readings[pass * PLAN_COUNTERS];

    if (readings[reading].kind != READING_METRIC)
        return estimate->share < 1 ? estimate->share : 1;
    for (unsigned i = 0; i < plan->passes[pass].reading_count; i++)
        if (readings[i].kind == READING_SLOTS && rotated[i].sum > 0)
            return rotated[reading].sum / rotated[i].sum;
    return 0;
}

/* Whether the multiplexed run and that of the pass alone were alike enough to tell what scaling
 * does to the event. It may differ by all that the two runs differ by in cycles or, for a byte of
 * PERF_METRICS, in their slots; an event that counts more than once a cycle may differ by the same
 * part as they. 5 % of a count are 5/105 of an estimate that is so much larger. Fixed counter 1
 * counts core cycles, 2 reference cycles: a frequency that changed shows in one of them. */
static bool alike(const struct estimate *estimate, const struct plan *plan,
                  const struct rotation *rotation, unsigned pass, unsigned reading)
{
    const double core = apart(plan, rotation, pass, 1), reference = apart(plan, rotation, pass, 2);
    const double most = core > reference ? core : reference;
    const double part = part_of_most(estimate, plan, rotation->interval, pass, reading);

    return most <= part * ESTIMATE_UNCERTAINTY / (1 + ESTIMATE_UNCERTAINTY);
}

bool estimate_compare(struct multiplexed *multiplexed, const struct plan *plan,
                      const struct rotation *rotation, const struct event *event)
{
    unsigned pass, reading;

    *multiplexed = (struct multiplexed){
        .event = event, .estimate = estimate_event(plan, rotation->interval, event)};
    if (!multiplexed->estimate.valid || !find_reading(plan, event, &pass, &reading))
        return false;
    multiplexed->count = rotation->whole[pass * PLAN_COUNTERS + reading];
    if (multiplexed->count > 0)
        multiplexed->error = multiplexed->estimate.value / multiplexed->count - 1;
    else
        multiplexed->error = multiplexed->estimate.value > 0 ? 1 : 0;
    multiplexed->reliable = estimate_reliable(&multiplexed->estimate) &&
                            alike(&multiplexed->estimate, plan, rotation, pass, reading);
    return true;
}
