#include "repeats.h"

#include "outliers.h"

static double difference_of(const struct tally *tally, const struct measurement *m, unsigned repeat)
{
    const struct pass_result *pass = &m->passes[tally->pass];
    const uint64_t once = pass_values(pass, tally->reading, false, m->repeats)[repeat];
    const uint64_t twice = pass_values(pass, tally->reading, true, m->repeats)[repeat];

    return (double)(int64_t)(twice - once);
}

/* Whether some event is left out, because a window of the repeat lies apart. */
static bool count_repeat(struct repeats *room, const struct results *results,
                         const struct measurement *m, unsigned repeat)
{
    bool some = false;

    for (unsigned i = 0; i < results->count; i++) {
        const struct tally *tally = &results->tallies[i];
        struct count *count = &room->counts[i];

        *count = results->counts[i];
        if (count->measured && !results_is_noise(tally))
            count->value = difference_of(tally, m, repeat);
        if (count->measured && tally->apart > 0 &&
            outliers_repeat_apart(m, tally->pass, tally->reading, repeat)) {
            count->measured = false;
            some = true;
        }
    }
    return some;
}

static void widen(struct node_range *range, const struct formula_result *result, bool left_out)
{
    if (!result->finite) {
        *(left_out ? &range->apart : &range->missing) += 1;
        return;
    }
    if (!range->known || result->value < range->lowest)
        range->lowest = result->value;
    if (!range->known || result->value > range->highest)
        range->highest = result->value;
    range->known = true;
}

void repeats_ranges(struct repeats *room, const struct trial *trial, const struct measurement *m,
                    const struct node *const *nodes, unsigned count, struct node_range *ranges)
{
    struct counts counts = trial->counts;

    counts.counts = room->counts;
    for (unsigned i = 0; i < count; i++)
        ranges[i] = (struct node_range){.known = false};
    for (unsigned repeat = 0; repeat < m->repeats; repeat++) {
        const bool left_out = count_repeat(room, trial->results, m, repeat);

        topdown_forget(room->memos, trial->description->node_count);
        for (unsigned i = 0; i < count; i++) {
            struct formula_result result;

            topdown_node_once(&counts, room->memos, nodes[i], &result);
            widen(&ranges[i], &result, left_out);
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (!ranges[i].known)
            ranges[i].missing += ranges[i].apart;
}
