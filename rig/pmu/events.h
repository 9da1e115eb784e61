/* Events of the architectural PMU's general-purpose counters. */
#ifndef RIG_PMU_EVENTS_H
#define RIG_PMU_EVENTS_H

#include "state.h"

/* The unit mask of an event select, extension included. */
static inline uint16_t events_umask(uint64_t select)
{
    return (uint16_t)((select >> 8 & 0xff) | (select >> EVTSEL_UMASK2_SHIFT & 0xff) << 8);
}

/* Sets what counter `index` counts as it is programmed. False: nothing, and the event is remembered
 * as unknown. */
bool events_resolve(struct pmu *pmu, unsigned index, struct counter *counter);

#endif
