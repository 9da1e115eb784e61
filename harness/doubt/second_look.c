#include "second_look.h"

#include "harness/experiment/topdown/verdict_identity.h"

#define SHARE 0.1

void second_look_forget(struct second_look *look)
{
    look->count = 0;
}

static void remember(struct second_look *look, const struct results *results)
{
    look->count = 0;
    for (unsigned i = 0; i < results->count; i++) {
        const struct count *count = &results->counts[i];

        if (count->measured)
            look->first[look->count++] =
                (struct first_count){count->event, count->value, count->error};
    }
}

static bool breaks_an_identity(const struct trial *trial, const struct measurement *m)
{
    struct verdict verdict;

    for (unsigned i = 0; i < IDENTITIES; i++)
        if (verdict_identity(&verdict, trial, m, i) && verdict.outcome == VERDICT_FAIL)
            return true;
    return false;
}

bool second_look_wanted(struct second_look *look, const struct trial *trial,
                        const struct measurement *m)
{
    second_look_forget(look);
    outliers_find(&look->outliers, m);
    if (look->outliers.count == 0 && !breaks_an_identity(trial, m))
        return false;
    remember(look, trial->results);
    return look->count > 0;
}

bool second_look_agree(const struct first_count *first, const struct count *second, double cycles)
{
    const double apart = __builtin_fabs(first->value - second->value);
    const double a = __builtin_fabs(first->value), b = __builtin_fabs(second->value);

    return apart <= EDGE_COUNTS + EDGE_SHARE * cycles + SHARE * (a > b ? a : b) + first->error +
                        second->error;
}

double second_look_cycles(const struct results *results)
{
    const char *reason;
    double cycles;

    return results_value(results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) && cycles > 0
               ? cycles
               : 0;
}

static const struct first_count *find_first(const struct second_look *look,
                                            const struct event *event)
{
    for (unsigned i = 0; i < look->count; i++)
        if (look->first[i].event == event)
            return &look->first[i];
    return NULL;
}

void second_look_apply(const struct second_look *look, struct results *results)
{
    const double cycles = second_look_cycles(results);

    for (unsigned i = 0; look->count > 0 && i < results->count; i++) {
        const struct count *count = &results->counts[i];
        const struct first_count *first = find_first(look, count->event);

        if (count->measured && first != NULL && !second_look_agree(first, count, cycles))
            results_refuse_event(results, i, "it counted otherwise when it was measured again");
    }
}
