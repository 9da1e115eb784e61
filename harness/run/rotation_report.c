/* Multiplexing on trial, and a kernel watched interval by interval: what is asked for and what is
 * told of it. */
#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/report/records.h"
#include "run.h"

/* What a reliable multiplexed value may be off by. */
#define MULTIPLEX_ERROR 0.05

static bool is_asked(const struct run *run)
{
    return run->config.multiplex || run->config.interval_us != 0;
}

bool rotation_take(struct run *run, struct lane *lane)
{
    const size_t readings = (size_t)ROTATION_PASSES * PLAN_COUNTERS;
    const unsigned intervals = run->config.interval_us != 0 ? run->config.intervals : 1;
    struct rotation *rotation;

    if (!is_asked(run))
        return true;
    rotation = memory_alloc(sizeof(*rotation));
    if (rotation == NULL)
        return false;
    rotation->interval = memory_alloc(intervals * sizeof(*rotation->interval));
    rotation->whole = memory_alloc(readings * sizeof(*rotation->whole));
    if (rotation->interval == NULL || rotation->whole == NULL)
        return false;
    for (unsigned i = 0; i < intervals; i++) {
        rotation->interval[i].readings =
            memory_alloc(readings * sizeof(*rotation->interval[i].readings));
        if (rotation->interval[i].readings == NULL)
            return false;
    }
    rotation->intervals = intervals;
    lane->rotation = rotation;
    return true;
}

struct rotation *rotation_begin(const struct run *run, struct lane *lane)
{
    const size_t readings = (size_t)ROTATION_PASSES * PLAN_COUNTERS;
    struct rotation *rotation = lane->rotation;

    if (rotation == NULL)
        return NULL;
    for (unsigned i = 0; i < rotation->intervals; i++) {
        struct rotated *kept = rotation->interval[i].readings;

        memset(kept, 0, readings * sizeof(*kept));
        rotation->interval[i] = (struct interval){.readings = kept};
    }
    memset(rotation->whole, 0, readings * sizeof(*rotation->whole));
    rotation->done = 0;
    rotation->compared = false;
    rotation->unmultiplexed = run->config.multiplex && run->config.interval_us == 0;
    rotation->turns = run->config.interval_us != 0 ? 0 : ROTATION_TURNS;
    rotation->n = lane->measurement.n * (run->config.interval_us != 0 ? 1 : ROTATION_LONGER);
    rotation->ticks = run->config.interval_us * clock_ticks_per_us();
    return rotation;
}

/* The first pass and place that count the event. */
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

/* The errors of all events; the largest of the reliable ones in *worst. */
static unsigned compare(const struct run *run, const struct lane *lane,
                        struct multiplexed events[PLAN_EVENTS], const struct multiplexed **worst,
                        unsigned *unreliable)
{
    const struct rotation *rotation = lane->rotation;
    const struct plan *plan = lane->measurement.plan;
    unsigned count = 0;

    *worst = NULL;
    *unreliable = 0;
    for (unsigned i = 0; i < run->results.count; i++) {
        struct multiplexed *to = &events[count];
        unsigned pass, reading;

        *to = (struct multiplexed){.event = run->results.tallies[i].event};
        to->estimate = rotation_estimate(plan, rotation->interval, to->event);
        if (!to->estimate.valid || !find_reading(plan, to->event, &pass, &reading))
            continue;
        to->count = rotation->whole[pass * PLAN_COUNTERS + reading];
        if (to->count > 0)
            to->error = to->estimate.value / to->count - 1;
        else
            to->error = to->estimate.value > 0 ? 1 : 0;
        to->reliable = rotation_reliable(&to->estimate);
        count++;
        if (!to->reliable)
            (*unreliable)++;
        else if (*worst == NULL || (to->error < 0 ? -to->error : to->error) >
                                       ((*worst)->error < 0 ? -(*worst)->error : (*worst)->error))
            *worst = to;
    }
    return count;
}

