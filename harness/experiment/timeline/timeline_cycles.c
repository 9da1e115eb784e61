#include "timeline_cycles.h"

#include "harness/window/stats.h"

/* How many windows that ended there are kept, and what they counted; before the first cycle there
 * are as many windows as anyone asks for, which counted nothing. */
static unsigned ended_at(const struct timeline *t, unsigned event, uint64_t cycles,
                         uint64_t values[STATS_VALUES])
{
    unsigned kept;

    if (cycles > t->limit || t->events[event].event == NULL)
        return 0;
    kept = cycles == 0 ? t->repeats : timeline_kept(t, t->events[event].pass, cycles);
    for (unsigned i = 0; i < kept; i++)
        values[i] = cycles == 0 ? 0 : timeline_counts(t, event, cycles)[i];
    return kept;
}

struct timeline_cycle timeline_cycle(const struct timeline *t, unsigned event, uint64_t cycle)
{
    uint64_t before[STATS_VALUES], after[STATS_VALUES];
    const unsigned began = ended_at(t, event, cycle, before);
    const unsigned ended = ended_at(t, event, cycle + 1, after);
    const unsigned count = began < ended ? began : ended;
    struct signed_spread spread;

    if (count == 0)
        return (struct timeline_cycle){.known = false};
    spread = stats_difference(before, after, count);
    return (struct timeline_cycle){
        .known = true,
        .count = spread.median,
        .apart = (uint64_t)(spread.maximum - spread.minimum),
        .few = count < t->repeats ? count : 0,
    };
}

bool timeline_total(const struct timeline *t, unsigned event, uint64_t cycles, uint32_t *total)
{
    uint64_t values[STATS_VALUES];
    const unsigned count = ended_at(t, event, cycles, values);

    if (count == 0)
        return false;
    *total = (uint32_t)stats_spread(values, count).median;
    return true;
}

void timeline_summarise(const struct timeline *t, struct timeline_summary *summary)
{
    *summary = (struct timeline_summary){.cycles = t->cycles < t->limit ? t->cycles : t->limit};
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++)
        summary->counted += t->events[i].event != NULL;
    for (uint64_t cycle = 0; cycle < summary->cycles; cycle++) {
        bool known = true, agreed = true, fallen = false;

        for (unsigned i = 0; i < TIMELINE_EVENTS; i++) {
            struct timeline_cycle at;

            if (t->events[i].event == NULL)
                continue;
            at = timeline_cycle(t, i, cycle);
            known = known && at.known;
            agreed = agreed && at.apart == 0 && (at.few == 0 || at.few * 2 > t->repeats);
            fallen = fallen || (at.apart == 0 && at.count < 0);
        }
        summary->known += known;
        summary->agreed += known && agreed;
        summary->fallen += known && fallen;
    }
}
