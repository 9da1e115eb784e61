#include "results.h"

#include "boot/text.h"
#include "metric_error.h"
#include "outliers.h"

#define EDGE_NOISE 2 /* the least that the difference of two windows may be off */
/* The same of one repeat alone: what is counted in a cycle at the edge of one of its windows, where
 * the other window ends a cycle earlier. A guess: of all cores described here none counts more in a
 * cycle than 8. */
#define EDGE_CYCLE 8
/* By what part the cycles of a pass may differ from the cycles of the first pass. */
#define PASSES_TOLERANCE 0.25
#define UNEVEN           2

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

/* Whether the pass took so many more or fewer cycles than the first pass, which supplies the
 * formulas' cycles, that a share of those cycles means nothing: two cores may disturb each other
 * more in one pass than in the next. */
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
        return (own < first ? first - own : own - first) > EDGE_COUNTS + PASSES_TOLERANCE * first;
    }
    return false;
}

static void add_most(struct tally *tally, const struct measurement *m, unsigned pass,
                     unsigned reading)
{
    for (unsigned twice = 0; twice < 2; twice++) {
        const uint64_t *values = pass_values(&m->passes[pass], reading, twice != 0, m->repeats);

        for (unsigned repeat = 0; repeat < m->repeats; repeat++)
            if (values[repeat] > tally->most[twice])
                tally->most[twice] = values[repeat];
    }
}

/* The differences of the repeats of which neither window lies apart; all of them where there are
 * none. */
static struct signed_spread kept_of(const struct measurement *m, unsigned pass, unsigned reading,
                                    unsigned *apart)
{
    const uint64_t *once = pass_values(&m->passes[pass], reading, false, m->repeats);
    const uint64_t *twice = pass_values(&m->passes[pass], reading, true, m->repeats);
    const struct outlier_limit of_once = outliers_limit(m, pass, reading, false);
    const struct outlier_limit of_twice = outliers_limit(m, pass, reading, true);
    uint64_t n[STATS_VALUES], n2[STATS_VALUES];
    unsigned count = 0;

    for (unsigned i = 0; i < m->repeats; i++) {
        if (outliers_apart(&of_once, once[i]) || outliers_apart(&of_twice, twice[i]))
            continue;
        n[count] = once[i];
        n2[count] = twice[i];
        count++;
    }
    *apart = m->repeats - count;
    return count > 0 ? stats_difference(n, n2, count) : stats_difference(once, twice, m->repeats);
}

static void add_reading(struct tally *tally, const struct tally *cycles,
                        const struct measurement *m, unsigned pass, unsigned reading)
{
    const struct pass_result *result = &m->passes[pass];
    struct signed_spread difference;

    if (!result->complete) {
        if (!tally->measured && tally->reason == NULL)
            tally->reason = result->why != NULL ? result->why
                            : m->what != NULL   ? m->what
                                                : "its windows were not run";
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
        tally->pass = pass;
        tally->reading = reading;
        if (m->plan->passes[pass].readings[reading].kind == READING_METRIC)
            tally->error = metric_error(m, pass);
        tally->difference = difference;
        tally->kept = kept_of(m, pass, reading, &tally->apart);
        tally->difference.median = tally->kept.median;
        tally->scattered = tally->apart * 2 > m->repeats;
        tally->single = m->repeats == 1;
        tally->skewed = is_skewed(cycles, m, pass);
        tally->lowest = difference.minimum;
        tally->highest = difference.maximum;
    }
    if (difference.minimum < tally->lowest)
        tally->lowest = difference.minimum;
    if (difference.maximum > tally->highest)
        tally->highest = difference.maximum;
    tally->constant = tally->lowest == tally->highest;
    add_most(tally, m, pass, reading);
}

/* n iterations cannot cost less than 0. When the repeats that do not lie apart are on both sides of
 * 0, none of them further from it than the edges of windows explain, and the median no further than
 * the lowest, the count is the noise of these edges, and its value is 0. (Below 0 in all of them is
 * not noise: see why_no_count.) Bytes of PERF_METRICS are left as they are: tally->error bounds
 * their noise. */
bool results_is_noise(const struct tally *tally)
{
    const struct signed_spread *of = &tally->kept;

    return of->minimum < 0 && of->maximum >= 0 && -of->minimum <= EDGE_COUNTS &&
           of->maximum <= EDGE_COUNTS && tally->difference.median <= -of->minimum &&
           tally->error <= 0;
}

