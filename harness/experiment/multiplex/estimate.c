/* How much of the difference between an estimate and a count may be chance?
 *
 * An estimate rests on the few time slices that counted its event, and is off by what these differ
 * from the others (Mathur and Cook, "Improved estimation for software multiplexing of performance
 * counters", MASCOTS 2005). Their own spread does not tell how much that is: of an event that comes
 * in bursts many a sample has no burst, and then no spread either. And of the hundreds of events of
 * a run one in twenty is outside of its bound of 95 % confidence.
 *
 * So no distribution is assumed, and the windows that count the event with its pass alone are asked
 * too. If nothing but chance is different between them and the time slices, any of all these
 * windows are as likely to be the time slices, and all of one kind are above all of the other in 2
 * of the ways to choose them (the extreme of Mann and Whitney, "On a test of whether one of two
 * random variables is stochastically larger than the other", 1947): of 735,471 for 8 time slices
 * and 16 windows alone. Otherwise the two ranges of counts overlap, and the means differ by no more
 * than the ranges allow. That is what chance may do. */
#include "estimate.h"

#include "boot/text.h"
#include "pmu/metrics.h"
#include "slices.h"

/* How far the least and the most of some counts lie from their mean, relative to it. */
struct range {
    double below, above;
};

static struct range range_of(const struct rotated *rotated, unsigned count)
{
    const double mean = rotated->sum / count;

    return mean > 0 ? (struct range){1 - rotated->least / mean, rotated->most / mean - 1}
                    : (struct range){0, 0};
}

/* A share of an error that is not below 0; from 1 on it does not matter how large it is. */
static double at_most_1(double share)
{
    return share < 1 ? share : 1;
}

/* By how much the mean of `few` can differ from that of `many`, relative to the latter, while the
 * two ranges overlap. */
static double by_chance(const struct range *few, const struct range *many)
{
    const double less = 1 - (1 - many->below) / (1 + few->above);
    const double more = few->below < 1 ? (1 + many->above) / (1 - few->below) - 1 : 1;

    return at_most_1(less > more ? less : more);
}

unsigned estimate_slices(const struct plan *plan, const struct interval *interval)
{
    unsigned count = 0;

    for (unsigned p = 0; p < plan->pass_count; p++)
        count += interval->time_slices[p];
    return count;
}

struct rotated estimate_counted(const struct plan *plan, const struct interval *interval,
                                const struct event *event, double *cycles, unsigned *time_slices)
{
    struct rotated all = {0};

    *cycles = 0;
    *time_slices = 0;
    for (unsigned p = 0; p < plan->pass_count; p++) {
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            const struct rotated *rotated = &interval->readings[p * PLAN_COUNTERS + i];

            if (plan->passes[p].readings[i].event != event || interval->time_slices[p] == 0)
                continue;
            all.sum += rotated->sum;
            all.overflowed |= rotated->overflowed;
            if (*time_slices == 0 || rotated->least < all.least)
                all.least = rotated->least;
            if (*time_slices == 0 || rotated->most > all.most)
                all.most = rotated->most;
            *cycles += interval->pass_cycles[p];
            *time_slices += interval->time_slices[p];
        }
    }
    return all;
}

bool estimate_cycles_overflowed(const struct plan *plan, const struct interval *interval)
{
    for (unsigned p = 0; p < plan->pass_count; p++) {
        const int cycles = rotation_cycles(&plan->passes[p]);

        if (cycles >= 0 && interval->readings[p * PLAN_COUNTERS + (unsigned)cycles].overflowed)
            return true;
    }
    return false;
}

