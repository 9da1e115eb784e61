/* The personality of a machine whose counters lie, or of a processor that has fewer. */
#include "fault.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/event_table.h"
#include "pmu/parameters.h"
#include "pmu/personality.h"

/* ---- processors of one kind that differ ---- */

#define FULL_WIDTH_AND_METRICS (UINT64_C(1) << 13 | UINT64_C(1) << 15) /* of the capabilities */

const struct personality *fault_processor(const struct faults *faults, unsigned processor,
                                          const struct personality *personality)
{
    static struct {
        struct personality personality;
        struct pmu_parameters pmu;
    } made;

    if (!(faults->lesser[processor / 8] >> processor % 8 & 1))
        return personality;
    made.personality = *personality;
    made.pmu = *personality->pmu;
    made.personality.pmu = &made.pmu;
    made.pmu.gp_alone -= 2;
    made.pmu.gp_smt -= 2;
    made.pmu.capabilities &= ~FULL_WIDTH_AND_METRICS;
    if (made.pmu.metrics)
        made.pmu.fixed = 3;
    made.pmu.metrics = false;
    return &made.personality;
}

/* ---- counters that lie ---- */

struct liar { /* one allocation: a copy of the personality with the parameters and events that
                 differ */
    struct personality personality;
    struct pmu_parameters pmu;
    struct event_table table;
    struct pmu_event events[];
};

static void set_troubles(struct pmu_parameters *pmu, const struct points *points)
{
    static const enum counter_mode modes[] = {[WAY_STUCK] = COUNTER_STUCK,
                                              [WAY_PLUS_ONE] = COUNTER_PLUS_ONE,
                                              [WAY_DOUBLE] = COUNTER_DOUBLE,
                                              [WAY_LOW_16] = COUNTER_LOW_16,
                                              [WAY_LOW_32] = COUNTER_LOW_32};

    for (unsigned i = 0; i < points->count; i++) {
        const struct fault_request *request = &points->request[i];
        const struct counter_trouble trouble = {modes[request->way], request->first, request->last};

        if (request->row->act == ACT_COUNTER)
            pmu->counter_trouble[request->number] = trouble;
        else if (request->row->act == ACT_PMI_STORM)
            pmu->pmi_fault = PMI_STORM;
        else if (request->row->act == ACT_FIXED)
            pmu->fixed_trouble[request->number] = trouble;
    }
}

const struct personality *fault_personality(const struct faults *faults,
                                            const struct personality *personality)
{
    const struct pmu_parameters *pmu = personality->pmu;
    const struct pmu_event *rows[EVENTS_MOST];
    const size_t count = event_rows(pmu->events, rows);
    struct liar *liar;

    if (!faults->lies && !faults->lying_counter && !faults->tsx && faults->pmi == PMI_SOUND &&
        faults->metrics == METRICS_NEAREST && !faults->points.count)
        return personality;
    liar = malloc(sizeof(*liar) + count * sizeof(*liar->events));
    if (liar == NULL)
        return NULL;
    liar->personality = *personality;
    liar->pmu = *pmu;
    liar->pmu.pmi_fault = faults->pmi;
    liar->pmu.tsx_takes_counter |= faults->tsx;
    liar->pmu.metrics_rounding = faults->metrics;
    liar->pmu.lie_first = faults->lie_first;
    liar->pmu.lie_last = faults->lie_last;
    memcpy(liar->pmu.counter_lie, faults->counter_lie, sizeof(liar->pmu.counter_lie));
    for (unsigned i = 0; i < PMU_FIXED_MAX; i++)
        liar->pmu.fixed_source[i].lie = faults->fixed_lie[i];
    set_troubles(&liar->pmu, &faults->points);
    for (size_t i = 0; i < count; i++)
        liar->events[i] = *rows[i];
    liar->table = (struct event_table){.row = liar->events, .count = count};
    liar->personality.pmu = &liar->pmu;
    liar->pmu.events = pmu->events != NULL ? &liar->table : NULL;
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < faults->lies; j++)
            if (strcmp(liar->events[i].name, faults->lie[j].event) == 0)
                *(faults->lie[j].noise ? &liar->events[i].source.noise
                                       : &liar->events[i].source.lie) =
                    (int16_t)faults->lie[j].percent;
    return &liar->personality;
}

void fault_personality_free(const struct personality *made, const struct personality *original)
{
    if (made != original)
        free((struct liar *)(uintptr_t)made);
}