static double value_of(const struct tally *tally)
{
    return results_is_noise(tally) ? 0 : (double)tally->difference.median;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* By how much the median may be off: half of the range of the repeats that do not lie apart, of all
 * where most do, and never less than an event at the edge of each window; of one repeat alone never
 * less than a cycle. Where one of these repeats counted nothing, the count may be nothing: it is
 * off by its median. */
static double error_of(const struct tally *tally)
{
    const struct signed_spread *of = tally->scattered ? &tally->difference : &tally->kept;
    double error = tally->single ? EDGE_CYCLE : EDGE_NOISE;

    error = larger(error, (double)(of->maximum - of->minimum) / 2);
    if (of->minimum <= EDGE_NOISE)
        error = larger(error, (double)tally->difference.median);
    return larger(error, tally->error);
}

static const struct tally *find_cycles(const struct results *results)
{
    return results_find(results, "CPU_CLK_UNHALTED.THREAD");
}

/* Whether so few were counted that the edges of the windows account for them. */
static bool is_nothing(const struct tally *tally)
{
    return tally->measured && tally->difference.median <= EDGE_NOISE;
}

static bool is_much(const struct tally *tally)
{
    return tally != NULL && tally->measured && tally->difference.median > EDGE_COUNTS;
}

/* What fixed counters count comes with every cycle or instruction. */
static bool is_fixed(const struct event *event)
{
    return event->kind == EVENT_FIXED || event->kind == EVENT_SLOTS;
}

/* Cycles without instructions are no count, nor are instructions, reference cycles or slots without
 * cycles: a counter stood still. Null: none did. */
static const char *why_still(const struct results *results, const struct tally *tally,
                             const struct tally *cycles)
{
    if (!is_nothing(tally))
        return NULL;
    if (tally == cycles && is_much(results_find(results, "INST_RETIRED.ANY")))
        return "it counted nothing while instructions retired";
    if (tally != cycles && is_fixed(tally->event) && is_much(cycles))
        return "it counted nothing while cycles went by";
    return NULL;
}

/* Whether most repeats have a window that lies apart, and all together they differ by more than the
 * edges of windows can, in comparison with the cycles. What differs by less is a count with a
 * larger error: in a long kernel few events may come in two amounts. */
static bool is_scattered(const struct tally *tally, const struct tally *cycles)
{
    const double range = (double)(tally->difference.maximum - tally->difference.minimum);
    const double of = cycles != NULL && cycles->measured ? (double)cycles->difference.median : 0;

    return tally->scattered && range > EDGE_COUNTS + EDGE_SHARE * of;
}

/* Whether the n iterations more of a window of 2n took over twice the cycles of any window of n:
 * then no count is that of n iterations. A working set that outgrows a cache between n and 2n does
 * that. */
static bool is_uneven(const struct tally *cycles)
{
    return cycles != NULL && cycles->measured &&
           (double)cycles->difference.median > UNEVEN * (double)cycles->most[0] + EDGE_COUNTS;
}

/* Why the tally is not a count of n iterations; null: it is one. If windows of 2n count fewer than
 * windows of n in every repeat but those that lie apart, by more than edges and bytes can be off,
 * the event is reported as unmeasured: the windows were not alike, and a formula would give one
 * node a share below 0 and its sibling a share above 1. So is an event whose pass differs by over
 * 25 % in cycles from the first pass, which supplies the formulas' cycles; and one of which so many
 * repeats have a window that lies apart that what is left is no majority. */
static const char *why_no_count(const struct results *results, const struct tally *tally)
{
    const struct tally *cycles = find_cycles(results);
    double limit;

    if (!tally->measured)
        return tally->reason;
    if (tally->skewed)
        return "its pass took over 25 % more or fewer cycles than the first pass";
    if (is_uneven(cycles))
        return "an iteration does not cost the same: n more took over twice the cycles of n";
    if (is_scattered(tally, cycles))
        return "of most of its repeats a window lies apart";
    if (cycles == NULL || !cycles->measured || tally->difference.median > EDGE_NOISE)
        return NULL;
    if (cycles->difference.median <= 0 || tally->kept.maximum >= 0)
        return why_still(results, tally, cycles);
    limit = tally->error + EDGE_COUNTS + EDGE_SHARE * (double)cycles->difference.median;
    return -(double)tally->difference.median > limit
               ? "windows of 2n iterations counted fewer than windows of n"
               : why_still(results, tally, cycles);
}

void results_make(struct results *results, const struct measurement *m)
{
    const struct tally *cycles = NULL;

    results->count = 0;
    results->description = m->description;
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
    for (unsigned i = 0; i < results->count; i++) {
        const struct tally *tally = &results->tallies[i];
        const char *reason = why_no_count(results, tally);
        const bool counted = tally->measured && reason == NULL;

        results->counts[i] = (struct count){
            .event = tally->event,
            .measured = counted,
            .value = counted ? value_of(tally) : 0,
            .error = counted ? error_of(tally) : 0,
            .reason = reason,
        };
    }
}

static const struct tally *find_alias(const struct results *results, const char *name)
{
    const struct event *event = description_event(results->description, name);

    for (unsigned i = 0; event != NULL && i < results->count; i++)
        if (results->tallies[i].event == event)
            return &results->tallies[i];
    return NULL;
}

const struct tally *results_find(const struct results *results, const char *event)
{
    for (unsigned i = 0; i < results->count; i++) {
        const char *name = results->tallies[i].event->name;

        if (name[0] == event[0] && strcmp(name, event) == 0)
            return &results->tallies[i];
    }
    return results->description != NULL && results->description->alias_count > 0
               ? find_alias(results, event)
               : NULL;
}

bool results_value(const struct results *results, const char *event, double *value,
                   const char **reason)
{
    const struct tally *tally = results_find(results, event);

    *reason =
        tally == NULL ? "the CPU description has no such event" : why_no_count(results, tally);
    if (tally == NULL || !tally->measured || *reason != NULL)
        return false;
    *value = value_of(tally);
    return true;
}

void results_refuse_event(struct results *results, unsigned number, const char *reason)
{
    results->tallies[number].measured = false;
    results->tallies[number].reason = reason;
    results->counts[number].measured = false;
    results->counts[number].reason = reason;
}

void results_refuse(struct results *results, const char *reason)
{
    for (unsigned i = 0; i < results->count; i++)
        if (results->tallies[i].measured)
            results_refuse_event(results, i, reason);
}