static void report_multiplexed(struct run *run, const struct lane *lane, const struct trial *trial)
{
    const struct rotation *rotation = lane->rotation;
    const char *kernel = trial->experiment->kernel->name;
    const unsigned passes = lane->measurement.plan->pass_count;
    const struct multiplexed *worst;
    struct multiplexed *events = run->multiplexed;
    unsigned count, unreliable;
    double error;

    if (passes < 2) {
        log_skip("one pass counts all its events", "core %u %s multiplexed", trial->core, kernel);
        return;
    }
    if (!rotation->compared) {
        log_skip(lane->measurement.what != NULL ? lane->measurement.what
                                                : "no fixed counter for cycles to scale by",
                 "core %u %s multiplexed", trial->core, kernel);
        return;
    }
    count = compare(run, lane, events, &worst, &unreliable);
    record_multiplex(lane->core, &lane->measurement, rotation, events, count);
    if (worst == NULL) {
        log_skip("no value is reliable", "core %u %s multiplexed over %u passes", trial->core,
                 kernel, passes);
        return;
    }
    error = worst->error < 0 ? -worst->error : worst->error;
    log_verdict(error <= MULTIPLEX_ERROR,
                "core %u %s multiplexed over %u passes: reliable values within %.0f %%, largest "
                "error %.2f %% (%s), %u of %u marked unreliable",
                trial->core, kernel, passes, MULTIPLEX_ERROR * 100, 100 * worst->error,
                worst->event->name, unreliable, count);
}

/* The nodes of one interval, from what each event is estimated to have counted in it. */
static void evaluate_interval(struct run *run, const struct lane *lane, const struct trial *trial,
                              const struct interval *interval)
{
    struct counts counts = trial->counts;

    for (unsigned i = 0; i < run->results.count; i++) {
        struct count *count = &run->interval_counts[i];
        const struct estimate estimate =
            rotation_estimate(lane->measurement.plan, interval, run->results.tallies[i].event);

        *count = (struct count){.event = run->results.tallies[i].event,
                                .measured = estimate.valid,
                                .value = estimate.value,
                                .reason = "no slice counted it"};
    }
    counts.counts = run->interval_counts;
    counts.count_count = run->results.count;
    topdown_forget(run->memos, trial->description->node_count);
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        run->nodes[i].asked = true;
        topdown_node_once(&counts, run->memos, &trial->description->nodes[i],
                          &run->nodes[i].result);
    }
}

static void follow(struct drift *drift, double value, unsigned interval, unsigned intervals)
{
    if (drift->count == 0 || value < drift->lowest)
        drift->lowest = value;
    if (drift->count == 0 || value > drift->highest)
        drift->highest = value;
    drift->count++;
    if (interval < intervals / 2) {
        drift->early += value;
        drift->early_count++;
    } else {
        drift->late += value;
        drift->late_count++;
    }
}

static void report_intervals(struct run *run, const struct lane *lane, const struct trial *trial)
{
    const struct rotation *rotation = lane->rotation;
    const struct description *description = trial->description;

    if (rotation->done == 0) {
        log_skip(lane->measurement.what != NULL ? lane->measurement.what
                                                : "no fixed counter for cycles to scale by",
                 "core %u %s in intervals", trial->core, trial->experiment->kernel->name);
        return;
    }
    memset(run->drifts, 0, sizeof(*run->drifts) * description->node_count);
    for (unsigned i = 0; i < rotation->done; i++) {
        evaluate_interval(run, lane, trial, &rotation->interval[i]);
        record_interval(lane->core, trial, &lane->measurement, rotation, i);
        for (unsigned j = 0; j < description->node_count; j++) {
            if (run->nodes[j].result.finite)
                follow(&run->drifts[j], run->nodes[j].result.value, i, rotation->done);
        }
    }
    record_drift(lane->core, trial, &lane->measurement, rotation, run->drifts);
}

void rotation_report(struct run *run, const struct lane *lane, const struct trial *trial)
{
    if (lane->rotation == NULL || trial->results == NULL)
        return;
    if (run->config.interval_us != 0)
        report_intervals(run, lane, trial);
    else
        report_multiplexed(run, lane, trial);
}
