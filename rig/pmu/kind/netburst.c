/* Counting on NetBurst: 18 counters of 40 bits behind comparators, overflow, cascades, the stack
 * of 16 branches.
 *
 * Source: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
 * "CCCR MSRs", "Cascading Counters", "Extended Cascading", "Generating an Interrupt on Overflow";
 * "Last Branch Recording for Processors based on Intel NetBurst Microarchitecture". */
#include "netburst.h"

#include <string.h>

#include "netburst_state.h"

#define NO_COUNTER    0xff
#define DEBUGCTLA_LBR UINT32_C(1)

/* The counter whose overflow starts counter n: by CASCADE, and by EXTENDED in the IQ group. */
static const uint8_t cascade[NETBURST_COUNTERS] = {2,  3, 0, 1,  6,  7,  4,  5,  10,
                                                   11, 8, 9, 14, 15, 12, 13, 14, 15};
static const uint8_t extended[NETBURST_COUNTERS] = {
    NO_COUNTER, NO_COUNTER, NO_COUNTER, NO_COUNTER, NO_COUNTER, NO_COUNTER,
    NO_COUNTER, NO_COUNTER, NO_COUNTER, NO_COUNTER, NO_COUNTER, NO_COUNTER,
    16,         NO_COUNTER, NO_COUNTER, 17,         17,         16,
};

/* What a logical processor does with the trace cache; NULL: it is halted. */
enum mode { DELIVERS, BUILDS, INACTIVE };
static enum mode mode_of(const uint16_t *value)
{
    if (value == NULL)
        return INACTIVE;
    return value[SIG_TC_DELIVERS] ? DELIVERS : value[SIG_TC_BUILDS] ? BUILDS : INACTIVE;
}

/* 1 in a cycle of one of the modes in `mask`. */
static unsigned in_mode(uint8_t mask, unsigned thread, const struct span *span)
{
    /* bits DD, DB, DI; BD, BB, BI; ID, IB: the first letter is of logical processor 0 */
    static const uint8_t bits[3][3] = {{1, 2, 4}, {8, 16, 32}, {64, 128, 0}};
    const enum mode own = mode_of(span->value), other = mode_of(span->sibling);

    return (bits[thread == 0 ? own : other][thread == 0 ? other : own] & mask) != 0;
}

static unsigned input(const struct netburst_counter *counter, unsigned thread,
                      const struct span *span)
{
    int value = 0;

    if (counter->modes)
        return in_mode(counter->modes, thread, span);
    for (unsigned i = 0; i < counter->terms; i++)
        value += counter->term[i].weight * (int)span->value[counter->term[i].signal];
    if (value < 0)
        return 0;
    return value > NETBURST_INPUT_MAX ? NETBURST_INPUT_MAX : (unsigned)value;
}

/* The comparator of this logical processor. A counter of modes has one: a cycle of two logical
 * processors is one input, which comes with the span of the first. */
static bool *asserted(struct netburst_counter *counter, unsigned thread)
{
    return &counter->asserted[counter->modes ? 0 : thread];
}

/* EDGE and COMPLEMENT act only with COMPARE. All cycles of a span are equal, so only its first can
 * be an edge. */
uint64_t netburst_step(struct netburst_counter *counter, unsigned thread, const struct span *span)
{
    unsigned value = counter->threads >> thread & 1 ? input(counter, thread, span) : 0;
    bool above, met, before;

    if (counter->modes && thread == 1 && span->sibling != NULL)
        return 0;
    if (!(counter->cccr & CCCR_COMPARE))
        return value * span->cycles;
    if (!(counter->clocked >> thread & 1))
        return 0;
    above = value > CCCR_THRESHOLD(counter->cccr);
    met = above != (bool)(counter->cccr & CCCR_COMPLEMENT);
    before = *asserted(counter, thread);
    *asserted(counter, thread) = met;
    if (counter->cccr & CCCR_EDGE)
        return met && !before;
    return met ? span->cycles : 0;
}

/* The logical processors that a PMI of this counter goes to: bit n. */
static unsigned pmi_targets(const struct netburst_counter *counter)
{
    return (counter->cccr & CCCR_OVF_PMI_T0 ? 1u : 0) | (counter->cccr & CCCR_OVF_PMI_T1 ? 2u : 0);
}

/* The PMI comes with the first increment after the overflow: a counter set to 1 - N interrupts at
 * the N-th event. */
unsigned netburst_advance(struct netburst_counter *counter, uint64_t step, bool *overflowed)
{
    bool force = counter->cccr & CCCR_FORCE_OVF;
    uint64_t sum = counter->value + step, rest = sum & NETBURST_COUNT_MASK;
    unsigned targets = 0;

    *overflowed = false;
    if (!step)
        return 0;
    if (counter->pmi_due)
        targets = pmi_targets(counter);
    counter->pmi_due = false;
    if (force || sum > NETBURST_COUNT_MASK) {
        *overflowed = true;
        counter->cccr |= CCCR_OVF;
        if (force ? step > 1 : rest > 0)
            targets = pmi_targets(counter);
        counter->pmi_due = force || rest == 0;
    }
    counter->value = rest;
    return targets;
}

static void start_cascaded(struct netburst *netburst, uint32_t overflowed)
{
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        struct netburst_counter *counter = &netburst->counter[i];

        if (counter->cccr & CCCR_CASCADE && overflowed >> cascade[i] & 1)
            counter->started = true;
        if (counter->cccr & CCCR_EXTENDED && extended[i] != NO_COUNTER &&
            overflowed >> extended[i] & 1)
            counter->started = true;
    }
}

