#include "results.h"

#include "boot/text.h"
#include "pmu/metrics.h"

/* What the edges of two windows may differ by: a few cycles with all their slots, and of short
 * kernels a part of their cycles. */
#define EDGE_COUNTS 64
#define EDGE_SHARE  0.02
/* What the cycles of two passes may differ by. */
#define PASSES_APART 0.25

static struct tally *tally_of(struct results *results, const struct event *event)
{
    uint16_t *hint = &results->hints[count_hint(event)];

    if (*hint != 0 && results->tallies[*hint - 1].event == event)
        return &results->tallies[*hint - 1];
    for (unsigned i = 0; *hint != 0 && i < results->count; i++) {
        if (results->tallies[i].event == event)
            return &results->tallies[i];
    }
    if (results->count == PLAN_EVENTS)
        return NULL;
    results->tallies[results->count] = (struct tally){.event = event};
    results->count++;
    if (*hint == 0)
        *hint = (uint16_t)results->count;
    return &results->tallies[results->count - 1];
}

/* Half a step of the byte in each of the two windows, and half a slot each where its share of them
 * was rounded to a number; of the repeat where that is most. */
static double metric_error(const struct measurement *m, unsigned pass)
{
    const struct pass *of = &m->plan->passes[pass];
    const struct pass_result *result = &m->passes[pass];
    double most = 0;

    for (unsigned i = 0; i < of->reading_count; i++) {
        if (of->readings[i].kind != READING_SLOTS)
            continue;
        for (unsigned repeat = 0; repeat < m->repeats; repeat++) {
            const double error = metrics_error(pass_values(result, i, false, m->repeats)[repeat]) +
                                 metrics_error(pass_values(result, i, true, m->repeats)[repeat]) +
                                 1;

            most = error > most ? error : most;
        }
    }
    return most;
}

/* Whether the windows of the pass took so much longer or shorter than those that the cycles are
 * from that a share of their cycles would be none: what two cores do to each other need not be the
 * same from one pass to the next. */
static bool is_skewed(const struct tally *cycles, const struct measurement *m, unsigned pass)
{
    const struct pass *of = &m->plan->passes[pass];
    const struct pass_result *result = &m->passes[pass];

    for (unsigned i = 0; cycles != NULL && cycles->measured && i < of->reading_count; i++) {
        const double first = (double)cycles->difference.median;
        double own;

        if (of->readings[i].event != cycles->event)
            continue;
        own = (double)stats_difference(pass_values(result, i, false, m->repeats),
                                       pass_values(result, i, true, m->repeats), m->repeats)
                  .median;
        return (own < first ? first - own : own - first) > EDGE_COUNTS + PASSES_APART * first;
    }
    return false;
}

static void add_reading(struct tally *tally, const struct tally *cycles,
                        const struct measurement *m, unsigned pass, unsigned reading)
{
    const struct pass_result *result = &m->passes[pass];
    struct signed_spread difference;

    if (!result->complete) {
        if (!tally->measured && tally->reason == NULL)
            tally->reason = m->what != NULL ? m->what : "its windows were not run";
        return;
    }
    if (result->overflowed[reading]) {
        if (!tally->measured)
            tally->reason = "its counter overflowed within a window";
        return;
    }
    difference = stats_difference(pass_values(result, reading, false, m->repeats),
                                  pass_values(result, reading, true, m->repeats), m->repeats);
    if (!tally->measured) {
        tally->measured = true;
        tally->reason = NULL;
        if (m->plan->passes[pass].readings[reading].kind == READING_METRIC)
            tally->error = metric_error(m, pass);
        tally->difference = difference;
        tally->skewed = is_skewed(cycles, m, pass);
        tally->lowest = difference.minimum;
        tally->highest = difference.maximum;
    }
    if (difference.minimum < tally->lowest)
        tally->lowest = difference.minimum;
    if (difference.maximum > tally->highest)
        tally->highest = difference.maximum;
    tally->constant = tally->lowest == tally->highest;
}

