/* Counting: what a span of cycles adds to the counters that run, and what an overflow does.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring Version 1" to "Version 5". Where the
 * manual leaves something open, a comment says what was chosen. */
#include "count.h"

#include "kind.h"
#include "lbr.h"
#include "metrics.h"
#include "pebs.h"
#include "running.h"
#include "trace.h"

#define STEP_MAX 4096 /* more than any event adds in a cycle */

static int64_t source_value(const struct pmu_source *source, const uint16_t *value)
{
    const int64_t sum = source->weight * (int64_t)value[source->signal] +
                        source->plus_weight * (int64_t)value[source->plus];

    return source->once && sum > 1 ? 1 : sum;
}

/* What one core cycle of the span adds, before cmask. A counter of both threads adds their sum,
 * except that a core cycle in which both run is one cycle (SDM 3B, "Architectural Performance
 * Monitoring Version 3", AnyThread). */
static int64_t counter_value(const struct counter *counter, const struct span *span)
{
    const int64_t own = source_value(&counter->source, span->value);

    if (!counter->core || span->sibling == NULL ||
        (counter->source.signal == SIG_UNHALTED && !counter->source.plus_weight))
        return own;
    return own + source_value(&counter->source, span->sibling);
}

static uint64_t clock_ticks(const struct pmu *pmu, struct counter *counter, uint64_t cycles)
{
    unsigned rate = counter->source.rate == PER_TSC_TICK ? pmu->parameters->tsc_mhz
                                                         : pmu->parameters->crystal_mhz;
    const uint64_t core = pmu->clock.mhz;
    uint64_t parts = counter->remainder + cycles * rate, ticks = 0;

    if (parts >= 2 * core) { /* a single cycle needs no division */
        ticks = parts / core;
        parts %= core;
    } else if (parts >= core) {
        ticks = 1;
        parts -= core;
    }
    counter->remainder = parts;
    return ticks;
}

/* What a counter that lies (--fault count:) adds instead of `step`. */
static uint64_t falsified(struct counter *counter, uint64_t step)
{
    uint64_t hundredths = counter->lie_remainder + step * (uint64_t)(100 + counter->source.lie);

    counter->lie_remainder = hundredths % 100;
    counter->falsified |= step > 0;
    return hundredths / 100;
}

/* "Counts the number of speculative clears" (perfmon, INT_MISC.CLEARS_COUNT) by the edges of
 * recovery. A thread alone has one edge for each clear. With a second thread, the cycles in which
 * the allocator serves that thread split or hide the edges, so the clears are counted instead. */
static bool counts_clears(const struct counter *counter, const struct span *span)
{
    return counter->edge && counter->source.signal == SIG_RECOVERY && span->sibling != NULL;
}

/* What an edge detector looks at: whether the condition of cmask and INV holds in the cycles of the
 * span. With a cmask of 0 nothing is compared and INV has no effect; an edge is then the first
 * cycle with a value above 0. */
static bool meets(const struct counter *counter, const struct span *span)
{
    const int64_t value = counter_value(counter, span);

    if (counter->equal)
        return (value == counter->cmask) != counter->invert;
    return counter->cmask == 0 ? value > 0 : (value >= counter->cmask) != counter->invert;
}

/* All cycles of a span are equal, so only its first can be an edge. */
static uint64_t counter_step(const struct pmu *pmu, struct counter *counter,
                             const struct span *span)
{
    bool before, met;

    if (counts_clears(counter, span))
        return span->value[SIG_CLEARS] * span->cycles;
    if (counter->source.rate != PER_CORE_CYCLE)
        return span->value[counter->source.signal] ? clock_ticks(pmu, counter, span->cycles) : 0;
    if (counter->cmask == 0 && !counter->edge && !counter->equal) /* plain, but lying */
        return (uint64_t)counter_value(counter, span) * span->cycles;
    met = meets(counter, span);
    before = counter->asserted;
    counter->asserted = met;
    if (counter->edge)
        return met && !before;
    return met ? span->cycles : 0;
}

uint64_t pmu_as_counted(struct counter *counter, uint64_t step)
{
    return counter->source.lie ? falsified(counter, step) : step;
}

uint64_t pmu_counted(const struct pmu *pmu, struct counter *counter, const struct span *span)
{
    return pmu_as_counted(counter, counter_step(pmu, counter, span));
}

static bool is_streamlined(const struct pmu *pmu)
{
    return pmu->parameters->version >= 4;
}

static void freeze(struct pmu *pmu)
{
    if (is_streamlined(pmu)) { /* the enables stay as they are */
        if (pmu->debugctl & DEBUGCTL_FREEZE_PERFMON)
            pmu->global_status |= STATUS_CTR_FRZ;
        if (pmu->debugctl & DEBUGCTL_FREEZE_LBRS)
            pmu->global_status |= STATUS_LBR_FRZ;
    } else {
        if (pmu->debugctl & DEBUGCTL_FREEZE_PERFMON)
            pmu->global_ctrl = 0;
        if (pmu->debugctl & DEBUGCTL_FREEZE_LBRS)
            pmu->debugctl &= ~DEBUGCTL_LBR;
    }
    pmu_refresh(pmu);
}

