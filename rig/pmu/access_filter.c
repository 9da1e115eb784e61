/* Which access events count: the registers that filter loads, stores, requests beyond L2 and
 * fetches.
 *
 * Sources: SDM 3B, "Load Latency Performance Monitoring Facility", "Precise Store Facility",
 * "Off-core Response Performance Monitoring"; the published values of the filters are the
 * personality's. */
#include "access_filter.h"

#include "fact_registers.h"

#define REQUEST_BITS 16 /* of the filter; the response is above */

static bool needs_accesses(enum pmu_rate rate)
{
    return rate == PER_SLOW_LOAD || rate == PER_STORE;
}

static bool needs_requests(enum pmu_rate rate)
{
    return rate == PER_REQUEST_0 || rate == PER_REQUEST_1;
}

bool access_filter_requests(const struct pmu *pmu, enum pmu_rate rate, uint32_t *requests,
                            uint32_t *origins)
{
    const struct offcore_parameters *offcore = &pmu->parameters->offcore;
    uint64_t filter =
        facts_held(pmu, rate == PER_REQUEST_0 ? MSR_OFFCORE_RSP_0 : MSR_OFFCORE_RSP_1);
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

bool access_filter_fetched(const struct pmu *pmu, unsigned *fetched)
{
    uint64_t filter = facts_held(pmu, MSR_PEBS_FRONTEND);
    size_t i;

    for (i = 0; i < pmu->parameters->frontend_count; i++)
        if (pmu->parameters->frontend[i].bits == filter) {
            *fetched = pmu->parameters->frontend[i].fetched;
            return true;
        }
    return false;
}

/* Before version 5 IA32_PEBS_ENABLE switches load latency and precise stores on, by counter. */
static bool facility_is_on(const struct pmu *pmu, unsigned index, enum pmu_rate rate)
{
    uint64_t enable = pmu->pebs.enable;

    if (pmu->parameters->version >= 5)
        return true;
    if (rate == PER_SLOW_LOAD)
        return enable >> index & enable >> (PEBS_LOAD_LATENCY + index) & 1;
    return enable >> index & enable >> PEBS_PRECISE_STORE & 1;
}

bool access_filter_counts(const struct pmu *pmu, unsigned index, enum pmu_rate rate)
{
    uint32_t requests, origins;
    unsigned fetched;

    if (rate == PER_FETCH)
        return access_filter_fetched(pmu, &fetched);
    return needs_requests(rate) ? access_filter_requests(pmu, rate, &requests, &origins)
                                : facility_is_on(pmu, index, rate);
}

void access_filter_refresh(struct pmu *pmu)
{
    struct pmu_subscription *before = &pmu->subscription, now = {0};
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
