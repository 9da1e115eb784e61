/* Which counters run: enabled, let in at the current privilege level, and with an event that is
 * known.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring Version 1" to "Version 5". Where the
 * manual leaves something open, a comment says what was chosen. */
#include "running.h"

#include "access_filter.h"
#include "events.h"
#include "fact_registers.h"
#include "kind.h"
#include "lbr.h"
#include "pebs.h"
#include "trace.h"

#define CMASK(select) ((uint8_t)((select) >> 24 & 0xff))

static bool is_plain(const struct counter *counter)
{
    return counter->source.rate == PER_CORE_CYCLE && !counter->cmask && !counter->edge &&
           !counter->equal && !counter->source.lie && counter->lost_bits == 0 && !counter->core &&
           counter->leak == NULL && counter->source.weight == 1 && counter->source.plus_weight == 0;
}

/* Puts the counter among the running ones. The edge detector of a counter that did not run starts
 * deasserted. */
static void run(struct pmu *pmu, struct counter *counter)
{
    if (!counter->running)
        counter->asserted = false;
    counter->running = true;
    if (counter->source.rate >= PER_SLOW_LOAD) {
        pmu->access_events[pmu->access_event_count++] = counter;
        return;
    }
    pmu->active[pmu->active_count++] = counter;
    if (is_plain(counter)) {
        struct counter *other = pmu->active[pmu->plain_count];

        pmu->active[pmu->plain_count++] = counter;
        pmu->active[pmu->active_count - 1] = other;
    }
}

/* Linux, arch/x86/events/intel/core.c, says of Nehalem and Westmere (errata AAK100, AAP53, BD53)
 * that counters must be "reset" by certain events when counters are added, and not what happens
 * otherwise. That a counter then counts half too much is a guess. */
#define STALE_LIE 50

static bool is_enabled(const struct pmu *pmu, unsigned index)
{
    return pmu->select[index] & EVTSEL_EN && pmu->global_ctrl >> index & 1;
}

/* Counting may start now. */
static void look_at_primes(struct pmu *pmu)
{
    const uint32_t *prime = pmu->parameters->prime;
    bool all = true, any = false;

    for (unsigned i = 0; i < 4; i++)
        all = all && is_enabled(pmu, i) && pmu->select[i] == prime[i];
    for (unsigned i = 0; i < pmu->gp_count; i++) {
        pmu->stale[i] =
            !all && is_enabled(pmu, i) && !pmu->primed && pmu->select[i] != pmu->sound[i];
        if (is_enabled(pmu, i) && !pmu->stale[i])
            pmu->sound[i] = pmu->select[i];
        any = any || is_enabled(pmu, i);
    }
    if (any)
        pmu->primed = all;
}

/* pmu-tools, latego.py, names the events that Sandy Bridge-EP counts wrongly unless MSR 39CH[0] is
 * set, and those that also need bits of PCI functions, which the rig has not. How wrongly is not
 * published: that half of the events are lost is a guess, and that L3 is slower then is not played.
 */
#define BYPASSED_LIE (-50)

/* The counter that microcode takes for transactions, and how far off it is then: a guess, because
 * the white paper (fact_registers.c) gives no amount. Linux, arch/x86/events/intel/core.c, does not
 * use the counter while RTM_FORCE_ABORT is 0. */
#define TSX_COUNTER 3u
#define TSX_LIE     (-30)

static bool loses_loads(const struct pmu *pmu, uint64_t select)
{
    if (!pmu->parameters->bypassed_loads)
        return false;
    switch (select & 0xffff) { /* unit mask, code */
    case 0x04d1:
    case 0x01d2:
    case 0x02d2:
    case 0x04d2:
    case 0x08d2:
        return !(facts_held(pmu, MSR_BYPASS) & MSR_BYPASS_OFF);
    case 0x20d1:
    case 0x01d3:
    case 0x04d3:
    case 0x01cd:
        return true;
    default:
        return false;
    }
}

/* The window that is under way, or is about to begin. */
static uint64_t window_now(const struct pmu *pmu)
{
    return pmu->windows + !pmu->counting;
}

/* Whether events and counters lie in that window. */
static bool lies_now(const struct pmu *pmu)
{
    const uint64_t window = window_now(pmu);
    const struct pmu_parameters *parameters = pmu->parameters;

    return parameters->lie_last == 0 ||
           (window >= parameters->lie_first && window <= parameters->lie_last);
}

static uint64_t bits_lost(enum counter_mode mode)
{
    if (mode == COUNTER_LOW_16)
        return ~UINT64_C(0xffff);
    return mode == COUNTER_LOW_32 ? ~UINT64_C(0xffffffff) : 0;
}

