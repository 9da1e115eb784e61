#include "sampling_series.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/judge/measured_core_run.h"
#include "harness/judge/measured_core_sample.h"
#include "harness/profile/square_root.h"
#include "harness/sampler/sampler.h"
#include "branch_series.h"
#include "records_sampling.h"

/* Samples that a window makes room for: so many that its edges weigh little. */
#define WINDOW_SAMPLES 128u
#define WINDOW_CYCLES  1e9 /* of the longest window of more than one sample */

/* Of the samples that are due, by how many there may be fewer or more (a guess): the kernel's
 * windows are not those in which its events were counted. And two at the edges. */
#define DUE_LEAST 0.75
#define DUE_MOST  1.5
#define DUE_EDGES 2

#define CYCLES       "CPU_CLK_UNHALTED.THREAD"
#define INSTRUCTIONS "INST_RETIRED.ANY"
#define BRANCHES     "BR_INST_RETIRED.ALL_BRANCHES"

static const struct {
    const char *name, *event;
    bool jitter;
} all[SERIES_COUNT] = {
    [SERIES_BRANCHES] = {"branches", TAKEN_BRANCHES, true},
    [SERIES_MISPREDICTED] = {"mispredicted branches", TAKEN_MISPREDICTS_EXECUTED, true},
    [SERIES_CYCLES] = {"cycles", CYCLES, true},
    [SERIES_CLASSIC_CYCLES] = {"classic cycles", CYCLES, false},
    [SERIES_CLASSIC_INSTRUCTIONS] = {"classic instructions", INSTRUCTIONS, false},
    [SERIES_PRECISE] = {"precise instructions", INSTRUCTIONS, true},
};

const char *sampling_series_event(const struct sampling_job *job, enum series series)
{
    return series == SERIES_BRANCHES ? branch_series_event(job->core->description)
                                     : all[series].event;
}

bool sampling_series_wanted(const struct sampling_job *job, enum series series)
{
    if (series == SERIES_MISPREDICTED)
        return branch_series_executed(job->core->description);
    return series != SERIES_PRECISE || job->sampling->precise.area != NULL;
}

/* Samples of cycles that a window may make. A classic profiler's period is the same number of
 * instructions, so its series makes so many more as the kernel executes instructions a cycle; for
 * that one, too, half of the room must do. */
static double most_in_window(const struct sampling_job *job)
{
    const double each = sampling_counted(job, INSTRUCTIONS) / sampling_counted(job, CYCLES);
    const double room = (double)job->sampling->room / 2 / (each > 1 ? each : 1);

    return room < WINDOW_SAMPLES ? room : WINDOW_SAMPLES;
}

uint64_t sampling_series_n(const struct sampling_job *job)
{
    const double most = most_in_window(job), period = job->config->period;
    const double longest = period + 2.0 * job->config->jitter;
    double window = period * (job->sampling->samples < most ? job->sampling->samples : most);

    if (window > WINDOW_CYCLES)
        window = WINDOW_CYCLES;
    if (window < longest) /* a sample at least */
        window = longest;
    return (uint64_t)((double)job->measurement->n * window / sampling_counted(job, CYCLES)) + 1;
}

/* The period that makes as many samples of the event as the configured period makes of cycles. A
 * classic profiler has the same number for both. */
static uint32_t period_of(const struct sampling_job *job, enum series series)
{
    const enum series of = branch_series_is(series) ? SERIES_BRANCHES : series;
    const double share =
        sampling_counted(job, sampling_series_event(job, of)) / sampling_counted(job, CYCLES);
    const double period = job->config->period * share;

    if (!branch_series_is(series) && series != SERIES_PRECISE)
        return job->config->period;
    if (series == SERIES_PRECISE && period < PEBS_PERIOD)
        return PEBS_PERIOD;
    if (period >= UINT32_MAX) /* an event that lies may count any number of times a cycle */
        return UINT32_MAX;
    if (branch_series_is(series))
        return branch_series_period(job, series, sampling_series_n(job), period);
    return period > 1 ? (uint32_t)period : 1;
}

