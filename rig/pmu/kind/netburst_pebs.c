/* Event-based sampling on NetBurst: records of MSR_IQ_COUNTER4's at-retirement events.
 *
 * The counter's overflow arms it at the next instruction boundary. The record is taken after the
 * next instruction that causes the event, and the counter is reloaded with the value in the DS
 * area. A buffer that is full up to its threshold raises the PMI.
 *
 * Source: SDM 3B, "Processor Event-Based Sampling (PEBS)" of processors based on Intel NetBurst
 * microarchitecture, "DS Save Area". With two logical processors nothing is recorded here. */
#include "pmu/pebs.h"
#include "netburst_state.h"

#define SAMPLER               16 /* MSR_IQ_COUNTER4 */
#define PEBS_ENABLE_MY_THREAD (UINT32_C(1) << 25)

/* Whether the counter is sampled: only events that count by tags can be. */
static bool samples(const struct pmu *pmu)
{
    const struct netburst *netburst = netburst_of(pmu);
    const struct netburst_counter *counter = &netburst->counter[SAMPLER];
    int escr = netburst_wired(SAMPLER, CCCR_SELECT(counter->cccr));
    uint8_t select;

    if (netburst_hyperthreaded(pmu) || !counter->running || escr < 0 ||
        !(netburst->pebs_enable & PEBS_ENABLE_MY_THREAD) || netburst_escrs[escr].unit != UNIT_CRU23)
        return false;
    select = ESCR_SELECT(netburst->escr[escr]);
    return select == SELECT_FRONT_END_EVENT || select == SELECT_REPLAY_EVENT ||
           select == SELECT_EXECUTION_EVENT;
}

void netburst_pebs_refresh(struct pmu *pmu)
{
    struct netburst_pebs *pebs = &netburst_of(pmu)->pebs;
    bool watch;

    if (!samples(pmu))
        pebs->waiting = pebs->armed = false;
    watch = pebs->waiting || pebs->armed;
    if (watch == pebs->watching || pmu->host.watch == NULL)
        return;
    pebs->watching = watch;
    pmu->host.watch(pmu->host.context, watch);
}

void netburst_pebs_overflow(struct pmu *pmu, uint32_t overflowed)
{
    struct netburst_pebs *pebs = &netburst_of(pmu)->pebs;

    if (overflowed >> SAMPLER & 1 && !pebs->armed && samples(pmu))
        pebs->waiting = true;
}

static void take_record(struct pmu *pmu, const struct pmu_boundary *boundary)
{
    struct netburst *netburst = netburst_of(pmu);
    struct netburst_counter *counter = &netburst->counter[SAMPLER];
    struct pebs_record record;
    bool full = false;
    uint64_t value;

    pebs_compose(pmu, 0, boundary, &record);
    pebs_append(pmu, &record, &full);
    if (pebs_reset_value(pmu, 0, &value))
        counter->value = value & NETBURST_COUNT_MASK;
    netburst->pebs.armed = false;
    if (full)
        pmu->host.pmi(pmu->host.context);
}

void netburst_boundary(struct pmu *pmu, const struct pmu_boundary *boundary)
{
    struct netburst *netburst = netburst_of(pmu);
    struct netburst_pebs *pebs = &netburst->pebs;
    const struct netburst_counter *counter = &netburst->counter[SAMPLER];

    if (pebs->armed && counter->value != pebs->armed_value)
        take_record(pmu, boundary);
    if (pebs->waiting) {
        pebs->armed = true;
        pebs->armed_value = counter->value;
    }
    pebs->waiting = false;
    netburst_pebs_refresh(pmu);
}
