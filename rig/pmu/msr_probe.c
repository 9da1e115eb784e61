/* Whether WRMSR would fault, found out before the write: a WRMSR that faults does not retire, while
 * any other WRMSR retires before its write counts. A write that faults changes nothing, so
 * the write is tried on a copy of the PMU. */
#include "msr.h"

#include <stdlib.h>
#include <string.h>

#include "fact_registers.h"
#include "kind.h"

static void no_interrupt(void *context)
{
    (void)context;
}

static void no_counting(void *context, bool counting)
{
    (void)context;
    (void)counting;
}

static void no_subscriber(void *context, struct pmu_subscription subscription)
{
    (void)context;
    (void)subscription;
}

static bool no_write(void *context, uint64_t address, const void *data, size_t size)
{
    (void)context;
    (void)address;
    (void)data;
    (void)size;
    return true;
}

bool pmu_wrmsr_faults(const struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct pmu_kind *kind = pmu->parameters->kind;
    struct pmu copy = *pmu;
    size_t values = facts_count(pmu) * sizeof(*pmu->msr_value),
           state = kind != NULL ? kind->state_size : 0;
    uint8_t *room = malloc(values + state + 1);
    bool faults;

    if (room == NULL)
        abort(); /* an answer would be a guess */
    memcpy(room, pmu->msr_value, values);
    copy.msr_value = (uint64_t *)(void *)room;
    if (state) {
        memcpy(room + values, pmu->kind_state, state);
        copy.kind_state = room + values;
    }
    copy.sibling = copy.package = NULL; /* a write changes what they hold, too */
    copy.host.pmi = no_interrupt;
    copy.host.counting = no_counting;
    copy.host.sees = no_counting;
    copy.host.observes = no_counting;
    copy.host.watch = no_counting;
    copy.host.foresee = no_counting;
    copy.host.subscribe = no_subscriber;
    copy.host.write = no_write;
    faults = pmu_wrmsr(&copy, msr, value) == ACCESS_FAULT;
    free(room);
    return faults;
}