static uint32_t jitter_of(const struct sampling_job *job, enum series series, uint32_t period)
{
    uint32_t jitter;

    if (!all[series].jitter)
        return 0;
    jitter = (uint32_t)((uint64_t)job->config->jitter * period / job->config->period);
    if (branch_series_is(series) && job->config->jitter > 0 && jitter < BRANCHES_JITTER)
        return BRANCHES_JITTER;
    return jitter;
}

static double mean_period(const struct sampling_job *job, enum series series)
{
    const uint32_t period = period_of(job, series);

    return (double)period + jitter_of(job, series, period);
}

/* A record must name the instruction itself: the one before it is not always the one before that
 * address in the code. */
static const char *plan_precise(const struct sampling_job *job)
{
    const struct measured_core *core = job->core;
    struct sampling *sampling = job->sampling;
    struct sampler *s = &sampling->sampler;
    const char *reason = pebs_absent(&core->facts, core->description);

    s->addresses = &sampling->addresses[SERIES_PRECISE];
    s->memory = sampling->precise;
    if (reason == NULL)
        reason = pebs_plan(&s->pebs, &core->facts, core->description, PEBS_INSTRUCTIONS,
                           (uint64_t)(uintptr_t)s->memory.area);
    if (reason == NULL && s->pebs.layout.format < PEBS_EVENTING_FORMAT)
        reason = "the records of this CPU do not name the instruction itself";
    if (reason == NULL && sampling_counted(job, INSTRUCTIONS) == 0)
        reason = "its instructions were not counted";
    if (reason == NULL && s->pebs.distributed && s->pebs.layout.retire_latency &&
        !addresses_make_timed(s->addresses, &sampling->left))
        reason = "no memory for its latencies";
    return reason;
}

/* Null, or why the series cannot be. */
static const char *plan(const struct sampling_job *job, enum series series)
{
    const struct description *description = job->core->description;
    struct sampling *sampling = job->sampling;
    struct sampler *s = &sampling->sampler;
    const char *reason = NULL;

    if (series == SERIES_PRECISE)
        return plan_precise(job);
    if (branch_series_is(series)) {
        reason = branch_series_plan(&sampling->lbr, job->core);
        s->lbr = &sampling->lbr;
        s->branches = series == SERIES_BRANCHES ? &sampling->branches : &sampling->mispredicted;
        s->finds_mispredicted = series == SERIES_MISPREDICTED;
    } else {
        s->addresses = &sampling->addresses[series];
        if (series == SERIES_CYCLES)
            s->lbr = branch_series_plan_last(&sampling->cycles_lbr, job->core);
    }
    if (reason == NULL && sampling_counted(job, sampling_series_event(job, series)) == 0)
        reason = "the event that is to be sampled was not counted";
    if (reason == NULL && series == SERIES_MISPREDICTED)
        reason = branch_series_too_few(job, sampling_series_n(job));
    if (reason == NULL)
        reason =
            sampling_plan_make(&s->plan, &job->core->facts, description,
                               description_event(description, sampling_series_event(job, series)),
                               description_event(description, CYCLES), s->lbr);
    if (reason == NULL && branch_series_is(series) &&
        !branches_make(
            s->branches, &sampling->index, branch_series_kept(&sampling->lbr),
            branch_series_planned(job, series, sampling_series_n(job), mean_period(job, series)),
            &sampling->left))
        reason = "no memory for the branches";
    return reason;
}

/* Retired branches of every kind: an architectural event, so that nearly every core has it. */
static void plan_skid(const struct sampling_job *job, enum series series)
{
    const struct description *description = job->core->description;
    struct sampler *s = &job->sampling->sampler;

    s->counts_cycles = series == SERIES_CYCLES || series == SERIES_CLASSIC_CYCLES;
    if (!s->counts_cycles) {
        s->cost.skid_missing = "the series does not sample cycles";
        return;
    }
    s->cost.skid_missing = sampling_plan_make(&job->sampling->branch_plan, &job->core->facts,
                                              description, description_event(description, BRANCHES),
                                              description_event(description, CYCLES), NULL);
    if (s->cost.skid_missing == NULL)
        s->branch_plan = &job->sampling->branch_plan;
}

