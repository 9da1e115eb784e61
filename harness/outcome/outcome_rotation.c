#include "outcome_rotation.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/experiment/multiplex/records_rotation.h"
#include "outcome_verdicts.h"

struct compared {
    unsigned estimates, unreliable, missing;
    unsigned differ; /* estimates of events of which some window counted otherwise */
    const struct multiplexed
        *worst; /* the reliable one with the largest error; null: there is none */
};

/* The estimates of all events, in judged->multiplexed. */
static struct compared compare(struct judged *judged, const struct lane *lane)
{
    struct compared compared = {0};

    for (unsigned i = 0; i < judged->results.count; i++) {
        struct multiplexed *to = &judged->multiplexed[i];
        const struct multiplexed *worst = compared.worst;

        if (!estimate_compare(to, lane->measurement.plan, lane->rotation,
                              judged->results.tallies[i].event)) {
            compared.missing++;
            if (!judged->results.counts[i].measured)
                to->estimate.why = judged->results.counts[i].reason;
            continue;
        }
        compared.estimates++;
        compared.differ += to->differ;
        if (to->unreliable != NULL)
            compared.unreliable++;
        else if (worst == NULL || __builtin_fabs(to->error) > __builtin_fabs(worst->error))
            compared.worst = to;
    }
    return compared;
}

static void report_multiplexed(struct judged *judged, struct run_verdicts *verdicts,
                               const struct lane *lane, const struct trial *trial)
{
    const struct rotation *rotation = lane->rotation;
    const char *kernel = trial->experiment->kernel->name;
    const unsigned passes = lane->measurement.plan->pass_count;
    struct compared compared;
    char text[sizeof(verdicts->of->text)];

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
    compared = compare(judged, lane);
    record_multiplex(lane->core, &lane->measurement, rotation, judged->multiplexed,
                     judged->results.count);
    if (compared.worst == NULL || trial_too_short(trial)) {
        log_skip(compared.worst == NULL
                     ? "no value is reliable"
                     : "n iterations take too few cycles: time slices are all edge",
                 "core %u %s multiplexed over %u passes", trial->core, kernel, passes);
        return;
    }
    format(text, sizeof(text),
           "core %u %s multiplexed over %u passes: reliable values within %.0f %%, largest error "
           "%.2f %% (%s), %u of %u marked unreliable",
           trial->core, kernel, passes, ESTIMATE_ERROR * 100, 100 * compared.worst->error,
           compared.worst->event->name, compared.unreliable, compared.estimates);
    if (compared.missing > 0)
        format(text + strlen(text), sizeof(text) - strlen(text), ", %u missing", compared.missing);
    if (compared.differ > 0)
        format(text + strlen(text), sizeof(text) - strlen(text), ", windows of %u differ",
               compared.differ);
    outcome_verdicts_log_text(verdicts, __builtin_fabs(compared.worst->error) <= ESTIMATE_ERROR,
                              text);
}

/* An event that has no count of n iterations has none in an interval either; and an interval's
 * count may be off by as much in each of its windows. */
static struct count count_in(const struct judged *judged, const struct lane *lane,
                             const struct interval *interval, unsigned number)
{
    const struct count *of = &judged->results.counts[number];
    const struct plan *plan = lane->measurement.plan;
    const struct estimate estimate = estimate_event(plan, interval, of->event);

    return (struct count){.event = of->event,
                          .measured = of->measured && estimate.valid,
                          .value = estimate.value,
                          .error = of->error * estimate_slices(plan, interval),
                          .reason = of->measured ? estimate.why : of->reason};
}

/* The values of the nodes in one interval, from the events' estimates. */
static void evaluate_interval(struct judged *judged, const struct lane *lane,
                              const struct trial *trial, const struct interval *interval)
{
    struct counts counts = trial->counts;

    for (unsigned i = 0; i < judged->results.count; i++)
        judged->interval_counts[i] = count_in(judged, lane, interval, i);
    counts.counts = judged->interval_counts;
    counts.count_count = judged->results.count;
    topdown_forget(judged->memos, trial->description->node_count);
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        struct node_share *share = &judged->nodes[i];

        *share = (struct node_share){.evaluated = true};
        topdown_node_once(&counts, judged->memos, &trial->description->nodes[i], &share->given);
        trial_settle(trial, &trial->description->nodes[i], share);
    }
}

static void report_intervals(struct judged *judged, const struct lane *lane,
                             const struct trial *trial)
{
    const struct rotation *rotation = lane->rotation;
    const struct description *description = trial->description;
    unsigned apart = 0;

    if (rotation->done == 0) {
        log_skip(lane->measurement.what != NULL ? lane->measurement.what
                                                : "no fixed counter for cycles to scale by",
                 "core %u %s in intervals", trial->core, trial->experiment->kernel->name);
        return;
    }
    memset(judged->drifts, 0, sizeof(*judged->drifts) * description->node_count);
    for (unsigned i = 0; i < rotation->done; i++) {
        evaluate_interval(judged, lane, trial, &rotation->interval[i]);
        apart += record_interval(lane->core, trial, &lane->measurement, rotation, i) > 0;
        for (unsigned j = 0; j < description->node_count; j++) {
            if (judged->nodes[j].result.finite)
                drift_add(&judged->drifts[j], judged->nodes[j].result.value, i, rotation->done);
        }
    }
    record_drift(lane->core, trial, &lane->measurement, rotation, judged->drifts);
    if (apart > 0)
        log_comment("core %u %s: in %u of %u intervals some window counted otherwise than when the "
                    "kernel was measured",
                    trial->core, trial->experiment->kernel->name, apart, rotation->done);
}

void outcome_rotation(const struct config *config, struct judged *judged,
                      struct run_verdicts *verdicts, const struct lane *lane,
                      const struct trial *trial)
{
    if (lane->rotation == NULL || trial->results == NULL)
        return;
    if (config->interval_us != 0)
        report_intervals(judged, lane, trial);
    else
        report_multiplexed(judged, verdicts, lane, trial);
}
