/* Events of the bus and of the second level: which requests of the model a mask counts.
 *
 * Sources: SDM 3B, table of non-retirement events, "IOQ_allocation", "IOQ_active_entries",
 * "FSB_data_activity", "BSQ_allocation", "BSQ_cache_reference"; IA-32 Optimization Reference Manual
 * (248966-013), appendix B, "Bus and memory metrics": an entry of the IOQ is 64 bytes. The values
 * of BSQ_allocation are those of that appendix's table of metrics, from general knowledge of it. No
 * part of this kind here has a third level, so each request beyond L2 is one of the bus. */
#include "netburst_state.h"

#define R(name) (1u << REQUEST_##name)
#define PREFETCHES                                                                                 \
    (R(PREFETCH_READ) | R(PREFETCH_OWNERSHIP) | R(SOFTWARE_PREFETCH) | R(L1_PREFETCH))
#define READS (R(DATA_READ) | R(OWNERSHIP) | R(CODE_READ))

/* IOQ_*: bits 4:0 are one field, of which 1 is the default. */
#define IOQ_TYPE     0x001fu
#define IOQ_DEFAULT  0x0001u
#define IOQ_READ     0x0020u
#define IOQ_WRITE    0x0040u
#define IOQ_WC       0x0100u
#define IOQ_WB       0x0800u
#define IOQ_MEMORY   0x0f80u
#define IOQ_OTHER    0x4000u /* what other processors and devices ask for is not known here */
#define IOQ_RESERVED 0x1000u
#define IOQ_PREFETCH 0x8000u

/* FSB_data_activity: what this processor drives and reads. "Asserted 4 processor clocks (usually in
 * consecutive bus clocks) for full line writes"; the part of a line that a streaming store writes
 * is taken for all of it, which is a guess. */
#define DRDY_DRV    1u
#define DRDY_OWN    2u
#define DRDY_CLOCKS 4u

/* BSQ_cache_reference: the state of a line in L2 is not known, so hits count all or none. */
#define L2_HITS     0x0007u
#define L2_MISS     0x0100u
#define THIRD_LEVEL 0x0ab8u /* bits 3 to 5, 7, 9 and 11: there is none */

static unsigned part(const struct pmu *pmu) /* model and stepping */
{
    return pmu->parameters->signature & 0xff;
}

bool netburst_is_bus(const struct netburst_event *event)
{
    return (event->unit == UNIT_FSB &&
            (event->select == SELECT_IOQ_ALLOCATION || event->select == SELECT_IOQ_ACTIVE_ENTRIES ||
             event->select == SELECT_FSB_DATA_ACTIVITY)) ||
           (event->unit == UNIT_BSU && (event->select == SELECT_BSQ_ALLOCATION ||
                                        event->select == SELECT_BSQ_CACHE_REFERENCE));
}

/* IOQ_allocation before CPUID signature F27h, and IOQ_active_entries always. */
uint32_t netburst_bus_levels(const struct pmu *pmu, const struct netburst_event *event,
                             uint32_t escr)
{
    const uint32_t t0 = ESCR_T0_USR | ESCR_T0_OS, t1 = ESCR_T1_USR | ESCR_T1_OS;

    if (event == NULL || event->unit != UNIT_FSB ||
        !(event->select == SELECT_IOQ_ACTIVE_ENTRIES ||
          (event->select == SELECT_IOQ_ALLOCATION && part(pmu) < 0x27)))
        return escr;
    return escr | (escr & t0 ? t0 : 0) | (escr & t1 ? t1 : 0);
}

/* "((Request type) and (Bit 5 or Bit 6) and (Memory type) and (Source agent))"; before model 2 the
 * memory type is ignored where bit 5 or 6 is set. A field without a bit lets everything of this
 * processor through: a guess, since the examples of perfex count with both empty, although the
 * manual's expression would never hold. Streaming stores are taken for writes of WC memory, a guess
 * too. */
static bool resolve_ioq(const struct pmu *pmu, struct netburst_counter *counter, uint16_t mask)
{
    const bool any = part(pmu) < 0x20 || !(mask & IOQ_MEMORY);
    uint16_t requests = 0;

    if ((mask & IOQ_TYPE) != IOQ_DEFAULT || mask & (IOQ_RESERVED | IOQ_OTHER) ||
        !(mask & (IOQ_READ | IOQ_WRITE)))
        return false;
    if (any || mask & IOQ_WB)
        requests |=
            (uint16_t)((mask & IOQ_READ ? READS | (mask & IOQ_PREFETCH ? PREFETCHES : 0) : 0) |
                       (mask & IOQ_WRITE ? R(WRITEBACK) : 0));
    if ((any || mask & IOQ_WC) && mask & IOQ_WRITE)
        requests |= R(STREAMING);
    counter->requests = requests;
    counter->per_request = 1;
    return true;
}

/* For how long a write has an entry is not known. An entry of a read is kept until its line is
 * there. */