static void prepare(const struct sampling_job *job, enum series series)
{
    struct sampling *sampling = job->sampling;
    struct sampler *s = &sampling->sampler;
    const uint32_t period = period_of(job, series);

    plan_skid(job, series);
    s->measurement = job->measurement;
    s->delivery = job->config->delivery;
    s->periods = sampling_periods_from(period, jitter_of(job, series, period), job->config->seed);
    s->n = sampling_series_n(job);
    s->wanted = sampling->samples;
    s->expected = (uint64_t)(sampling_counted(job, sampling_series_event(job, series)) *
                             (double)s->n / (double)job->measurement->n / period) +
                  1;
    s->least_period = branch_series_is(series) ? 0 : period;
    s->window_limit = series == SERIES_MISPREDICTED ? sampling->branch_windows : 0;
    sampler_give_room(s, sampling->records, sampling->room);
}

static void miss(const struct sampling_job *job, enum series series, const char *why)
{
    char *missing = job->sampling->missing[series];

    format(missing, sizeof(job->sampling->missing[series]), "%s", why);
    log_skip(missing, "core %u %s is sampled by %s", job->core->core,
             job->measurement->kernel->name, all[series].name);
}

/* The period is below what an interrupt costs: the run would hardly come to its end. */
static void refuse(const struct sampling_job *job, enum series series)
{
    const unsigned long long limit = job->sampling->sampler.period_limit;
    char where[160], expected[80], why[120];

    format(where, sizeof(where), "core %u, kernel %s, sampled by %s, period = %u", job->core->core,
           job->measurement->kernel->name, all[series].name, job->config->period);
    format(expected, sizeof(expected), "a period above %llu cycles", limit);
    log_error("the period is not above what an interrupt costs", where, expected);
    format(why, sizeof(why), "the period is not above what an interrupt costs: %llu cycles", limit);
    miss(job, series, why);
}

static void trouble(const struct sampling_job *job, enum series series)
{
    const struct sampler *s = &job->sampling->sampler;
    char at[120], text[280];

    format(at, sizeof(at), "sampled by %s%s%s", all[series].name, s->where[0] != '\0' ? ", " : "",
           s->where);
    measured_core_trouble(job->core, job->measurement->kernel->name, s->what, at);
    format(job->sampling->missing[series], sizeof(job->sampling->missing[series]), "%s", s->what);
    format(text, sizeof(text), "core %u %s is sampled by %s: %s", job->core->core,
           job->measurement->kernel->name, all[series].name, s->what);
    job->verdict(job->context, false, text);
    measured_core_give_up(job->core, job->measurement->kernel->name);
}

struct due {
    double least, most; /* samples */
};

/* Events that the kernel makes from sample to sample at least; 0: nobody knows, since cycles go by
 * between the handler's last write and the kernel. */
static double shortest(const struct sampler *s, double period)
{
    const struct interrupt_cost *cost = &s->cost;
    double events = period;

    if (cost->gain_known && cost->gain.median < 0)
        events = period + (double)cost->gain.median;
    else if (!cost->gain_known && s->counts_cycles)
        return 0;
    else if (!cost->gain_known && cost->least_refill.median > 0)
        events = period - (double)cost->least_refill.median;
    return events > 1 ? events : 1;
}

/* How far the mean of the periods may be off by chance, relative: four standard deviations. The
 * shift of P is the same for SAMPLING_ALIKE periods, so it decides. */
static double chance_of_periods(const struct sampler *s, double samples)
{
    const double alike = samples > SAMPLING_ALIKE ? SAMPLING_ALIKE / samples : 1;
    const double period = (double)s->periods.period + s->periods.jitter;

    return 4 * s->periods.jitter / period * square_root(alike / 12);
}

/* What the kept windows must have brought, by what the event counted before. To its period an
 * interrupt adds what the kernel runs until the handler stops the counter. */