/* The counter is about to run, or runs on: what is wrong with it in this window. */
static void trouble(const struct pmu *pmu, const struct counter_trouble *what,
                    struct counter *counter)
{
    const uint64_t window = window_now(pmu);
    const bool now = what->mode != COUNTER_SOUND && window >= what->first && window <= what->last;

    counter->mode = now ? what->mode : COUNTER_SOUND;
    counter->lost_bits = bits_lost(counter->mode);
    if (!now)
        return;
    if (counter->mode == COUNTER_STUCK || counter->mode == COUNTER_DOUBLE)
        counter->source.lie = counter->mode == COUNTER_STUCK ? -100 : 100;
    if (counter->mode == COUNTER_PLUS_ONE && counter->last_hit != window) {
        counter->value = (counter->value + 1) & counter->mask;
        counter->falsified = true;
    }
    pmu_lose_bits(counter);
    if (counter->first_hit == 0)
        counter->first_hit = window;
    counter->last_hit = window;
}

/* What errata and --fault add to what the counter counts. The noise is a linear congruential
 * generator's (Numerical Recipes, "Random Numbers": 1664525, 1013904223), a step for each start. */
static void falsify(const struct pmu *pmu, unsigned index, struct counter *counter)
{
    if (!lies_now(pmu))
        counter->source.lie = counter->source.noise = 0;
    else if (pmu->parameters->counter_lie[index] != 0)
        counter->source.lie = pmu->parameters->counter_lie[index];
    if (pmu->stale[index])
        counter->source.lie = STALE_LIE;
    if (loses_loads(pmu, pmu->select[index]))
        counter->source.lie = BYPASSED_LIE;
    if (index == TSX_COUNTER && pmu->parameters->tsx_takes_counter &&
        !(facts_held(pmu, MSR_TSX_FORCE_ABORT) & RTM_FORCE_ABORT))
        counter->source.lie = TSX_LIE;
    if (counter->source.noise > 0) {
        if (!counter->running)
            counter->noise = counter->noise * 1664525u + 1013904223u;
        counter->source.lie =
            (int16_t)((counter->noise >> 16) % ((unsigned)counter->source.noise + 1));
    }
}

/* Linux, arch/x86/events/intel/core.c (intel_ht_bug): memory events corrupt the counter of the same
 * number of the other thread. That they are added to it is a guess. */
static bool leaks(const struct pmu *pmu, uint64_t select)
{
    const uint8_t code = select & 0xff;

    return pmu->sibling != NULL && pmu->parameters->leaks_first != 0 &&
           code >= pmu->parameters->leaks_first && code <= pmu->parameters->leaks_last;
}

/* Whether the counter is enabled; *sees becomes true where it is at the privilege level at hand. */
static bool refresh_gp(struct pmu *pmu, unsigned index, bool *sees)
{
    struct counter *counter = &pmu->gp[index];
    uint64_t select = pmu->select[index];
    bool enabled = select & EVTSEL_EN && select & (EVTSEL_OS | EVTSEL_USR) &&
                   pmu->global_ctrl >> index & 1 && !(pmu->global_status & STATUS_CTR_FRZ);
    bool seen = enabled && pmu_level(pmu, select & EVTSEL_OS, select & EVTSEL_USR);

    *sees |= seen;
    if (select & EVTSEL_INT)
        pmu->pmi_mask |= counter->status;
    counter->cmask = CMASK(select);
    counter->invert = select & EVTSEL_INV;
    counter->edge = select & EVTSEL_EDGE;
    counter->equal = select & EVTSEL_EQ;
    counter->leak = leaks(pmu, select) ? &pmu->sibling->gp[index] : NULL;
    /* At a privilege level that is not let in, the counter is enabled but counts nothing. */
    if (seen && events_resolve(pmu, index, counter)) {
        falsify(pmu, index, counter);
        trouble(pmu, &pmu->parameters->counter_trouble[index], counter);
        run(pmu, counter);
    } else {
        counter->running = false;
    }
    return enabled;
}

