/* Verdicts on the two methods of a core with PERF_METRICS: the register's bytes, and the formula
 * over counters. */
#include "verdict_methods.h"

#include "boot/format.h"
#include "boot/text.h"

#define METRIC_BYTES 8

/* The bytes of PERF_METRICS that the node needs with these parameters. */
static unsigned bytes_of(const struct counts *given, const struct node *node,
                         const struct event *bytes[METRIC_BYTES])
{
    const struct event *events[PLAN_EVENTS];
    unsigned count = topdown_events_given(given, &node->formula, events, 0, PLAN_EVENTS, NULL);
    unsigned found = 0;

    for (unsigned i = 0; i < count; i++)
        if (events[i]->kind == EVENT_METRIC && found < METRIC_BYTES)
            bytes[found++] = events[i];
    return found;
}

bool verdict_has_methods(const struct trial *trial, const struct node *node)
{
    const struct event *bytes[METRIC_BYTES];
    struct extra extras[PARAMETERS_MAX];
    struct counts without;

    if (trial->results == NULL || node->level < 1 || node->level > 2 || !trial_asks(trial, node) ||
        bytes_of(&trial->counts, node, bytes) == 0)
        return false;
    without = parameters_without_metrics(&trial->counts, extras);
    return bytes_of(&without, node, bytes) == 0;
}

/* By how much the node changes when count number `index` is off by `error`, up or down, whichever
 * changes it more: added to *sum. False: it has no value then. */
static bool add_change(const struct trial *trial, const struct node *node, double value,
                       unsigned index, double error, double *sum)
{
    struct count changed[PLAN_EVENTS];
    struct counts counts = trial->counts;
    double most = 0;

    memcpy(changed, counts.counts, counts.count_count * sizeof(*changed));
    counts.counts = changed;
    for (unsigned way = 0; way < 2; way++) {
        struct formula_result result;
        double by;

        changed[index].value = trial->counts.counts[index].value + (way == 0 ? error : -error);
        topdown_node(&counts, node, &result);
        if (!result.finite)
            return false;
        by = __builtin_fabs(result.value - value);
        most = by > most ? by : most;
    }
    *sum += most;
    return true;
}

/* By how much the count of a byte may be off: by its rounding, or, where windows were unlike, by
 * what lies between the median and the repeat that is furthest from it. The formula's events are
 * counted in windows of other passes, of which nothing is known but that they may be like any of
 * these repeats. */
static double error_of_byte(const struct trial *trial, unsigned index)
{
    const struct tally *tally = &trial->results->tallies[index];
    const struct signed_spread *of = &tally->difference;
    const double above = (double)(of->maximum - of->median);
    const double below = (double)(of->median - of->minimum);
    const double furthest = above > below ? above : below;

    return furthest > tally->error ? furthest : tally->error;
}

/* How far the errors of all bytes can move the node: their single effects added up, which to first
 * order no combination exceeds. False: one of them leaves the node without a value. */
static bool error_of(const struct trial *trial, const struct node *node, double value,
                     double *error)
{
    const struct event *bytes[METRIC_BYTES];
    const unsigned count = bytes_of(&trial->counts, node, bytes);

    *error = 0;
    for (unsigned i = 0; i < trial->results->count; i++)
        for (unsigned b = 0; b < count; b++)
            if (trial->results->tallies[i].event == bytes[b] &&
                !add_change(trial, node, value, i, error_of_byte(trial, i), error))
                return false;
    return true;
}

void verdict_compare(const struct trial *trial, const struct node *node, struct two_methods *two)
{
    struct extra extras[PARAMETERS_MAX];
    const struct counts without = parameters_without_metrics(&trial->counts, extras);
    const struct formula_result *metrics = trial_node(trial, node);
    struct formula_result formula;
    const char *reason;
    double cycles = 0;

    *two = (struct two_methods){.metrics_valid = metrics->finite, .metrics = metrics->value};
    topdown_node(&without, node, &formula);
    /* Too few cycles leave the formula without a value too; only trial_node looks at them. */
    two->formula_valid = formula.finite && metrics->finite;
    two->formula = formula.value;
    if (!metrics->finite || !formula.finite) {
        format(two->detail, sizeof(two->detail), "%s",
               metrics->finite ? formula.reason : metrics->reason);
        two->reason = two->detail;
        return;
    }
    if (!error_of(trial, node, metrics->value, &two->error)) {
        two->formula_valid = false;
        two->reason = "within its bytes' rounding the node may have no value";
        return;
    }
    if (results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) && cycles > 0)
        two->tolerance = two->error + TRIAL_EDGE_CYCLES / cycles;
    else
        two->tolerance = two->error;
}

void verdict_methods(struct verdict *verdict, const struct trial *trial, const struct node *node)
{
    char subject[DESCRIPTION_NAME + 40];
    struct two_methods two;

    format(subject, sizeof(subject), "%s%sperf_metrics and formula agree",
           node != NULL ? node->name : "", node != NULL ? " " : "");
    verdict_begin(verdict, trial, subject);
    if (trial->blocked != NULL || node == NULL) {
        verdict_skip(verdict,
                     trial->blocked != NULL ? trial->blocked : "no PERF_METRICS on this core");
        return;
    }
    verdict_compare(trial, node, &two);
    if (two.reason != NULL) {
        verdict_skip(verdict, two.reason);
        return;
    }
    verdict->outcome =
        __builtin_fabs(two.metrics - two.formula) <= two.tolerance ? VERDICT_PASS : VERDICT_FAIL;
    format(verdict->text, sizeof(verdict->text),
           "core %u %s %s perf_metrics %.4f formula %.4f, may differ by %.4f", trial->core,
           trial->experiment->kernel->name, node->name, two.metrics, two.formula, two.tolerance);
    verdict_doubt(verdict, trial, &node->formula);
}
