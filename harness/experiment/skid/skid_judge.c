#include "skid_judge.h"

static enum skid_outcome open_for(const char **why, const char *reason)
{
    *why = reason;
    return SKID_OPEN;
}

static bool is_pmi(enum skid_method method)
{
    return method == SKID_PMI_VECTOR || method == SKID_PMI_NMI;
}

static enum skid_outcome judge_every(const struct skid_distances *distances,
                                     enum skid_method method, uint64_t windows, const char **why)
{
    uint64_t fewest, most;

    if (is_pmi(method))
        return open_for(why, "every instruction causes the event, and nobody says which one an "
                             "interrupt names");
    if (method == SKID_PEBS)
        return open_for(why, "without precise distribution nobody promises equal shares");
    skid_extremes(distances, &fewest, &most);
    return fewest > 0 && most - fewest <= windows ? SKID_HOLDS : SKID_BROKEN;
}

enum skid_outcome skid_judge(const struct skid_distances *distances, const struct skid_laps *laps,
                             enum skid_method method, bool every, uint32_t due, uint64_t windows,
                             const char **why)
{
    if (distances->broken > 0)
        return SKID_BROKEN;
    if (distances->unplaced > 0)
        return open_for(why, laps->events > 0 || laps->expected > 0
                                 ? "in which lap of the loop some samples are does not follow from "
                                   "what was measured"
                                 : "nothing tells in which lap of the loop the samples are");
    if (distances->samples == 0)
        return open_for(why, "no sample is in the loop");
    if (every)
        return judge_every(distances, method, windows, why);
    if (!is_pmi(method))
        return distances->at[due] == distances->samples && distances->outside <= windows
                   ? SKID_HOLDS
                   : SKID_BROKEN;
    if (distances->at[0] > 0)
        return SKID_BROKEN;
    if (skid_laps_differ(laps, skid_figures_of(distances).median))
        return open_for(why, "the sampled counter and the chain of additions differ about the lap "
                             "of the loop in which the samples are");
    return SKID_HOLDS;
}