/* Whether this one is the one in PMI_FAULT_EVERY. */
static bool goes_wrong(struct pmu *pmu, enum pmi_fault fault)
{
    return pmu->parameters->pmi_fault == fault && ++pmu->pmis % PMI_FAULT_EVERY == 0;
}

/* After so many cycles another one comes; 0: none does. */
static unsigned comes_again(struct pmu *pmu)
{
    if (pmu->parameters->pmi_fault == PMI_STORM)
        return pmu->counting ? PMI_STORM_AFTER : 0;
    return goes_wrong(pmu, PMI_SPURIOUS) ? PMI_FAULT_AFTER : 0;
}

static void raise_pmi(struct pmu *pmu)
{
    const uint64_t counters = pmu->pmi_counters;
    const unsigned again = comes_again(pmu);

    pmu->storms = pmu->parameters->pmi_fault == PMI_STORM;
    pmu->pmi_pending = again > 0;
    if (again > 0)
        pmu->pmi_due = pmu->unhalted + again;
    pmu_observe(pmu);
    pmu_foresee(pmu);
    if (!is_streamlined(pmu))
        freeze(pmu);
    if (!goes_wrong(pmu, PMI_LOST))
        pmu->host.pmi(pmu->host.context);
    if (again > 0) /* which no counter requests */
        pmu->pmi_counters &= ~counters;
}

/* Each request has its own place within the spread: by Weyl's sequence of the golden ratio, so that
 * what foresees the next request knows its skid. */
uint64_t pmu_skid(const struct pmu *pmu)
{
    const uint64_t turn = (pmu->pmi_requests + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);

    if (pmu->delay.cycles == 0)
        return pmu->parameters->pmi_skid;
    return pmu->delay.cycles - pmu->delay.spread + (turn >> 32) % (2u * pmu->delay.spread + 1);
}

/* The streamlined freeze comes with the overflow, the legacy freeze with the PMI. Overflows between
 * the request and the PMI share that PMI. */
void pmu_request(struct pmu *pmu, uint64_t counters)
{
    if (is_streamlined(pmu))
        freeze(pmu);
    if (!pmu->pmi_pending) {
        pmu->pmi_requested = pmu->unhalted;
        pmu->pmi_counters = 0;
        pmu->pmi_due = pmu->unhalted + pmu_skid(pmu);
        pmu->pmi_requests++;
    }
    pmu->pmi_counters |= counters;
    pmu->pmi_pending = true;
    pmu_observe(pmu);
    pmu_foresee(pmu);
    if (pmu->unhalted >= pmu->pmi_due)
        raise_pmi(pmu);
}

/* Several counters may overflow in one cycle: they share one PMI, and the freeze comes after all of
 * them have counted the cycle. */
void pmu_overflow(struct pmu *pmu, uint64_t counters)
{
    pmu->global_status |= counters;
    pebs_overflow(pmu, counters);
    if (counters & pmu->pmi_mask)
        pmu_request(pmu, counters & pmu->pmi_mask);
}

struct pmu_interrupt pmu_last_pmi(const struct pmu *pmu)
{
    if (pmu->parameters->kind != NULL)
        return (struct pmu_interrupt){pmu->unhalted, pmu->unhalted, 0};
    return (struct pmu_interrupt){pmu->pmi_requested, pmu->unhalted, pmu->pmi_counters};
}

uint64_t pmu_unhalted(const struct pmu *pmu)
{
    return pmu->unhalted;
}

/* Whether an overflow or a PMI can come inside the span, so that counters may stop there. */
static bool is_eventful(const struct pmu *pmu, const struct span *span)
{
    unsigned i;

    if (pmu->pmi_pending && pmu->unhalted + span->cycles >= pmu->pmi_due)
        return true;
    for (i = 0; i < pmu->active_count; i++) {
        const struct counter *counter = pmu->active[i];
        int64_t value = 1;

        if (counter->mask - counter->value >= span->cycles * STEP_MAX)
            continue;
        if (counter->source.rate == PER_CORE_CYCLE)
            value = counter_value(counter, span);
        if (value > 0 || counter->cmask || counter->equal)
            return true;
    }
    return false;
}