static bool refresh_fixed(struct pmu *pmu, unsigned index, bool *sees)
{
    struct counter *counter = &pmu->fixed[index];
    uint64_t field = pmu->fixed_ctrl >> 4 * index & 0xf;
    bool enabled = pmu_has_fixed(pmu, index) && field & (FIXED_OS | FIXED_USR) &&
                   pmu->global_ctrl >> (GLOBAL_FIXED_SHIFT + index) & 1 &&
                   !(pmu->global_status & STATUS_CTR_FRZ);
    bool seen = enabled && pmu_level(pmu, field & FIXED_OS, field & FIXED_USR);

    *sees |= seen;
    if (field & FIXED_PMI)
        pmu->pmi_mask |= counter->status;
    counter->running = counter->running && seen;
    if (!seen)
        return enabled;
    counter->core = field & FIXED_ANY;
    counter->source.lie = lies_now(pmu) ? pmu->parameters->fixed_source[index].lie : 0;
    trouble(pmu, &pmu->parameters->fixed_trouble[index], counter);
    run(pmu, counter);
    return enabled;
}

static bool records(const struct pmu *pmu)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    if (kind != NULL)
        return kind->observes != NULL && kind->observes(pmu);
    return lbr_records(pmu) || bts_records(pmu);
}

unsigned pmu_recorders(const struct pmu *pmu)
{
    if (pmu->parameters->kind != NULL)
        return 0;
    return (lbr_records(pmu) ? RECORDER_LBR : 0u) | (bts_records(pmu) ? RECORDER_BTS : 0u) |
           (trace_records(pmu) ? RECORDER_PT : 0u);
}

void pmu_observe(struct pmu *pmu)
{
    const bool observes = pmu->counting || pmu->pmi_pending || records(pmu);

    if (observes == pmu->observes)
        return;
    pmu->observes = observes;
    if (pmu->host.observes != NULL)
        pmu->host.observes(pmu->host.context, observes);
}

bool pmu_is_told(const struct counter *counter)
{
    const struct pmu_source *source = &counter->source;

    if (source->rate == PER_TSC_TICK || source->rate == PER_CRYSTAL_TICK)
        return model_tells_ahead(source->signal);
    return source->rate == PER_CORE_CYCLE && !counter->core && model_tells_ahead(source->signal) &&
           (!source->plus_weight || model_tells_ahead(source->plus));
}

void pmu_foresee(struct pmu *pmu)
{
    bool foresees = pmu->pmi_pending;
    unsigned i;

    if (pmu->host.foresee == NULL)
        return;
    if (pmu->parameters->kind != NULL)
        foresees = pmu->parameters->kind->foresight != NULL &&
                   pmu->parameters->kind->foresight->wanted(pmu);
    for (i = 0; i < pmu->active_count && !foresees; i++)
        foresees = pmu->active[i]->status & pmu->pmi_mask;
    if (!foresees && !pmu->foresees)
        return;
    pmu->foresees = foresees;
    pmu->host.foresee(pmu->host.context, foresees);
}

void pmu_refresh(struct pmu *pmu)
{
    bool counting = false, sees = false;
    unsigned i;

    if (pmu->parameters->prime[0] != 0 && !pmu->counting)
        look_at_primes(pmu);
    pmu->active_count = pmu->plain_count = 0;
    pmu->access_event_count = 0;
    pmu->pmi_mask = 0;
    for (i = 0; i < pmu->gp_count; i++)
        counting |= refresh_gp(pmu, i, &sees);
    for (i = 0; i < pmu->parameters->fixed; i++)
        counting |= refresh_fixed(pmu, i, &sees);
    pmu->metrics.running =
        pmu->parameters->metrics && pmu->fixed[3].running && pmu->global_ctrl & GLOBAL_PERF_METRICS;
    pebs_refresh(pmu);
    access_filter_refresh(pmu);
    if (!sees)
        pmu_sees(pmu, false);
    if (counting != pmu->counting) {
        pmu->counting = counting;
        pmu->windows += counting;
        if (counting && pmu->storms && !pmu->pmi_pending) {
            pmu->pmi_pending = true;
            pmu->pmi_counters = 0;
            pmu->pmi_due = pmu->unhalted + PMI_STORM_AFTER;
        }
        pmu->host.counting(pmu->host.context, counting);
    }
    pmu_sees(pmu, sees);
    pmu_observe(pmu);
    pmu_foresee(pmu);
}

bool pmu_counter_ill(const struct pmu *pmu, bool fixed, unsigned index, uint64_t *window,
                     bool *changed)
{
    const struct counter *counter = fixed ? &pmu->fixed[index] : &pmu->gp[index];

    *window = counter->first_hit;
    *changed = counter->falsified;
    return counter->first_hit != 0;
}

void pmu_privilege(struct pmu *pmu, unsigned cpl)
{
    pmu->cpl = cpl;
    if (pmu->parameters->kind == NULL) {
        pmu_refresh(pmu);
        return;
    }
    pmu->parameters->kind->refresh(pmu);
    pmu_observe(pmu);
}