struct estimate estimate_event(const struct plan *plan, const struct interval *interval,
                               const struct event *event)
{
    struct estimate estimate = {.valid = false};
    double cycles;
    unsigned time_slices;
    const struct rotated all = estimate_counted(plan, interval, event, &cycles, &time_slices);

    if (!interval->complete || cycles <= 0)
        estimate.why = "no time slice counted it";
    else if (all.overflowed)
        estimate.why = "its counter overflowed within a window";
    else if (estimate_cycles_overflowed(plan, interval))
        estimate.why = "the counter of cycles overflowed within a window";
    if (estimate.why != NULL)
        return estimate;
    estimate.valid = true;
    estimate.running = cycles / interval->cycles;
    estimate.value = all.sum / estimate.running;
    estimate.share = estimate.value / interval->cycles;
    return estimate;
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

/* What the reading counts with its pass alone in as many windows as the multiplexed run has. */
static double alone(const struct plan *plan, const struct rotation *rotation, unsigned pass,
                    unsigned reading)
{
    return rotation->whole[pass * PLAN_COUNTERS + reading].sum / rotation->turns / rotation->alone *
           estimate_slices(plan, rotation->interval);
}

/* By what part fixed counter `counter` counted more or less in the run of the pass alone than in
 * the multiplexed run, in *part; false: not all passes counted it. */
static bool apart(const struct plan *plan, const struct rotation *rotation, unsigned number,
                  unsigned counter, double *part)
{
    const struct pass *pass = &plan->passes[number];
    double sum;

    if (!sum_fixed(plan, rotation->interval, counter, &sum) || sum <= 0)
        return false;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        if (pass->readings[i].kind != READING_FIXED || pass->readings[i].counter != counter)
            continue;
        *part = __builtin_fabs(alone(plan, rotation, number, i) - sum) / sum;
        return true;
    }
    return false;
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

/* By how much the event may differ, relative to its count, because the multiplexed run and that of
 * the pass alone took other numbers of cycles: by all that the two runs differ by in cycles or, for
 * a byte of PERF_METRICS, in their slots; an event that counts more than once a cycle by the same
 * part as they. Fixed counter 1 counts core cycles, 2 reference cycles: a frequency that changed
 * shows in one of them. In *by; false: one of them is not known. */
static bool by_cycles(const struct estimate *estimate, const struct plan *plan,
                      const struct rotation *rotation, unsigned pass, unsigned reading, double *by)
{
    const double part = part_of_most(estimate, plan, rotation->interval, pass, reading);
    double core, reference, most;

    if (!apart(plan, rotation, pass, 1, &core) || !apart(plan, rotation, pass, 2, &reference))
        return false;
    most = core > reference ? core : reference;
    /* Relative to the estimate it is most / part. The count may be that much smaller. */
    if (most <= 0)
        *by = 0;
    else
        *by = most < part ? at_most_1(most / (part - most)) : 1;
    return true;
}

/* Whether the rotation's windows, all of as many iterations, retired numbers of instructions that
 * are further apart than ESTIMATE_CHANGE: the program does now this and now that, and what share of
 * either a few time slices have seen nobody knows. Fixed counter 0 is in every pass of a core that
 * has it. */
static bool changes(const struct plan *plan, const struct rotation *rotation)
{
    double least = 0, most = 0;

    for (unsigned p = 0; p < plan->pass_count; p++) {
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            const struct rotated *of[] = {&rotation->interval->readings[p * PLAN_COUNTERS + i],
                                          &rotation->whole[p * PLAN_COUNTERS + i]};

            if (plan->passes[p].readings[i].kind != READING_FIXED ||
                plan->passes[p].readings[i].counter != 0)
                continue;
            for (unsigned j = 0; j < COUNT_OF(of); j++) {
                least = most == 0 || of[j]->least < least ? of[j]->least : least;
                most = of[j]->most > most ? of[j]->most : most;
            }
        }
    }
    return most - least > ESTIMATE_CHANGE * most;
}

/* What speaks against judging an error. */
struct doubt {
    bool changes;  /* the kernel does not always do the same */
    bool bursts;   /* some windows counted the event, others did not */
    double chance; /* what of the error may be chance */
    double cycles; /* by_cycles */
    bool cycles_known;
};

/* The time slices that counted the event may be longer or shorter than the average of all: by that
 * part the scaled count is off, and chance comes on top. */
