/* Verdicts on a kernel's expectations. */
#include "verdict.h"

#include "boot/format.h"
#include "boot/text.h"
#include "verdict_share.h"
#include "wrong_path.h"

struct range {
    struct formula_result low, high;
};

/* False: a bound has no value. */
static bool range_of(const struct trial *trial, const struct expectation *expectation,
                     struct range *range)
{
    topdown_evaluate(&trial->counts, &expectation->low, &range->low);
    topdown_evaluate(&trial->counts, &expectation->high, &range->high);
    return range->low.finite && range->high.finite;
}

/* The tally when the formula is the name of one event and nothing else. */
static const struct tally *single_event(const struct trial *trial, const struct formula *formula)
{
    if (formula->step_count != 1 || formula->name_count != 1)
        return NULL;
    return results_find(trial->results, formula->names[0]);
}

/* The node when the formula is the name of one node and nothing else. */
static const struct node *share_of(const struct trial *trial, const struct formula *formula)
{
    const struct node *node;

    if (formula->step_count != 1 || formula->name_count != 1)
        return NULL;
    node = description_node(trial->description, formula->names[0]);
    return node != NULL && node->level > 0 ? node : NULL;
}

/* Leaves room for uops that never retire, where the subject counts them. False with *why: how many
 * they may be is not known. */
static bool widen_for_wrong_paths(struct range *range, const struct trial *trial,
                                  const struct formula *formula, const char **why)
{
    struct wrong_path off;

    if (!wrong_path_of(trial, formula, &off, why))
        return false;
    range->low.value -= off.below;
    range->high.value += off.above;
    return true;
}

/* A self-check asks counters, which must fail it when they stand still: it takes also what is no
 * count of n iterations. */
static bool is_counted(const struct trial *trial, const struct tally *tally)
{
    const char *reason;
    double value;

    return trial->experiment->self_check
               ? tally->measured
               : results_value(trial->results, tally->event->name, &value, &reason);
}

bool verdict_pin(const struct trial *trial, unsigned index, struct pin *pin)
{
    const struct expectation *expectation = &trial->experiment->expectations[index];
    const struct formula *formula;
    const struct tally *tally;
    struct range range;
    const char *why;
    double low, high;

    if (trial->blocked != NULL || trial->results == NULL)
        return false;
    formula = &experiment_subject(expectation, trial->description)->formula;
    tally = single_event(trial, formula);
    if (tally == NULL || !is_counted(trial, tally) || !range_of(trial, expectation, &range))
        return false;
    low = range.low.value;
    high = range.high.value;
    *pin = (struct pin){.event = tally->event,
                        .expected = (low + high) / 2,
                        .measured = (double)tally->difference.median};
    if (high - low > PIN_COUNTS && high - low > PIN_SHARE * pin->expected)
        return false;
    if (!widen_for_wrong_paths(&range, trial, formula, &why))
        return false;
    if (range.low.value == range.high.value)
        pin->exact = (double)tally->lowest == low && (double)tally->highest == low;
    else
        pin->exact = pin->measured >= range.low.value && pin->measured <= range.high.value;
    return true;
}

/* Leaves room for the windows' edges and rounding. No share lies below 0 or above 1, so a bound of
 * exactly 0 or 1 says nothing of the kernel, but the difference of two windows may still pass it. A
 * range of cycles is widened at both ends. */
static void widen(struct range *range, const struct trial *trial, const struct node *share,
                  const struct tally *tally)
{
    if (share != NULL) {
        const double tolerance = trial_tolerance(trial, share);

        if (range->low.value == 0)
            range->low.value = -tolerance;
        if (range->high.value == 1)
            range->high.value = 1 + tolerance;
    } else if (tally != NULL && range->low.value != range->high.value &&
               tally == results_find(trial->results, "CPU_CLK_UNHALTED.THREAD")) {
        range->low.value -= TRIAL_EDGE_CYCLES;
        range->high.value += TRIAL_EDGE_CYCLES;
    }
}

/* What the verdict calls the subject: a single name as the description has it. */
static const char *shown(const struct trial *trial, const struct subject *subject)
{
    const struct formula *formula = &subject->formula;

    return trial->description != NULL && formula->step_count == 1 && formula->name_count == 1
               ? description_name(trial->description, formula->names[0])
               : subject->text;
}

/* The subject's value, or why it has none; `own` is room for it. */
static const struct formula_result *value_of(const struct trial *trial,
                                             const struct formula *formula,
                                             const struct node *share, const struct tally *tally,
                                             struct formula_result *own)
{
    if (share != NULL)
        return trial_given(trial, share);
    topdown_evaluate(&trial->counts, formula, own);
    if (!own->finite && tally != NULL && is_counted(trial, tally)) {
        own->finite = true;
        own->value = (double)tally->difference.median;
    }
    return own;
}

static void judge(struct verdict *verdict, const struct trial *trial, const struct subject *subject,
                  struct range *range)
{
    const struct node *share = share_of(trial, &subject->formula);
    const struct tally *tally = single_event(trial, &subject->formula);
    struct formula_result own;
    const char *why;
    const struct formula_result *value = value_of(trial, &subject->formula, share, tally, &own);

    if (!value->finite || !range->low.finite || !range->high.finite) {
        verdict_skip(verdict, !value->finite       ? value->reason
                              : !range->low.finite ? range->low.reason
                                                   : range->high.reason);
        return;
    }
    if (share != NULL && trial_needs_deeper_tree(trial)) {
        verdict_skip(verdict, VERDICT_TREE_TOO_SHORT);
        return;
    }
    if (trial->corunner != NULL && range->low.value != range->high.value) {
        char reason[100];

        format(reason, sizeof(reason), "the sibling thread runs %s", trial->corunner);
        verdict_skip(verdict, reason);
        return;
    }
    widen(range, trial, share, tally);
    if (share == NULL && !widen_for_wrong_paths(range, trial, &subject->formula, &why)) {
        verdict_skip(verdict, why);
        return;
    }
    if (tally != NULL && range->low.value == range->high.value)
        verdict_exactly(verdict, trial, shown(trial, subject), tally, range->low.value);
    else
        verdict_in_range(verdict, trial, shown(trial, subject), value->value, range->low.value,
                         range->high.value, share != NULL);
    if (share != NULL)
        verdict_ask_share(verdict, trial, share);
    if (tally == NULL)
        verdict_doubt(verdict, trial, &subject->formula);
    else if (!trial->experiment->self_check &&
             exactness_refuses(trial->exactness, trial->description, tally->event))
        verdict_refuse(verdict, trial, tally->event);
    else if (verdict->outcome == VERDICT_FAIL)
        verdict_errata(verdict, trial, tally->event);
}

void verdict_expectation(struct verdict *verdict, const struct trial *trial, unsigned index)
{
    const struct expectation *expectation = &trial->experiment->expectations[index];
    const struct subject *subject = experiment_subject(expectation, trial->description);
    struct range range;

    verdict_begin(verdict, trial,
                  expectation->subject_count > 0
                      ? shown(trial, subject)
                      : trial->experiment->kernel->expectations[index].subject);
    verdict->expectation = index + 1;
    if (trial->blocked != NULL || trial->results == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return;
    }
    (void)range_of(trial, expectation, &range);
    judge(verdict, trial, subject, &range);
}