static void advance(struct pmu *pmu, const struct span *span)
{
    const uint64_t cycles = span->cycles;
    const unsigned plain = pmu->plain_count;
    uint64_t overflowed = 0;
    unsigned i;

    pmu->unhalted += cycles;
    for (i = 0; i < plain; i++) {
        struct counter *counter = pmu->active[i];
        uint64_t sum = counter->value + span->value[counter->source.signal] * cycles;

        if (sum > counter->mask) {
            overflowed |= counter->status;
            sum &= counter->mask;
        }
        counter->value = sum;
    }
    for (; i < pmu->active_count; i++) {
        struct counter *counter = pmu->active[i];
        const uint64_t step = pmu_counted(pmu, counter, span), sum = counter->value + step;

        if (counter->leak != NULL && counter->leak->running)
            counter->leak->value = (counter->leak->value + step) & counter->leak->mask;
        if (sum > counter->mask)
            overflowed |= counter->status;
        counter->value = sum & counter->mask;
        if (counter->lost_bits != 0)
            pmu_lose_bits(counter);
    }
    if (pmu->metrics.running)
        metrics_advance(pmu, span);
    if (pmu->pebs.exact)
        pebs_approach(pmu);
    if (overflowed)
        pmu_overflow(pmu, overflowed);
    if (pmu->pmi_pending && pmu->unhalted >= pmu->pmi_due)
        raise_pmi(pmu);
}

/* A span in which a counter can overflow is counted cycle by cycle, so that a freeze stops all
 * other counters in the cycle of the overflow. */
void pmu_span(void *context, const struct span *span)
{
    struct pmu *pmu = context;
    struct span cycle;
    uint64_t i;

    if (pmu->parameters->kind != NULL) {
        pmu->parameters->kind->span(pmu, span);
        return;
    }
    if (!span->value[SIG_UNHALTED])
        return;
    if (span->cycles == 1 || !is_eventful(pmu, span)) {
        advance(pmu, span);
        return;
    }
    cycle = *span;
    cycle.cycles = 1;
    for (i = 0; i < span->cycles; i++)
        advance(pmu, &cycle);
}

#define ORDER_SLACK_MARGIN (UINT64_C(1) << 20) /* cycles that may come beyond the answer */

/* An overflow happens in a certain cycle, and a branch record may hold counts; all else is a sum.
 */
uint64_t pmu_quiet(void *context)
{
    const struct pmu *pmu = context;
    uint64_t quiet = UINT64_MAX;
    unsigned i;

    if (pmu->parameters->kind != NULL || pmu->pmi_pending || lbr_records(pmu) || bts_records(pmu) ||
        pmu->pebs.enable || pmu->access_event_count)
        return 0;
    for (i = 0; i < pmu->active_count; i++) {
        const struct counter *counter = pmu->active[i];
        const uint64_t cycles = (counter->mask - counter->value) / STEP_MAX;

        if (cycles < quiet)
            quiet = cycles;
    }
    return quiet > ORDER_SLACK_MARGIN ? quiet - ORDER_SLACK_MARGIN : 0;
}

/* The order of spans also matters to an edge, which depends on the cycle before. */
uint64_t pmu_order_slack(void *context)
{
    const struct pmu *pmu = context;
    unsigned i;

    for (i = 0; i < pmu->active_count; i++)
        if (pmu->active[i]->edge)
            return 0;
    return pmu_quiet(context);
}

/* Edges in the sequence. Afterwards the counter is as the last span leaves it. */
static uint64_t edges(struct counter *counter, const struct span_sequence *sequence)
{
    uint64_t sum = 0;
    unsigned i;

    for (i = 0; i < sequence->turns; i++) {
        const bool met = meets(counter, &sequence->span[sequence->turn[i].number]);

        sum += met && !counter->asserted;
        counter->asserted = met;
    }
    return sum;
}

static void add_step(struct counter *counter, uint64_t step)
{
    if (counter->leak != NULL && counter->leak->running)
        counter->leak->value = (counter->leak->value + step) & counter->leak->mask;
    counter->value += step;
    if (counter->lost_bits != 0)
        pmu_lose_bits(counter);
}

/* What so many cycles like the span's add to the counters of sums. */
static void add_span(struct pmu *pmu, const struct span *span, uint64_t cycles)
{
    struct span all = *span;
    unsigned i;

    all.cycles = cycles;
    pmu->unhalted += cycles;
    for (i = 0; i < pmu->active_count; i++)
        if (!pmu->active[i]->edge)
            add_step(pmu->active[i], pmu_counted(pmu, pmu->active[i], &all));
    if (pmu->metrics.running)
        metrics_advance(pmu, &all);
}

/* The second time begins as the first one ended, and so does every other: all have the edges of the
 * second. */
void pmu_repeat(void *context, const struct span_sequence *sequence, uint64_t times)
{
    struct pmu *pmu = context;
    unsigned i;

    for (i = 0; i < pmu->active_count; i++) {
        struct counter *counter = pmu->active[i];
        uint64_t step;

        if (!counter->edge)
            continue;
        step = edges(counter, sequence);
        if (times > 1)
            step += (times - 1) * edges(counter, sequence);
        add_step(counter, pmu_as_counted(counter, step));
    }
    for (i = 0; i < sequence->spans; i++)
        add_span(pmu, &sequence->span[i], sequence->span[i].cycles * times);
}