static struct doubt doubt_of(const struct multiplexed *multiplexed, const struct plan *plan,
                             const struct rotation *rotation, unsigned pass, unsigned reading)
{
    const struct estimate *estimate = &multiplexed->estimate;
    const unsigned all = estimate_slices(plan, rotation->interval);
    double cycles, scaled, by = 0;
    bool known;
    unsigned time_slices;
    const struct rotated rotated =
        estimate_counted(plan, rotation->interval, multiplexed->event, &cycles, &time_slices);
    const struct range few = range_of(&rotated, time_slices),
                       many = range_of(&rotation->whole[pass * PLAN_COUNTERS + reading],
                                       rotation->turns * rotation->alone);

    scaled = __builtin_fabs((double)time_slices / all / estimate->running - 1);
    known = by_cycles(estimate, plan, rotation, pass, reading, &by);
    return (struct doubt){.changes = changes(plan, rotation),
                          .bursts = few.below >= 1 || many.below >= 1,
                          .chance = (1 + by_chance(&few, &many)) * (1 + scaled) - 1,
                          .cycles = by,
                          .cycles_known = known};
}

/* Why the error must not be judged, or null. */
static const char *unreliable(const struct multiplexed *multiplexed, const struct doubt *doubt)
{
    const struct estimate *estimate = &multiplexed->estimate;

    if (estimate->running < ESTIMATE_RUNNING)
        return "counted for too short a time";
    if ((estimate->running < 1 && estimate->share < ESTIMATE_SHARE) || !multiplexed->error_known)
        return "too rare";
    if (doubt->bursts)
        return "not in every slice";
    if (doubt->chance > ESTIMATE_ERROR)
        return "slices differ";
    if (multiplexed->estimate.running < 1 && doubt->changes)
        return "instructions of the slices differ";
    if (!doubt->cycles_known)
        return "cycles of the two runs are not known";
    return multiplexed->uncertainty > ESTIMATE_ERROR ? "cycles of the two runs differ" : NULL;
}

/* By how much two windows of the reading may differ because a byte of PERF_METRICS is rounded: by
 * two steps of it. 0 of other readings. */
static double rounding(const struct plan *plan, const struct interval *interval, unsigned pass,
                       unsigned reading)
{
    const struct reading *readings = plan->passes[pass].readings;

    for (unsigned i = 0; i < plan->passes[pass].reading_count; i++)
        if (readings[reading].kind == READING_METRIC && readings[i].kind == READING_SLOTS)
            return 2 *
                   (metrics_error((uint64_t)interval->readings[pass * PLAN_COUNTERS + i].most) + 1);
    return 0;
}

static void compare_windows(struct multiplexed *multiplexed, const struct plan *plan,
                            const struct rotation *rotation, unsigned pass, unsigned reading)
{
    double cycles;
    unsigned time_slices;
    const struct rotated slices =
        estimate_counted(plan, rotation->interval, multiplexed->event, &cycles, &time_slices);
    const struct rotated *alone = &rotation->whole[pass * PLAN_COUNTERS + reading];
    const double round = rounding(plan, rotation->interval, pass, reading);

    multiplexed->differ = slices_differ(&slices, time_slices, round) ||
                          slices_differ(alone, rotation->turns * rotation->alone, round);
    multiplexed->slice_range[0] = slices.least;
    multiplexed->slice_range[1] = slices.most;
    multiplexed->alone_range[0] = alone->least;
    multiplexed->alone_range[1] = alone->most;
}

bool estimate_compare(struct multiplexed *multiplexed, const struct plan *plan,
                      const struct rotation *rotation, const struct event *event)
{
    struct doubt doubt;
    unsigned pass, reading;

    *multiplexed = (struct multiplexed){
        .event = event, .estimate = estimate_event(plan, rotation->interval, event)};
    if (!multiplexed->estimate.valid || !find_reading(plan, event, &pass, &reading))
        return false;
    if (rotation->whole[pass * PLAN_COUNTERS + reading].overflowed) {
        multiplexed->estimate.valid = false;
        multiplexed->estimate.why = "its counter overflowed within a window of its pass alone";
        return false;
    }
    multiplexed->count = alone(plan, rotation, pass, reading);
    multiplexed->error_known = multiplexed->count > 0;
    if (multiplexed->error_known)
        multiplexed->error = multiplexed->estimate.value / multiplexed->count - 1;
    doubt = doubt_of(multiplexed, plan, rotation, pass, reading);
    multiplexed->cycles_known = doubt.cycles_known;
    multiplexed->uncertainty = at_most_1((1 + doubt.chance) * (1 + doubt.cycles) - 1);
    multiplexed->unreliable = unreliable(multiplexed, &doubt);
    compare_windows(multiplexed, plan, rotation, pass, reading);
    return true;
}
