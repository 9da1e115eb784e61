/* From an event select to what its counter counts.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring", "Off-core Response Performance
 * Monitoring"; the tables are the personality's. */
#include "events.h"

#include "access_filter.h"
#include "event_table.h"
#include "fact_registers.h"

#define RESPONSE_UMASK 1

/* The number of the off-core response register that the event uses, or RESPONSE_REGISTERS. */
static unsigned response_register(const struct pmu_parameters *parameters,
                                  const struct unknown_event *event)
{
    unsigned i;

    for (i = 0; i < RESPONSE_REGISTERS; i++)
        if (event->code == parameters->response_code[i] && event->umask == RESPONSE_UMASK)
            return parameters->response_count != 0 ? i : RESPONSE_REGISTERS;
    return RESPONSE_REGISTERS;
}

static const struct pmu_source *find_response(const struct pmu *pmu, unsigned index)
{
    const struct pmu_parameters *parameters = pmu->parameters;
    uint64_t value;
    size_t i;

    if (!facts_read(pmu, MSR_OFFCORE_RSP_0 + index, &value))
        return NULL;
    for (i = 0; i < parameters->response_count; i++)
        if (parameters->responses[i].value == value)
            return &parameters->responses[i].source;
    return NULL;
}

/* Events that reset the counters: nothing is expected of them. */
static bool is_prime(const struct pmu_parameters *parameters, uint64_t select)
{
    for (unsigned i = 0; i < 4; i++)
        if (parameters->prime[i] != 0 && parameters->prime[i] == select)
            return true;
    return false;
}

/* Whether the counter can count the event. Where a record states more counters than the part that
 * its events are of, these count what all of that part's counters can. */
static bool can_count(const struct pmu_parameters *parameters, const struct pmu_event *event,
                      unsigned index)
{
    const unsigned known = parameters->gp_of_events;
    const uint16_t all = (uint16_t)((1u << known) - 1);

    return event->counters >> index & 1 ||
           (known != 0 && index >= known && (event->counters & all) == all);
}

/* A reference clock has no value per core cycle that could be compared, so its forms with CMASK or
 * EDGE count nothing. Nor do access events with ANY: they are reported for one thread only. */
bool events_resolve(struct pmu *pmu, unsigned index, struct counter *counter)
{
    uint64_t select = pmu->select[index];
    struct unknown_event unknown = {.code = (uint8_t)(select & 0xff),
                                    .umask = events_umask(select)};
    const struct pmu_event *event = event_find(pmu->parameters, unknown.code, unknown.umask);
    const unsigned response = response_register(pmu->parameters, &unknown);
    bool compared = select & EVTSEL_CMASK || select & (EVTSEL_EDGE | EVTSEL_EQ);
    bool both = select & EVTSEL_ANY && pmu->place.threads_per_core > 1;

    if (response < RESPONSE_REGISTERS && find_response(pmu, response) != NULL) {
        counter->source = *find_response(pmu, response);
        counter->core = false;
        return true;
    }
    if (event != NULL && !can_count(pmu->parameters, event, index)) {
        unknown.known = true;
        unknown.counter = (uint8_t)index;
    } else if (event != NULL && (event->source.rate == PER_CORE_CYCLE || !compared) &&
               (event->source.rate < PER_SLOW_LOAD ||
                (!both && access_filter_counts(pmu, index, event->source.rate)))) {
        counter->source = event->source;
        counter->core = event->core || select & EVTSEL_ANY;
        return true;
    }
    if (!is_prime(pmu->parameters, select))
        unknown_remember(pmu, &unknown);
    return false;
}