void netburst_overflow(struct pmu *pmu, uint32_t overflowed, unsigned targets)
{
    struct netburst *netburst = netburst_of(pmu);

    if (overflowed) {
        start_cascaded(netburst, overflowed);
        netburst_pebs_overflow(pmu, overflowed);
        netburst_refresh(pmu);
    }
    for (unsigned i = 0; targets >> i; i++)
        if (targets >> i & 1 && netburst->thread[i].pmu != NULL)
            netburst->thread[i].pmu->host.pmi(netburst->thread[i].pmu->host.context);
}

/* Whether the PMI of a counter that runs may come within the span. */
static bool is_eventful(const struct netburst *netburst, const struct span *span)
{
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        const struct netburst_counter *counter = &netburst->counter[i];

        if (counter->running && pmi_targets(counter) && netburst_quiet(counter) < span->cycles)
            return true;
    }
    return false;
}

static void advance_all(struct pmu *pmu, const struct span *cycles)
{
    struct netburst *netburst = netburst_of(pmu);
    unsigned thread = netburst_thread_of(pmu), targets = 0;
    uint32_t overflowed = 0;

    pmu->unhalted += cycles->cycles;
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        struct netburst_counter *counter = &netburst->counter[i];
        bool wrapped;

        if (!counter->running)
            continue;
        targets |= netburst_advance(counter, netburst_step(counter, thread, cycles), &wrapped);
        if (wrapped)
            overflowed |= UINT32_C(1) << i;
    }
    netburst_overflow(pmu, overflowed, targets);
}

/* A span in which a PMI may come is counted cycle by cycle, so that it comes in its cycle. */
static void span(struct pmu *pmu, const struct span *span)
{
    struct span cycle = *span;

    if (!span->value[SIG_UNHALTED])
        return;
    if (span->cycles == 1 || !is_eventful(netburst_of(pmu), span)) {
        advance_all(pmu, span);
        return;
    }
    cycle.cycles = 1;
    for (uint64_t i = 0; i < span->cycles; i++)
        advance_all(pmu, &cycle);
}

/* A record has addresses only; NetBurst has no flags, no filter and no freeze. */
static void branch(struct pmu *pmu, const struct retired_branch *taken)
{
    struct netburst_thread *thread = netburst_own(pmu);

    if (!taken->taken || !(thread->debugctl & DEBUGCTLA_LBR))
        return;
    thread->tos = (thread->tos + 1) % netburst_branches(pmu);
    thread->from[thread->tos] = taken->from;
    thread->to[thread->tos] = taken->to;
    thread->last = (struct branch_record){taken->from, taken->to, 0};
}

static uint64_t debugctl(const struct pmu *pmu)
{
    return netburst_own(pmu)->debugctl;
}

static void debug_exception(struct pmu *pmu)
{
    netburst_own(pmu)->debugctl &= ~(DEBUGCTLA_LBR | (uint32_t)DEBUGCTL_BTF);
}

static bool keeps_events(const struct pmu *pmu)
{
    return netburst_own(pmu)->debugctl & DEBUGCTLA_LBR;
}

static void event(struct pmu *pmu)
{
    netburst_own(pmu)->event = netburst_own(pmu)->last;
}

/* Resets the state that the core's two logical processors share, and the state of this one. */
static void reset(struct pmu *pmu)
{
    struct netburst *netburst = netburst_of(pmu);
    struct netburst_thread *thread = netburst_own(pmu);

    memset(netburst->escr, 0, sizeof(netburst->escr));
    memset(netburst->counter, 0, sizeof(netburst->counter));
    netburst->precise_event = 0;
    netburst->pebs_enable = 0;
    netburst->pebs_matrix = 0;
    netburst->pebs.waiting = netburst->pebs.armed = false;
    memset(thread, 0, sizeof(*thread));
    thread->pmu = pmu;
    netburst_refresh(pmu);
}

/* ECX[31]: the low half only, a faster read on silicon. */
static enum access_result rdpmc(const struct pmu *pmu, uint32_t index, uint64_t *value)
{
    uint32_t counter = index & INT32_MAX;

    if (counter >= NETBURST_COUNTERS)
        return ACCESS_FAULT;
    *value = netburst_of(pmu)->counter[counter].value;
    if (index >> 31)
        *value &= UINT32_MAX;
    return ACCESS_OK;
}

static void report(const struct pmu *pmu, FILE *out)
{
    const struct netburst *netburst = netburst_of(pmu);

    if (pmu->kind_borrowed) /* the sibling reports it */
        return;
    for (unsigned i = 0; i < netburst->unknown_count; i++) {
        const struct netburst_unknown *unknown = &netburst->unknown[i];
        const struct netburst_event *event =
            netburst_find((enum escr_unit)unknown->unit, 0, unknown->select);

        if (event == NULL)
            event = netburst_find((enum escr_unit)unknown->unit, 1, unknown->select);
        fprintf(out, "cpu %u: %s (%s_ESCR) event 0x%02x mask 0x%04x counted nothing: unknown%s\n",
                pmu->place.cpu, event != NULL ? event->name : "an event",
                netburst_unit_name((enum escr_unit)unknown->unit), unknown->select, unknown->mask,
                event != NULL ? " in this form" : "");
    }
}

const struct pmu_kind pmu_netburst = {
    .state_size = sizeof(struct netburst),
    .shared = true,
    .reset = reset,
    .refresh = netburst_refresh,
    .span = span,
    .branch = branch,
    .request = netburst_request,
    .boundary = netburst_boundary,
    .read = netburst_read,
    .write = netburst_write,
    .rdpmc = rdpmc,
    .debugctl = debugctl,
    .debug_exception = debug_exception,
    .keeps_events = keeps_events,
    .observes = keeps_events,
    .event = event,
    .report = report,
    .foresight = &netburst_foresight,
};
