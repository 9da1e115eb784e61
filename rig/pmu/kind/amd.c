/* Counting on AMD parts with six core counters, PerfMonV2 and LbrExtV2.
 *
 * Sources: AMD64 Architecture Programmer's Manual volume 2, "Performance Monitoring Counters",
 * "Last Branch Stack Registers"; volume 3, CPUID Fn8000_0022. Everything here runs as a host
 * with EFER.SVME clear. */
#include <string.h>

#include "amd_state.h"

/* LBR_SELECT: a set bit suppresses this kind of branch. */
#define SELECT_CPL_EQ_0 (UINT64_C(1) << 0)
#define SELECT_CPL_GT_0 (UINT64_C(1) << 1)
static const uint64_t suppressed_by[] = {
    [BRANCH_CONDITIONAL] = UINT64_C(1) << 2,   [BRANCH_CALL] = UINT64_C(1) << 3,
    [BRANCH_CALL_INDIRECT] = UINT64_C(1) << 4, [BRANCH_RETURN] = UINT64_C(1) << 5,
    [BRANCH_JUMP_INDIRECT] = UINT64_C(1) << 6, [BRANCH_JUMP] = UINT64_C(1) << 7,
    [BRANCH_FAR] = UINT64_C(1) << 8,
};

#define FROM_MISPREDICT (UINT64_C(1) << 63)
#define TO_VALID        (UINT64_C(1) << 63)
#define FROM_ADDRESS    (~FROM_MISPREDICT)        /* 57:0, and the sign up to bit 62 */
#define TO_ADDRESS      ((UINT64_C(1) << 61) - 1) /* 57:0, and the sign up to bit 60 */

static const struct amd_event *find_event(const struct pmu *pmu, uint16_t code, uint8_t umask)
{
    const struct amd_parameters *amd = pmu->parameters->amd;

    for (size_t i = 0; i < amd->event_count; i++)
        if (amd->events[i].code == code && amd->events[i].umask == umask)
            return &amd->events[i];
    return NULL;
}

static void remember(struct amd *amd, uint16_t code, uint8_t umask)
{
    for (unsigned i = 0; i < amd->unknown_count; i++)
        if (amd->unknown[i].code == code && amd->unknown[i].umask == umask)
            return;
    if (amd->unknown_count == AMD_UNKNOWN_MAX)
        return;
    amd->unknown[amd->unknown_count].code = code;
    amd->unknown[amd->unknown_count++].umask = umask;
}

/* With GUEST_ONLY alone the counter waits for a guest, and there is none. Both bits together act as
 * neither bit. */
static bool sees_host(uint64_t control)
{
    return !(control & CTL_GUEST_ONLY) || control & CTL_HOST_ONLY;
}

static bool refresh_counter(struct pmu *pmu, unsigned index)
{
    struct amd *amd = amd_of(pmu);
    struct amd_counter *counter = &amd->counter[index];
    uint64_t control = counter->control;
    bool enabled = control & EVTSEL_EN && control & (EVTSEL_OS | EVTSEL_USR) &&
                   amd->global_ctl >> index & 1 && !(amd->global_status & STATUS_CTR_FRZ);
    const struct amd_event *event = find_event(pmu, CTL_CODE(control), CTL_UMASK(control));
    bool running =
        enabled && pmu_level(pmu, control & EVTSEL_OS, control & EVTSEL_USR) && sees_host(control);

    if (running && event == NULL)
        remember(amd, CTL_CODE(control), CTL_UMASK(control));
    running = running && event != NULL;
    if (!running || !counter->running)
        counter->asserted = false;
    if (running)
        counter->source = event->source;
    counter->running = running;
    return enabled;
}

void amd_refresh(struct pmu *pmu)
{
    bool counting = false;

    for (unsigned i = 0; i < pmu->parameters->amd->counters; i++)
        counting |= refresh_counter(pmu, i);
    kind_counting(pmu, counting);
}

/* CNT_MASK n counts cycles in which the event's value is n or more, with INV cycles in which it is
 * less than n; EDGE counts only the first of consecutive such cycles. With CNT_MASK 0 INV has no
 * effect. */
static uint64_t step_of(struct amd_counter *counter, const struct span *span)
{
    const struct pmu_source *source = &counter->source;
    int64_t value = source->weight * (int64_t)span->value[source->signal] +
                    source->plus_weight * (int64_t)span->value[source->plus];
    uint8_t cmask = CTL_CMASK(counter->control);
    bool edge = counter->control & EVTSEL_EDGE, before = counter->asserted, met;

    if (cmask == 0 && !edge)
        return (uint64_t)value * span->cycles;
    met = cmask == 0 ? value > 0 : (value >= cmask) != (bool)(counter->control & EVTSEL_INV);
    counter->asserted = met;
    if (edge)
        return met && !before;
    return met ? span->cycles : 0;
}

static void overflow(struct pmu *pmu, uint64_t counters, bool interrupt)
{
    struct amd *amd = amd_of(pmu);

    amd->global_status |= counters;
    if (!interrupt)
        return;
    if (amd->debugctl & DEBUGCTL_FREEZE_LBRS)
        amd->global_status |= STATUS_LBR_FRZ;
    if (amd->debugctl & DEBUGCTL_FREEZE_PERFMON)
        amd->global_status |= STATUS_CTR_FRZ;
    amd_refresh(pmu);
    pmu->host.pmi(pmu->host.context);
}

