/* Verdicts over both threads of a core. */
#include "verdict_core.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/window/sibling_counters.h"
#include "harness/window/stats.h"

/* What n iterations counted: the median difference of the windows of 2n and n. */
static int64_t count_of(const struct measurement *m, unsigned pass, unsigned reading)
{
    return stats_difference(pass_values(&m->passes[pass], reading, false, m->repeats),
                            pass_values(&m->passes[pass], reading, true, m->repeats), m->repeats)
        .median;
}

void verdict_compare_any(const struct measurement *one, const struct measurement *other,
                         struct any_thread *any)
{
    *any = (struct any_thread){NULL, 0};
    for (unsigned i = 0; i < one->plan->pass_count; i++) {
        const struct pass *pass = &one->plan->passes[i];

        for (unsigned j = 0; one->passes[i].complete && j < pass->reading_count; j++) {
            int64_t difference;

            if (!pass->readings[j].event->any || one->passes[i].overflowed[j] ||
                other->passes[i].overflowed[j])
                continue;
            difference = count_of(one, i, j) - count_of(other, i, j);
            difference = difference < 0 ? -difference : difference;
            if (any->event == NULL || difference > any->difference)
                *any = (struct any_thread){pass->readings[j].event, difference};
        }
    }
}

bool verdict_core_work(const struct measurement *thread, double *instructions)
{
    for (unsigned i = 0; i < thread->plan->pass_count; i++) {
        const struct pass *pass = &thread->plan->passes[i];

        for (unsigned j = 0; thread->passes[i].complete && j < pass->reading_count; j++)
            if (strcmp(pass->readings[j].event->name, "INST_RETIRED.ANY") == 0) {
                *instructions = (double)count_of(thread, i, j);
                return true;
            }
    }
    return false;
}

/* By how much the instructions of two repeats may differ. Two threads may share a core in one way
 * during one repeat and in another way during the next. The medians of two events may then come
 * from repeats of different kinds, and a formula over them means nothing. */
#define REPEATS_TOLERANCE 0.1

bool verdict_core_refused(const struct results *results, const struct sibling_counters *counters,
                          char *why, size_t size)
{
    const struct tally *work = results_find(results, "INST_RETIRED.ANY"); /* every pass counts it */
    double skew;

    if (!sibling_counters_skew(counters, &skew)) {
        format(why, size, "by how much the two threads' windows differ is not known");
        return true;
    }
    if (skew > SIBLING_SKEW_MAX) {
        format(why, size, "the two threads' windows differ by %.3f of one", skew);
        return true;
    }
    if (work == NULL || !work->measured) {
        format(why, size, "instructions, which show whether repeats differ, were not counted");
        return true;
    }
    if ((double)(work->highest - work->lowest) <=
        REPEATS_TOLERANCE * (double)work->difference.median)
        return false;
    format(why, size, "repeats differ: the two threads retire %lld to %lld instructions",
           (long long)work->lowest, (long long)work->highest);
    return true;
}

/* Cycles of the core for n iterations: each of the two threads counted them all. */
static bool core_cycles(struct verdict *verdict, const struct trial *trial, double *cycles)
{
    const char *reason = trial->blocked != NULL ? trial->blocked : "nothing was counted";

    if (trial->blocked == NULL && trial->results != NULL &&
        results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", cycles, &reason)) {
        *cycles /= 2;
        if (*cycles >= TRIAL_CYCLES_MIN)
            return true;
        reason = "n iterations take too few cycles to divide their slots";
    }
    verdict_skip(verdict, reason);
    return false;
}

void verdict_any(struct verdict *verdict, const struct trial *trial, const struct any_thread *any)
{
    char subject[160];
    double cycles;

    verdict_begin(verdict, trial, "both threads: events of any thread count the same");
    if (!core_cycles(verdict, trial, &cycles))
        return;
    if (any->event == NULL) {
        verdict_skip(verdict, "no event of any thread was counted");
        return;
    }
    format(subject, sizeof(subject), "both threads: difference in %s, of the cycles",
           any->event->name);
    verdict_in_range(verdict, trial, subject, (double)any->difference / cycles, 0, SIBLING_SKEW_MAX,
                     false);
}

void verdict_slots(struct verdict *verdict, const struct trial *trial)
{
    const struct node *node;
    const struct formula_result *slots;
    double cycles;

    verdict_begin(verdict, trial, "both threads: slots, of width x cycles");
    if (!core_cycles(verdict, trial, &cycles))
        return;
    node = description_node(trial->description, "tma_info_thread_slots");
    if (node == NULL || trial->description->width == 0) {
        verdict_skip(verdict, "the CPU description has no slots");
        return;
    }
    slots = trial_node(trial, node);
    if (!slots->finite) {
        verdict_skip(verdict, slots->reason);
        return;
    }
    verdict_in_range(verdict, trial, "both threads: slots, of width x cycles",
                     slots->value / (trial->description->width * cycles), 0.99, 1.01, false);
    verdict_doubt(verdict, trial, &node->formula);
}