static struct due due_of(const struct sampling_job *job, enum series series)
{
    const struct sampler *s = &job->sampling->sampler;
    const double events = sampling_counted(job, sampling_series_event(job, series)) * (double)s->n /
                          (double)job->measurement->n * (double)s->windows;
    const double period = (double)s->periods.period + s->periods.jitter;
    const double late = s->late.count > 0 ? s->late.sum / (double)s->late.count : 0;
    const double chance = 1 + chance_of_periods(s, events / (period + late));
    const double few = DUE_LEAST < 1 / chance ? DUE_LEAST : 1 / chance;
    const double many = DUE_MOST > chance ? DUE_MOST : chance;
    const double least = few * events / (period + late) - DUE_EDGES;
    const double each = shortest(s, period);

    return (struct due){
        .least = least > 0 ? least : 0,
        .most = each > 0 ? many * events / each + DUE_EDGES : (double)UINT64_MAX,
    };
}

/* A counter that overflows more or less often than its event was counted samples other places, and
 * nothing else would say so. Of mispredicted branches no number is due: windows of another length
 * train the predictor otherwise. */
static bool are_due(const struct sampling_job *job, enum series series)
{
    struct sampling *sampling = job->sampling;
    struct sampler *s = &sampling->sampler;
    const struct due due = due_of(job, series);
    const bool few = (double)s->came < due.least;
    char where[160], expected[80];

    s->undue = s->memory.area == NULL && s->windows > 0 && s->what == NULL &&
               series != SERIES_MISPREDICTED && (few || (double)s->came > due.most);
    if (!s->undue)
        return true;
    format(where, sizeof(where), "core %u, kernel %s, sampled by %s", job->core->core,
           job->measurement->kernel->name, all[series].name);
    format(expected, sizeof(expected), "%s %.0f samples in %llu windows",
           few ? "at least" : "at most", few ? due.least : due.most,
           (unsigned long long)s->windows);
    format(sampling->missing[series], sizeof(sampling->missing[series]),
           "%llu samples came where %s %.0f are due", (unsigned long long)s->came,
           few ? "at least" : "at most", few ? due.least : due.most);
    log_error("the sampled counter overflows otherwise than its event was counted", where,
              expected);
    return false;
}

static void conclude(const struct sampling_job *job, enum series series)
{
    struct sampling *sampling = job->sampling;
    const struct sampler *s = &sampling->sampler;
    char text[280];
    bool due;

    if (s->absent != NULL) {
        miss(job, series, s->absent);
        return;
    }
    if (s->below_cost) {
        refuse(job, series);
        return;
    }
    due = are_due(job, series);
    record_sampling(job->core, s, all[series].name,
                    series == SERIES_PRECISE ? s->pebs.event->name
                                             : sampling_series_event(job, series),
                    job->config->seed, sampling->totals.cycles);
    if (s->what != NULL && series == SERIES_MISPREDICTED && s->rc == RC_TIMEOUT) {
        miss(job, series, s->what); /* no number of samples is due */
        return;
    }
    if (s->what != NULL) {
        trouble(job, series);
        return;
    }
    sampling->done[series] = due;
    sampling->weight[series] = branch_series_weight(s);
    if (series == SERIES_BRANCHES)
        sampling->branch_windows = s->windows;
    if (due)
        format(text, sizeof(text), "core %u %s is sampled by %s: %llu samples", job->core->core,
               job->measurement->kernel->name, all[series].name, (unsigned long long)s->kept);
    else
        format(text, sizeof(text), "core %u %s is sampled by %s: %s", job->core->core,
               job->measurement->kernel->name, all[series].name, sampling->missing[series]);
    job->verdict(job->context, due, text);
}

void sampling_series_run(const struct sampling_job *job, enum series series)
{
    char *missing = job->sampling->missing[series];
    const char *reason;

    if (job->core->lost) {
        format(missing, sizeof(job->sampling->missing[series]), "%s", job->core->why);
        return;
    }
    memset(&job->sampling->sampler, 0, sizeof(job->sampling->sampler));
    reason = plan(job, series);
    if (reason != NULL) {
        miss(job, series, reason);
        return;
    }
    prepare(job, series);
    if (measured_core_sample(job->core, &job->sampling->sampler,
                             (uint64_t)job->config->timeout * 1000000, "was sampled")) {
        conclude(job, series);
        return;
    }
    job->verdict(job->context, false, job->core->why);
    format(missing, sizeof(job->sampling->missing[series]), "%s", job->core->why);
}
