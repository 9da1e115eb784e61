/* Each mispredicted branch leads to uops that are issued, and perhaps begin, and never retire. They
 * are younger than the branch, which leaves the re-order buffer when it retires. So of one branch's
 * wrong path no more are issued than the buffer holds: issue slots a cycle times the cycles in
 * which they can be filled. (A branch of the wrong path that is mispredicted too, and resolved
 * sooner, makes room for more uops. No published figure bounds their number.) */
#include "wrong_path.h"

#include "boot/text.h"

/* An entry of the re-order buffer begins at most twice: as a load and what needs it, or as a
 * store's address and its data (optimization manual, "Micro-fusion"). */
#define UOPS_AN_ENTRY 2

/* The most uops of wrong paths in a window of n and in one of 2n. */
static bool most_uops(const struct trial *trial, double most[2], const char **why)
{
    const struct parameter *rob = description_parameter(trial->description, "rob");
    const struct tally *mispredicted = results_find(trial->results, MISPREDICTED_BRANCHES);

    if (rob == NULL) {
        *why = "the description does not state the parameter rob";
        return false;
    }
    if (mispredicted == NULL || !mispredicted->measured) {
        *why = "how many branches were mispredicted was not counted";
        return false;
    }
    for (unsigned twice = 0; twice < 2; twice++)
        most[twice] = (double)mispredicted->most[twice] * UOPS_AN_ENTRY * rob->value;
    return true;
}

/* By how much less the formula gives when `by` is added to count number `index`, in *less; false:
 * it gives no number before or after. */
static bool less_by(const struct trial *trial, const struct formula *formula, unsigned index,
                    double by, double *less)
{
    struct count changed[PLAN_EVENTS];
    struct counts counts = trial->counts;
    struct formula_result now, other;

    memcpy(changed, counts.counts, counts.count_count * sizeof(*changed));
    topdown_evaluate(&counts, formula, &now);
    changed[index].value += by;
    counts.counts = changed;
    topdown_evaluate(&counts, formula, &other);
    *less = now.value - other.value;
    return now.finite && other.finite;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The event's difference of 2n and n is up to `most[0]` below what retires, and `most[1]` above. */
static bool add_event(const struct trial *trial, const struct formula *formula, unsigned index,
                      const double most[2], struct wrong_path *off)
{
    double up, down;

    if (!less_by(trial, formula, index, -most[1], &up) ||
        !less_by(trial, formula, index, most[0], &down))
        return false;
    off->above += larger(larger(up, down), 0);
    off->below += larger(larger(-up, -down), 0);
    return true;
}

bool wrong_path_of(const struct trial *trial, const struct formula *formula, struct wrong_path *off,
                   const char **why)
{
    double most[2];

    *off = (struct wrong_path){0};
    if (!description_is_speculative(trial->description, formula))
        return true;
    if (!most_uops(trial, most, why))
        return false;
    for (unsigned i = 0; i < trial->results->count; i++)
        for (unsigned name = 0; name < formula->name_count; name++)
            if (strcmp(trial->results->tallies[i].event->name, formula->names[name]) == 0 &&
                description_speculates(trial->description, trial->results->tallies[i].event) &&
                !add_event(trial, formula, i, most, off)) {
                *why = "without the uops of wrong paths it may have no value";
                return false;
            }
    return true;
}
