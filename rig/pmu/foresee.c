#include "foresee.h"

#include "count.h"
#include "kind.h"
#include "running.h"

#define EVENTS_MAX 4096u /* more than an instruction or a cycle can add to any counter */

static bool is_clock(const struct counter *counter)
{
    return counter->source.rate == PER_TSC_TICK || counter->source.rate == PER_CRYSTAL_TICK;
}

/* The most that a cycle can add to the counter; 0: that depends on what retires. */
static uint64_t most_in_a_cycle(const struct pmu *pmu, const struct counter *counter)
{
    const enum signal signal = counter->source.signal;

    if (is_clock(counter)) /* the crystal is slower than the TSC */
        return pmu->parameters->tsc_mhz / pmu->clock.mhz + 1;
    if (counter->cmask || counter->edge || counter->equal)
        return 1;
    if (counter->source.plus_weight || counter->source.weight <= 0)
        return 0;
    return signal == SIG_UNHALTED || signal == SIG_ALONE || signal == SIG_ALLOCATOR
               ? (uint64_t)counter->source.weight
               : 0;
}

/* What the counter may still be given before it overflows. */
static uint64_t room_of(const struct counter *counter)
{
    const uint64_t lie = counter->source.lie > 0 ? 100u + (unsigned)counter->source.lie : 100u;

    return (counter->mask - counter->value) * 100 / lie;
}

/* For so many cycles the counter does not overflow. */
static uint64_t quiet_cycles(const struct pmu *pmu, const struct counter *counter)
{
    const uint64_t most = most_in_a_cycle(pmu, counter);

    return room_of(counter) / (most ? most : EVENTS_MAX);
}

void pmu_foresee_begin(struct pmu_foresight *sight, const struct pmu *pmu, uint64_t now)
{
    uint64_t hidden;
    unsigned i;

    sight->pmu = pmu;
    sight->count = 0;
    sight->cycle = now;
    sight->hidden = FORESEE_NEVER;
    sight->accepted = FORESEE_NEVER;
    if (pmu->parameters->kind != NULL) {
        pmu->parameters->kind->foresight->begin(sight);
        return;
    }
    if (pmu->pmi_pending) {
        sight->accepted = now + (pmu->pmi_due > pmu->unhalted ? pmu->pmi_due - pmu->unhalted : 0);
        return;
    }
    for (i = 0; i < pmu->active_count; i++) {
        if (!(pmu->active[i]->status & pmu->pmi_mask))
            continue;
        if (pmu_is_told(pmu->active[i])) {
            sight->counter[sight->count++] = *pmu->active[i];
            continue;
        }
        hidden = now + quiet_cycles(pmu, pmu->active[i]);
        sight->hidden = hidden < sight->hidden ? hidden : sight->hidden;
    }
}

bool pmu_foresee_record(struct pmu_foresight *sight, const struct pmu *pmu, uint64_t now)
{
    unsigned i;

    if (pmu->parameters->kind != NULL || pmu->pebs.waiting | pmu->pebs.armed)
        return false;
    *sight = (struct pmu_foresight){
        .pmu = pmu, .cycle = now, .hidden = FORESEE_NEVER, .accepted = FORESEE_NEVER};
    for (i = 0; i < pmu->active_count; i++) {
        if (!(pmu->active[i]->status & pmu->pebs.exact))
            continue;
        if (!pmu_is_told(pmu->active[i]))
            return false;
        sight->counter[sight->count++] = *pmu->active[i];
    }
    return sight->count > 0;
}

/* Takes the counter over the span. Gives the number of the cycle, from 1, in which it overflows; 0:
 * it does not. */
static uint64_t pass(const struct pmu *pmu, struct counter *counter, const struct span *span)
{
    const struct counter before = *counter;
    struct span cycle;
    uint64_t i;

    counter->value += pmu_counted(pmu, counter, span);
    if (counter->value <= counter->mask)
        return 0;
    if (span->cycles == 1)
        return 1;
    *counter = before;
    cycle = *span;
    cycle.cycles = 1;
    for (i = 1; i < span->cycles; i++) {
        counter->value += pmu_counted(pmu, counter, &cycle);
        if (counter->value > counter->mask)
            break;
    }
    return i;
}

bool pmu_foresee_span(void *context, const struct span *span)
{
    struct pmu_foresight *sight = context;
    const bool is_kind = sight->pmu->parameters->kind != NULL;
    unsigned i;

    if (is_kind) {
        const uint64_t cycle = sight->pmu->parameters->kind->foresight->pass(sight, span);

        if (cycle)
            sight->accepted = sight->cycle + cycle;
    }
    for (i = 0; i < sight->count && !is_kind; i++) {
        const uint64_t overflow = pass(sight->pmu, &sight->counter[i], span);
        const uint64_t accepted = sight->cycle + overflow + pmu_skid(sight->pmu);

        if (overflow && accepted < sight->accepted)
            sight->accepted = accepted;
    }
    sight->cycle += span->cycles;
    return sight->accepted == FORESEE_NEVER;
}

/* The most that an instruction can add to a counter of what retires. */
static uint64_t most_of_instruction(const struct counter *counter)
{
    switch (counter->source.signal) {
    case SIG_UOPS_RETIRED:
    case SIG_UOPS_RETIRED_UNFUSED:
    case SIG_SLOTS_HEAVY:
        return EVENTS_MAX;
    default:
        return counter->source.weight == 1 && !counter->source.plus_weight ? 1 : EVENTS_MAX;
    }
}

void pmu_foresee_end(const struct pmu_foresight *sight, uint64_t *cycle, uint64_t *instructions)
{
    unsigned i;

    *cycle = sight->accepted < sight->hidden ? sight->accepted : sight->hidden;
    *instructions = FORESEE_NEVER;
    if (sight->pmu->parameters->kind != NULL && sight->accepted == FORESEE_NEVER) {
        *cycle = sight->cycle + sight->pmu->parameters->kind->foresight->quiet(sight);
        return;
    }
    for (i = 0; i < sight->count && sight->accepted == FORESEE_NEVER; i++) {
        const struct counter *counter = &sight->counter[i];
        const bool by_cycles = most_in_a_cycle(sight->pmu, counter) > 0;
        const uint64_t quiet = by_cycles ? quiet_cycles(sight->pmu, counter)
                                         : room_of(counter) / most_of_instruction(counter);

        if (by_cycles && sight->cycle + quiet < *cycle)
            *cycle = sight->cycle + quiet;
        if (!by_cycles && quiet < *instructions)
            *instructions = quiet;
    }
}
