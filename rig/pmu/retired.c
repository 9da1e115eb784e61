/* What the model reports of retired instructions, and what the machine reports between them: a
 * branch, an access event, an instruction boundary, an exception.
 *
 * Of loads one at a time is followed, from its dispatch to its data; the next load followed is the
 * first in program order that begins after that. Silicon chooses at random, so its counts too are
 * samples and not totals; the choice here is the same in every run.
 *
 * Sources: SDM 3B, "Load Latency Performance Monitoring Facility", "Monitoring Branches,
 * Exceptions, and Interrupts". */
#include "retired.h"

#include "access_filter.h"
#include "count.h"
#include "fact_registers.h"
#include "kind.h"
#include "lbr.h"
#include "pebs.h"
#include "running.h"
#include "trace.h"

void pmu_branch(void *context, const struct retired_branch *branch)
{
    struct pmu *pmu = context;

    if (pmu->parameters->kind != NULL) {
        pmu->parameters->kind->branch(pmu, branch);
        return;
    }
    if (bts_branch(pmu, branch))
        pmu_request(pmu, 0);
    lbr_branch(pmu, branch);
}

void pmu_take_back(struct pmu *pmu, uint64_t cycle)
{
    if (pmu->parameters->kind == NULL)
        lbr_take_back(pmu, cycle);
}

void pmu_again(struct pmu *pmu)
{
    if (pmu->parameters->kind == NULL)
        lbr_again(pmu);
}

/* Counts one on each counter of the set `which` (status bits) that runs by access events. An
 * overflow may freeze, which makes the list anew, so it comes after the loop. */
static void count_one(struct pmu *pmu, uint64_t which)
{
    uint64_t overflowed = 0;
    unsigned i;

    for (i = 0; i < pmu->access_event_count; i++) {
        struct counter *counter = pmu->access_events[i];
        uint64_t sum;

        if (!(which & counter->status))
            continue;
        sum = counter->value + pmu_as_counted(counter, 1);
        if (sum > counter->mask)
            overflowed |= counter->status;
        counter->value = sum & counter->mask;
        if (counter->lost_bits != 0)
            pmu_lose_bits(counter);
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
    if (access->latency <= facts_held(pmu, MSR_PEBS_LD_LAT))
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

    if (pmu->parameters->kind != NULL) {
        pmu->parameters->kind->request(pmu, request);
        return;
    }
    for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        uint32_t requests, origins;

        if (counters_of(pmu, rates[i]) &&
            access_filter_requests(pmu, rates[i], &requests, &origins) && requests >> request & 1 &&
            origins >> origin & 1)
            counters |= counters_of(pmu, rates[i]);
    }
    count_one(pmu, counters);
}

void pmu_fetched(void *context, unsigned fetched)
{
    struct pmu *pmu = context;
    unsigned wanted;

    if (access_filter_fetched(pmu, &wanted) && fetched & wanted)
        count_one(pmu, counters_of(pmu, PER_FETCH));
}

void pmu_at_boundary(struct pmu *pmu, const struct pmu_boundary *boundary)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    if (kind == NULL) {
        if (pebs_boundary(pmu, boundary))
            pmu_request(pmu, 0);
        pmu_foresee(pmu); /* a record may have reloaded counters */
    } else if (kind->boundary != NULL) {
        kind->boundary(pmu, boundary);
    }
}

void pmu_debug_exception(struct pmu *pmu)
{
    if (pmu->parameters->kind != NULL) {
        pmu->parameters->kind->debug_exception(pmu);
        return;
    }
    pmu->debugctl &= ~DEBUGCTL_BTF;
    if (!pmu->parameters->lbr.architectural)
        pmu->debugctl &= ~DEBUGCTL_LBR;
    pmu_observe(pmu);
}

bool pmu_steps_branches(const struct pmu *pmu)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    return (kind != NULL ? kind->debugctl(pmu) : pmu->debugctl) & DEBUGCTL_BTF;
}

bool pmu_keeps_events(const struct pmu *pmu)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    if (kind != NULL)
        return kind->keeps_events != NULL && kind->keeps_events(pmu);
    return lbr_records(pmu) && !(pmu->global_status & STATUS_LBR_FRZ);
}

/* "Monitoring Branches, Exceptions, and Interrupts": records are made of taken branches, interrupts
 * and exceptions, except #DB. Which filter lets them in is not said; as far branches is a guess. */
void pmu_delivered(struct pmu *pmu, uint64_t from, uint64_t handler)
{
    const struct retired_branch branch = {.from = from,
                                          .to = handler,
                                          .cycle = pmu->host.now(pmu->host.context),
                                          .kind = BRANCH_FAR,
                                          .taken = true};

    if (pmu_keeps_events(pmu))
        pmu_branch(pmu, &branch);
}

void pmu_event(struct pmu *pmu)
{
    if (!pmu_keeps_events(pmu))
        return;
    if (pmu->parameters->kind != NULL)
        pmu->parameters->kind->event(pmu);
    else
        pmu->lbr.event = pmu->lbr.last;
}