/* What n iterations cost cannot be less than nothing. When repeats lie on both sides of nothing and
 * the median is no further from it than one that came out below, all of it is what the edges of
 * windows differ by. (Below nothing in all repeats is no noise: windows of 2n are of another kind.)
 * Bytes of PERF_METRICS have an error of their own, which is told. */
static double value_of(const struct tally *tally)
{
    const struct signed_spread *of = &tally->difference;
    const bool noise =
        of->minimum < 0 && of->maximum >= 0 && of->median <= -of->minimum && tally->error <= 0;

    return noise ? 0 : (double)of->median;
}

/* Less in windows of 2n than in those of n, in every repeat and by more than edges and bytes can be
 * off, is no count of n iterations: the windows were not alike, and a formula would make a share
 * below nothing of one event and above one of its sibling. Null: it is a count. */
static const char *why_no_count(const struct tally *tally, const struct tally *cycles)
{
    double limit;

    if (!tally->measured)
        return tally->reason;
    if (tally->skewed)
        return "its pass took a quarter more or fewer cycles than the first one";
    if (cycles == NULL || !cycles->measured || cycles->difference.median <= 0 ||
        tally->difference.maximum >= 0)
        return NULL;
    limit = tally->error + EDGE_COUNTS + EDGE_SHARE * (double)cycles->difference.median;
    return -(double)tally->difference.median > limit
               ? "windows of 2n iterations counted less than those of n"
               : NULL;
}

static const struct tally *find_cycles(const struct results *results)
{
    return results_find(results, "CPU_CLK_UNHALTED.THREAD");
}

void results_make(struct results *results, const struct measurement *m)
{
    const struct tally *cycles = NULL;

    results->count = 0;
    memset(results->hints, 0, sizeof(results->hints));
    for (unsigned i = 0; i < m->plan->pass_count; i++) {
        const struct pass *pass = &m->plan->passes[i];

        for (unsigned j = 0; j < pass->reading_count; j++) {
            struct tally *tally = tally_of(results, pass->readings[j].event);

            if (cycles == NULL)
                cycles = find_cycles(results);
            if (tally != NULL)
                add_reading(tally, cycles, m, i, j);
        }
    }
    for (unsigned i = 0; i < m->plan->missing_count; i++) {
        struct tally *tally = tally_of(results, m->plan->missing[i].event);

        if (tally != NULL && !tally->measured && tally->reason == NULL)
            tally->reason = m->plan->missing[i].reason;
    }
    cycles = find_cycles(results);
    for (unsigned i = 0; i < results->count; i++) {
        const struct tally *tally = &results->tallies[i];
        const char *reason = why_no_count(tally, cycles);
        const bool counted = tally->measured && reason == NULL;

        results->counts[i] = (struct count){
            .event = tally->event,
            .measured = counted,
            .value = counted ? value_of(tally) : 0,
            .reason = reason,
        };
    }
}

const struct tally *results_find(const struct results *results, const char *event)
{
    for (unsigned i = 0; i < results->count; i++) {
        if (strcmp(results->tallies[i].event->name, event) == 0)
            return &results->tallies[i];
    }
    return NULL;
}

bool results_value(const struct results *results, const char *event, double *value,
                   const char **reason)
{
    const struct tally *tally = results_find(results, event);

    *reason = tally == NULL ? "the CPU description has no such event"
                            : why_no_count(tally, find_cycles(results));
    if (tally == NULL || !tally->measured || *reason != NULL)
        return false;
    *value = value_of(tally);
    return true;
}

void results_refuse(struct results *results, const char *reason)
{
    for (unsigned i = 0; i < results->count; i++) {
        results->tallies[i].measured = false;
        results->tallies[i].reason = reason;
        results->counts[i].measured = false;
        results->counts[i].reason = reason;
    }
}