static bool resolve_active(const struct pmu *pmu, struct netburst_counter *counter, uint16_t mask)
{
    const bool prefetches = mask & IOQ_PREFETCH;

    if (!resolve_ioq(pmu, counter, mask) || mask & IOQ_WRITE)
        return false;
    if (counter->requests) {
        counter->term[0] = (struct netburst_term){
            .signal = prefetches ? SIG_DATA_READS_OUTSTANDING : SIG_READS_OUTSTANDING, .weight = 1};
        counter->term[1] = (struct netburst_term){.signal = SIG_RFOS_OUTSTANDING, .weight = 1};
        counter->term[2] = (struct netburst_term){.signal = SIG_CODE_READ_ACTIVE, .weight = 1};
        counter->terms = 3;
    }
    counter->requests = 0;
    return true;
}

static bool resolve_data(struct netburst_counter *counter, uint16_t mask)
{
    counter->requests = (uint16_t)((mask & DRDY_DRV ? R(WRITEBACK) | R(STREAMING) : 0) |
                                   (mask & DRDY_OWN ? READS | PREFETCHES : 0));
    counter->per_request = counter->cccr & CCCR_EDGE ? 1 : DRDY_CLOCKS;
    return !(mask & ~(DRDY_DRV | DRDY_OWN));
}

/* Whole masks: the fields are compared with those of the request. */
static bool resolve_bsq(struct netburst_counter *counter, uint16_t mask)
{
    static const struct {
        uint16_t mask, requests;
    } rows[] = {
        {0x328c, R(DATA_READ) | R(CODE_READ)}, /* LEN 8 chunks, CACHE, DEM, WB */
        {0x308c, PREFETCHES},                  /* the same without DEM */
        {0x368d, R(OWNERSHIP)},                /* read-invalidate, ORD */
        {0x328f, R(WRITEBACK)},
        {0x0a0e, R(STREAMING)}, /* write, 8 chunks, DEM, WC */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].mask == mask) {
            counter->requests = rows[i].requests;
            counter->per_request = 1;
            return true;
        }
    return false;
}

/* "The count includes both load and RFO." */
static bool resolve_reference(struct netburst_counter *counter, uint16_t mask)
{
    const uint16_t hits = mask & L2_HITS;

    if ((hits && hits != L2_HITS) || mask & ~(L2_HITS | L2_MISS | THIRD_LEVEL))
        return false;
    if (hits) {
        counter->term[0] = (struct netburst_term){.signal = SIG_LOADS_L2_HIT, .weight = 1};
        counter->term[1] = (struct netburst_term){.signal = SIG_RFO_L2_HITS, .weight = 1};
        counter->terms = 2;
    }
    counter->requests = mask & L2_MISS ? R(DATA_READ) | R(OWNERSHIP) : 0;
    counter->per_request = 1;
    return true;
}

bool netburst_bus_resolve(const struct pmu *pmu, struct netburst_counter *counter,
                          const struct netburst_event *event, uint16_t mask)
{
    /* what a comparator other than an edge detector makes of single requests is not known */
    if (counter->cccr & CCCR_COMPARE && event->select != SELECT_IOQ_ACTIVE_ENTRIES &&
        (counter->cccr & CCCR_COMPLEMENT || CCCR_THRESHOLD(counter->cccr)))
        return false;
    if (event->unit == UNIT_BSU)
        return event->select == SELECT_BSQ_ALLOCATION ? resolve_bsq(counter, mask)
                                                      : resolve_reference(counter, mask);
    if (event->select == SELECT_FSB_DATA_ACTIVITY)
        return resolve_data(counter, mask);
    if (event->select == SELECT_IOQ_ACTIVE_ENTRIES)
        return resolve_active(pmu, counter, mask);
    return resolve_ioq(pmu, counter, mask);
}

void netburst_bus_subscribe(struct netburst *netburst)
{
    struct pmu_subscription now = {0};

    for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
        now.requests |= netburst->counter[i].running && netburst->counter[i].requests;
    for (unsigned i = 0; i < 2; i++) {
        struct pmu *pmu = netburst->thread[i].pmu;

        /* of a copy, on which a write is tried, the PMUs are those of the original */
        if (pmu == NULL || pmu->kind_state != netburst ||
            pmu->subscription.requests == now.requests)
            continue;
        pmu->subscription = now;
        if (pmu->host.subscribe != NULL)
            pmu->host.subscribe(pmu->host.context, now);
    }
}

/* An allocation lasts one cycle, a guess: with and without EDGE a request counts once. */
void netburst_request(struct pmu *pmu, enum request request)
{
    struct netburst *netburst = netburst_of(pmu);
    const unsigned thread = netburst_thread_of(pmu);
    unsigned targets = 0;
    uint32_t overflowed = 0;

    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        struct netburst_counter *counter = &netburst->counter[i];
        bool wrapped;

        if (!counter->running || !(counter->requests >> request & 1) ||
            !(counter->threads >> thread & 1))
            continue;
        targets |= netburst_advance(counter, counter->per_request, &wrapped);
        if (wrapped)
            overflowed |= UINT32_C(1) << i;
    }
    netburst_overflow(pmu, overflowed, targets);
}
