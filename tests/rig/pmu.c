/* Counting: which counters run, what a span of cycles adds to them, and what an overflow does.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring Version 1" to "Version 5". Where the
 * manual leaves something open, the choice made here is said beside it. */
#include <stdlib.h>
#include <string.h>

#include "pmu_state.h"

#define CODE(select)  ((uint8_t)((select) & 0xff))
#define UMASK(select) ((uint8_t)((select) >> 8 & 0xff))
#define CMASK(select) ((uint8_t)((select) >> 24 & 0xff))

uint64_t pmu_counter_mask(const struct pmu *pmu)
{
    return (UINT64_C(1) << pmu->parameters->width) - 1;
}

/* What one core cycle of the span adds, before cmask. */
static int64_t source_value(const struct pmu_source *source, const struct span *span)
{
    return source->weight * (int64_t)span->value[source->signal] +
           source->plus_weight * (int64_t)span->value[source->plus];
}

static uint64_t clock_ticks(const struct pmu *pmu, struct counter *counter, uint64_t cycles)
{
    unsigned rate = counter->source.rate == PER_TSC_TICK ? pmu->parameters->tsc_mhz
                                                         : pmu->parameters->crystal_mhz;
    uint64_t parts = counter->remainder + cycles * rate;

    counter->remainder = parts % pmu->parameters->core_mhz;
    return parts / pmu->parameters->core_mhz;
}

/* How much the span adds. All cycles of a span are alike, so an edge can only be at its first. */
static uint64_t counter_step(const struct pmu *pmu, struct counter *counter,
                             const struct span *span)
{
    int64_t value;
    bool before, met;

    if (counter->source.rate != PER_CORE_CYCLE)
        return clock_ticks(pmu, counter, span->cycles);
    value = source_value(&counter->source, span);
    if (counter->cmask == 0 && !counter->edge)
        return (uint64_t)value * span->cycles;

    /* With a cmask of 0 there is nothing to compare and INV has no effect; an edge is then one
     * of "anything at all". */
    met = counter->cmask == 0 ? value > 0 : (value >= counter->cmask) != counter->invert;
    before = counter->asserted;
    counter->asserted = met;
    if (counter->edge)
        return met && !before;
    return met ? span->cycles : 0;
}