static void span(struct pmu *pmu, const struct span *cycles)
{
    struct amd *amd = amd_of(pmu);
    uint64_t overflowed = 0;
    bool interrupt = false;

    if (!cycles->value[SIG_UNHALTED])
        return;
    pmu->unhalted += cycles->cycles;
    if (amd->hwcr & HWCR_IRPERF_EN)
        amd->instructions += cycles->value[SIG_INSTRUCTIONS] * cycles->cycles;
    for (unsigned i = 0; i < pmu->parameters->amd->counters; i++) {
        struct amd_counter *counter = &amd->counter[i];
        uint64_t sum;

        if (!counter->running)
            continue;
        sum = counter->value + step_of(counter, cycles);
        if (sum > AMD_COUNT_MASK) {
            overflowed |= UINT64_C(1) << i;
            interrupt |= (counter->control & EVTSEL_INT) != 0;
        }
        counter->value = sum & AMD_COUNT_MASK;
    }
    if (overflowed)
        overflow(pmu, overflowed, interrupt);
}

/* Only retired branches are recorded, so the speculative bit is never set. */
static void branch(struct pmu *pmu, const struct retired_branch *taken)
{
    struct amd *amd = amd_of(pmu);
    unsigned last = pmu->parameters->amd->branches - 1;

    if (!taken->taken || !(amd->branch_config & DBG_EXTN_LBRV2EN) ||
        amd->global_status & STATUS_LBR_FRZ ||
        amd->branch_select &
            ((pmu->cpl ? SELECT_CPL_GT_0 : SELECT_CPL_EQ_0) | suppressed_by[taken->kind]))
        return;
    memmove(amd->from + 1, amd->from, last * sizeof(amd->from[0]));
    memmove(amd->to + 1, amd->to, last * sizeof(amd->to[0]));
    amd->from[0] = (taken->from & FROM_ADDRESS) | (taken->mispredicted ? FROM_MISPREDICT : 0);
    amd->to[0] = (taken->to & TO_ADDRESS) | TO_VALID;
}

/* The global enables are set, so that software written before PerfMonV2 can count. */
static void reset(struct pmu *pmu)
{
    struct amd *amd = amd_of(pmu);

    memset(amd, 0, sizeof(*amd));
    amd->global_ctl = (UINT64_C(1) << pmu->parameters->amd->counters) - 1;
    amd_refresh(pmu);
}

static uint64_t debugctl(const struct pmu *pmu)
{
    return amd_of(pmu)->debugctl;
}

static void debug_exception(struct pmu *pmu)
{
    amd_of(pmu)->debugctl &= ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
}

/* The stack of branches, and the counter of instructions that needs no enabling. */
static bool observes(const struct pmu *pmu)
{
    const struct amd *amd = amd_of(pmu);

    return amd->branch_config & DBG_EXTN_LBRV2EN || amd->hwcr & HWCR_IRPERF_EN;
}

static enum access_result rdpmc(const struct pmu *pmu, uint32_t index, uint64_t *value)
{
    if (index >= pmu->parameters->amd->counters)
        return ACCESS_FAULT;
    *value = amd_of(pmu)->counter[index].value;
    return ACCESS_OK;
}

static unsigned bits_for(unsigned count)
{
    unsigned bits = 0;

    while (1u << bits < count)
        bits++;
    return bits;
}

/* Bytes of the last-level cache: the slices of all cores. */
static uint32_t last_level(const struct pmu *pmu)
{
    const struct cache_fact *last = &pmu->parameters->caches[pmu->parameters->cache_count - 1];

    return last->ways * last->sets * 64u * pmu->place.cores;
}

/* Leaves 4 and 0AH are Intel's. Fields that depend on the processor's place are filled in. */
static void cpuid(const struct pmu *pmu, uint32_t leaf, struct cpuid_result *result)
{
    unsigned threads = pmu->place.threads_per_core, processors = pmu->place.cores * threads;
    struct cpuid_result none = {0};

    switch (leaf) {
    case 0x4:
    case 0xa:
        *result = none;
        break;
    case 0x80000001: /* CmpLegacy */
        result->ecx |= processors > 1 ? 2 : 0;
        break;
    case 0x80000006: /* the third level, in units of 512 KiB */
        result->edx |= last_level(pmu) >> 19 << 18;
        break;
    case 0x80000008: /* NC, ApicIdCoreIdSize */
        result->ecx = (processors - 1) | bits_for(processors) << 12;
        break;
    case 0x8000001e: /* one node */
        result->eax = pmu->place.apic_id;
        result->ebx = pmu->place.apic_id / threads | (threads - 1) << 8;
        break;
    case 0x80000022: /* PerfMonV2, LbrExtV2, freezing of both on a PMI */
        result->eax = 7;
        result->ebx = pmu->parameters->amd->counters | pmu->parameters->amd->branches << 4;
        break;
    default:
        break;
    }
}

static void report(const struct pmu *pmu, FILE *out)
{
    const struct amd *amd = amd_of(pmu);

    for (unsigned i = 0; i < amd->unknown_count; i++)
        fprintf(out, "cpu %u: event 0x%03x umask 0x%02x counted nothing: unknown\n", pmu->place.cpu,
                amd->unknown[i].code, amd->unknown[i].umask);
}

const struct pmu_kind pmu_amd = {
    .state_size = sizeof(struct amd),
    .reset = reset,
    .refresh = amd_refresh,
    .span = span,
    .branch = branch,
    .read = amd_read,
    .write = amd_write,
    .rdpmc = rdpmc,
    .debugctl = debugctl,
    .debug_exception = debug_exception,
    .cpuid = cpuid,
    .observes = observes,
    .report = report,
};
