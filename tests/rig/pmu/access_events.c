/* Counters of what the model tells one at a time: loads slower than a threshold, sampled stores,
 * requests beyond L2 by the filter of MSR_OFFCORE_RSP_0 and 1, and instructions by what
 * MSR_PEBS_FRONTEND says must have happened to their fetch.
 *
 * Of the loads one at a time is followed, from its dispatch to its data; the next one followed is
 * the first in program order that begins after that. Silicon picks at random, so its counts too are
 * samples and not totals; the choice here is the same in every run.
 *
 * Sources: SDM 3B, "Load Latency Performance Monitoring Facility", "Precise Store Facility",
 * "Off-core Response Performance Monitoring"; the filters' published values are the personality's.
 */
#include "state.h"

#define REQUEST_BITS 16 /* of the filter; the response is above */

static bool needs_accesses(enum pmu_rate rate)
{
    return rate == PER_SLOW_LOAD || rate == PER_STORE;
}

static bool needs_requests(enum pmu_rate rate)
{
    return rate == PER_REQUEST_0 || rate == PER_REQUEST_1;
}

/* What the filter lets through. False: it asks for something that the model does not tell apart,
 * so that a count would be too small. */
static bool filter_of(const struct pmu *pmu, enum pmu_rate rate, uint32_t *requests,
                      uint32_t *origins)
{
    const struct offcore_parameters *offcore = &pmu->parameters->offcore;
    uint64_t filter = msr_held(pmu, rate == PER_REQUEST_0 ? MSR_OFFCORE_RSP_0 : MSR_OFFCORE_RSP_1);
    size_t i;

    *requests = 0;
    for (i = 0; i < REQUEST_BITS; i++) {
        if (!(filter >> i & 1))
            continue;
        if (!(offcore->request_known >> i & 1))
            return false;
        *requests |= offcore->request[i];
    }
    for (i = 0; i < offcore->response_count; i++)
        if (offcore->response[i].bits == filter >> REQUEST_BITS << REQUEST_BITS) {
            *origins = offcore->response[i].origins;
            return true;
        }
    return false;
}

/* False: the register asks for something else than the published values that are known. */
static bool fetched_of(const struct pmu *pmu, unsigned *fetched)
{
    uint64_t filter = msr_held(pmu, MSR_PEBS_FRONTEND);
    size_t i;

    for (i = 0; i < pmu->parameters->frontend_count; i++)
        if (pmu->parameters->frontend[i].bits == filter) {
            *fetched = pmu->parameters->frontend[i].fetched;
            return true;
        }
    return false;
}

/* Before version 5 the facility is switched on by counter; PEBS is then part of it. */
static bool facility_is_on(const struct pmu *pmu, unsigned index, enum pmu_rate rate)
{
    uint64_t enable = pmu->pebs.enable;

    if (pmu->parameters->version >= 5)
        return true;
    if (rate == PER_SLOW_LOAD)
        return enable >> index & enable >> (PEBS_LOAD_LATENCY + index) & 1;
    return enable >> index & enable >> PEBS_PRECISE_STORE & 1;
}

bool access_events_resolve(const struct pmu *pmu, unsigned index, enum pmu_rate rate)
{
    uint32_t requests, origins;
    unsigned fetched;

    if (rate == PER_FETCH)
        return fetched_of(pmu, &fetched);
    return needs_requests(rate) ? filter_of(pmu, rate, &requests, &origins)
                                : facility_is_on(pmu, index, rate);
}

void access_events_refresh(struct pmu *pmu)
{
    struct pmu_requests *before = &pmu->requests, now = {0};
    unsigned i;

    for (i = 0; i < pmu->access_event_count; i++) {
        now.accesses |= needs_accesses(pmu->access_events[i]->source.rate);
        now.requests |= needs_requests(pmu->access_events[i]->source.rate);
        now.fetches |= pmu->access_events[i]->source.rate == PER_FETCH;
    }
    if (now.accesses == before->accesses && now.requests == before->requests &&
        now.fetches == before->fetches)
        return;
    *before = now;
    pmu->followed_until = 0;
    if (pmu->host.subscribe != NULL)
        pmu->host.subscribe(pmu->host.context, now);
}

/* Counts one on each counter of that kind. The list is made anew when an overflow freezes, so it
 * is not walked any further then. */
static void count_one(struct pmu *pmu, uint64_t which)
{
    uint64_t overflowed = 0;
    unsigned i;

    for (i = 0; i < pmu->access_event_count; i++) {
        struct counter *counter = pmu->access_events[i];

        if (!(which & counter->status))
            continue;
        counter->value = (counter->value + 1) & counter->mask;
        if (counter->value == 0)
            overflowed |= counter->status;
    }
    if (overflowed)
        pmu_overflow(pmu, overflowed);
}

static uint64_t counters_of(const struct pmu *pmu, enum pmu_rate rate)
{
    uint64_t counters = 0;
    unsigned i;

    for (i = 0; i < pmu->access_event_count; i++)
        if (pmu->access_events[i]->source.rate == rate)
            counters |= pmu->access_events[i]->status;
    return counters;
}

void pmu_access(void *context, const struct retired_access *access)
{
    struct pmu *pmu = context;

    if (access->write) {
        pmu->sampled_store = *access;
        count_one(pmu, counters_of(pmu, PER_STORE));
        return;
    }
    if (access->begun < pmu->followed_until)
        return;
    pmu->followed_until = access->begun + access->latency;
    if (access->latency <= msr_held(pmu, MSR_PEBS_LD_LAT))
        return;
    pmu->followed_load = *access;
    count_one(pmu, counters_of(pmu, PER_SLOW_LOAD));
}

void pmu_offcore(void *context, enum request request, enum origin origin)
{
    static const enum pmu_rate rates[] = {PER_REQUEST_0, PER_REQUEST_1};
    struct pmu *pmu = context;
    uint64_t counters = 0;
    size_t i;

    for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        uint32_t requests, origins;

        if (counters_of(pmu, rates[i]) && filter_of(pmu, rates[i], &requests, &origins) &&
            requests >> request & 1 && origins >> origin & 1)
            counters |= counters_of(pmu, rates[i]);
    }
    count_one(pmu, counters);
}

void pmu_fetched(void *context, unsigned fetched)
{
    struct pmu *pmu = context;
    unsigned wanted;

    if (fetched_of(pmu, &wanted) && fetched & wanted)
        count_one(pmu, counters_of(pmu, PER_FETCH));
}