static void freeze(struct pmu *pmu)
{
    if (pmu->parameters->version >= 4) { /* streamlined: the enables stay as they are */
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

/* Several counters may overflow in one span: one PMI for all of them, and the freeze comes after
 * all have counted it. */
static void overflow(struct pmu *pmu, uint64_t counters)
{
    pmu->global_status |= counters;
    if (!(counters & pmu->pmi_mask))
        return;
    freeze(pmu);
    pmu->host.pmi(pmu->host.context);
}

void pmu_span(void *context, const struct span *span)
{
    struct pmu *pmu = context;
    uint64_t mask = pmu_counter_mask(pmu), overflowed = 0;
    unsigned i;

    if (!span->value[SIG_UNHALTED])
        return;
    pmu->unhalted += span->cycles;
    for (i = 0; i < pmu->active_count; i++) {
        struct counter *counter = pmu->active[i];
        uint64_t sum = counter->value + counter_step(pmu, counter, span);

        if (sum > mask)
            overflowed |= counter->status;
        counter->value = sum & mask;
    }
    if (pmu->metrics.running)
        metrics_advance(pmu, span);
    if (overflowed)
        overflow(pmu, overflowed);
}

static void remember_unknown(struct pmu *pmu, const struct unknown_event *event)
{
    unsigned i;

    for (i = 0; i < pmu->unknown_count; i++)
        if (memcmp(&pmu->unknown[i], event, sizeof *event) == 0)
            return;
    if (pmu->unknown_count == UNKNOWN_MAX)
        pmu->unknown_lost++;
    else
        pmu->unknown[pmu->unknown_count++] = *event;
}

static const struct pmu_event *find_event(const struct pmu_parameters *parameters, uint8_t code,
                                          uint8_t umask)
{
    size_t i;

    for (i = 0; i < parameters->event_count; i++)
        if (parameters->events[i].code == code && parameters->events[i].umask == umask)
            return &parameters->events[i];
    return NULL;
}

/* ANY adds what the sibling does, which is not known here. Clocks are the exception: the core is
 * not halted while this thread is not, so their ANY form is exact as long as the counting thread
 * does not halt itself. */
static bool any_is_known(const struct pmu *pmu, const struct pmu_source *source)
{
    return pmu->place.threads_per_core == 1 || source->rate != PER_CORE_CYCLE ||
           (source->signal == SIG_UNHALTED && !source->plus_weight);
}

/* What a programmed counter counts. False: nothing, and why is remembered for the end. A
 * reference clock has no value per core cycle that could be compared, so its cmask and edge
 * forms are unknown. */
static bool resolve(struct pmu *pmu, unsigned index, struct pmu_source *source)
{
    uint64_t select = pmu->select[index];
    struct unknown_event unknown = { .code = CODE(select), .umask = UMASK(select) };
    const struct pmu_event *event = find_event(pmu->parameters, unknown.code, unknown.umask);
    bool compared = CMASK(select) || select & EVTSEL_EDGE;

    if (event && !(event->counters >> index & 1)) {
        unknown.known = true;
        unknown.counter = (uint8_t)index;
    } else if (event && !(event->one_thread && pmu->place.threads_per_core > 1) &&
               (!(select & EVTSEL_ANY) || any_is_known(pmu, &event->source)) &&
               (event->source.rate == PER_CORE_CYCLE || !compared)) {
        *source = event->source;
        return true;
    }
    remember_unknown(pmu, &unknown);
    return false;
}

/* Put the counter among the active ones. Its edge detector starts deasserted when it was not
 * running. */
static void run(struct pmu *pmu, struct counter *counter)
{
    if (!counter->running)
        counter->asserted = false;
    counter->running = true;
    pmu->active[pmu->active_count++] = counter;
}

static bool refresh_gp(struct pmu *pmu, unsigned index)
{
    struct counter *counter = &pmu->gp[index];
    uint64_t select = pmu->select[index];
    bool enabled = select & EVTSEL_EN && select & (EVTSEL_OS | EVTSEL_USR) &&
                   pmu->global_ctrl >> index & 1 && !(pmu->global_status & STATUS_CTR_FRZ);

    if (select & EVTSEL_INT)
        pmu->pmi_mask |= counter->status;
    counter->cmask = CMASK(select);
    counter->invert = select & EVTSEL_INV;
    counter->edge = select & EVTSEL_EDGE;
    /* Everything here runs at CPL 0, so without OS the counter is on and sees nothing. */
    if (enabled && select & EVTSEL_OS && resolve(pmu, index, &counter->source))
        run(pmu, counter);
    else
        counter->running = false;
    return enabled;
}

static bool refresh_fixed(struct pmu *pmu, unsigned index)
{
    struct counter *counter = &pmu->fixed[index];
    uint64_t field = pmu->fixed_ctrl >> 4 * index & 0xf;
    bool enabled = field & (FIXED_OS | FIXED_USR) &&
                   pmu->global_ctrl >> (GLOBAL_FIXED_SHIFT + index) & 1 &&
                   !(pmu->global_status & STATUS_CTR_FRZ);

    if (field & FIXED_PMI)
        pmu->pmi_mask |= counter->status;
    counter->running = counter->running && enabled && field & FIXED_OS;
    if (!enabled || !(field & FIXED_OS))
        return enabled;
    if (field & FIXED_ANY && !any_is_known(pmu, &counter->source))
        remember_unknown(pmu, &(struct unknown_event){ .umask = (uint8_t)(index + 1) });
    else
        run(pmu, counter);
    return enabled;
}

void pmu_refresh(struct pmu *pmu)
{
    bool counting = false;
    unsigned i;

    pmu->active_count = 0;
    pmu->pmi_mask = 0;
    for (i = 0; i < pmu->gp_count; i++)
        counting |= refresh_gp(pmu, i);
    for (i = 0; i < pmu->parameters->fixed; i++)
        counting |= refresh_fixed(pmu, i);
    pmu->metrics.running = pmu->parameters->metrics && pmu->fixed[3].running &&
                           pmu->global_ctrl & GLOBAL_PERF_METRICS;
    if (counting != pmu->counting) {
        pmu->counting = counting;
        pmu->host.counting(pmu->host.context, counting);
    }
}

uint64_t pmu_ticks(const struct pmu *pmu, uint64_t core_cycles)
{
    uint64_t core = pmu->parameters->core_mhz, tsc = pmu->parameters->tsc_mhz;

    return core_cycles / core * tsc + core_cycles % core * tsc / core;
}

uint64_t pmu_tsc(const struct pmu *pmu)
{
    return pmu_ticks(pmu, pmu->host.now(pmu->host.context)) + pmu->tsc_offset;
}

struct pmu *pmu_new(const struct personality *personality, struct pmu_place place,
                    struct pmu_host host)
{
    struct pmu *pmu = calloc(1, sizeof *pmu);

    if (!pmu)
        return NULL;
    pmu->parameters = personality->pmu;
    pmu->place = place;
    pmu->host = host;
    pmu->gp_count = place.threads_per_core > 1 ? personality->pmu->gp_smt
                                               : personality->pmu->gp_alone;
    if (!msr_allocate(pmu)) {
        free(pmu);
        return NULL;
    }
    pmu_reset(pmu);
    return pmu;
}

void pmu_free(struct pmu *pmu)
{
    if (!pmu)
        return;
    free(pmu->msr_value);
    free(pmu);
}

void pmu_reset(struct pmu *pmu)
{
    unsigned i;

    memset(pmu->gp, 0, sizeof pmu->gp);
    memset(pmu->fixed, 0, sizeof pmu->fixed);
    memset(pmu->select, 0, sizeof pmu->select);
    memset(&pmu->metrics, 0, sizeof pmu->metrics);
    for (i = 0; i < pmu->gp_count; i++)
        pmu->gp[i].status = UINT64_C(1) << i;
    for (i = 0; i < pmu->parameters->fixed; i++) {
        pmu->fixed[i].status = UINT64_C(1) << (GLOBAL_FIXED_SHIFT + i);
        pmu->fixed[i].source = pmu->parameters->fixed_source[i];
    }
    pmu->fixed_ctrl = 0;
    /* After power-on the general-purpose counters are on, and each is off by its own EN. */
    pmu->global_ctrl = (UINT64_C(1) << pmu->gp_count) - 1;
    pmu->global_status = 0;
    pmu->debugctl = 0;
    lbr_reset(pmu);
    pmu->unhalted = 0;
    pmu->aperf_base = 0;
    pmu->mperf_base = 0;
    pmu->tsc_adjust = 0;
    pmu->tsc_offset = 0 - pmu_ticks(pmu, pmu->host.now(pmu->host.context));
    msr_reset(pmu);
    pmu_refresh(pmu);
}

/* SDM 2B, "RDPMC": the type is in ECX[31:16], the index in ECX[15:0]. */
enum access_result pmu_rdpmc(struct pmu *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
                             uint64_t *value)
{
    uint32_t type = index >> 16, which = index & 0xffff;

    if (cpl > 0 && !cr4_pce)
        return ACCESS_FAULT;
    if (type == 0 && which < pmu->gp_count)
        *value = pmu->gp[which].value;
    else if (type == 0x4000 && which < pmu->parameters->fixed)
        *value = pmu->fixed[which].value;
    else if (type == 0x2000 && which == 0 && pmu->parameters->metrics)
        *value = metrics_read(pmu);
    else
        return ACCESS_FAULT;
    return ACCESS_OK;
}

void pmu_report_unknown(const struct pmu *pmu, FILE *out)
{
    unsigned i;

    for (i = 0; i < pmu->unknown_count; i++) {
        const struct unknown_event *event = &pmu->unknown[i];
        const struct pmu_event *known = find_event(pmu->parameters, event->code, event->umask);

        if (event->known && known)
            fprintf(out, "cpu %u: %s counted nothing: counter %u cannot count it\n",
                    pmu->place.cpu, known->name, event->counter);
        else
            fprintf(out, "cpu %u: event 0x%02x umask 0x%02x counted nothing: unknown%s\n",
                    pmu->place.cpu, event->code, event->umask, known ? " in this form" : "");
    }
    if (pmu->unknown_lost)
        fprintf(out, "cpu %u: and %u more\n", pmu->place.cpu, pmu->unknown_lost);
}
