/* Every other register: the time stamp counter, the frequency counters, and those that only hold
 * a value. Also the one place where an address finds its owner.
 *
 * Source: SDM 4, "Architectural MSRs", and the tables of the families. */
#include <stdlib.h>

#include "kind.h"
#include "state.h"

enum {
    IA32_TIME_STAMP_COUNTER = 0x010,
    IA32_TSC_ADJUST = 0x03b,
    IA32_MPERF = 0x0e7,
    IA32_APERF = 0x0e8,
};

#define ALL_BITS UINT64_MAX

/* One bank of machine-check registers in which nothing was ever logged: STATUS, ADDR and MISC
 * take a zero only. */
#define MACHINE_CHECK_BANK(n)                                                                      \
    {.address = 0x400 + 4 * (n), .writable = ALL_BITS}, {.address = 0x401 + 4 * (n)},              \
        {.address = 0x402 + 4 * (n)},                                                              \
    {                                                                                              \
        .address = 0x403 + 4 * (n)                                                                 \
    }

#define MACHINE_CHECK_BANKS 4

/* Registers that every personality has, with the same contents. */
/* clang-format off */
static const struct msr_fact common[] = {
    { .address = 0x034, .read_only = true }, /* MSR_SMI_COUNT: there is no SMM here */
    { .address = 0x03a, .read_only = true, .reset = 1 }, /* IA32_FEATURE_CONTROL: locked, no VMX */
    { .address = 0x179, .read_only = true, .reset = MACHINE_CHECK_BANKS }, /* IA32_MCG_CAP */
    { .address = 0x17a, .writable = 0x7 }, /* IA32_MCG_STATUS */
    { .address = 0x19b, .writable = 0x01ffff1f }, /* IA32_THERM_INTERRUPT */
    { .address = 0x1b0, .reset = 6, .writable = 0xf }, /* IA32_ENERGY_PERF_BIAS */
    { .address = 0x1b2, .writable = 0x01ffff17 }, /* IA32_PACKAGE_THERM_INTERRUPT */
    MACHINE_CHECK_BANK(0),
    MACHINE_CHECK_BANK(1),
    MACHINE_CHECK_BANK(2),
    MACHINE_CHECK_BANK(3),
};
/* clang-format on */

#define COMMON_COUNT (sizeof(common) / sizeof(common[0]))

/* Those the machine keeps, because the emulator needs to know them. */
/* clang-format off */
static const struct { uint32_t first, last; } machines[] = {
    { 0x01b, 0x01b },           /* IA32_APIC_BASE */
    { 0x0fe, 0x0fe },           /* IA32_MTRRCAP */
    { 0x174, 0x176 },           /* IA32_SYSENTER_CS, ESP, EIP */
    { 0x200, 0x277 },           /* IA32_MTRR_PHYSBASEn, PHYSMASKn, FIX*, IA32_PAT */
    { 0x2ff, 0x2ff },           /* IA32_MTRR_DEF_TYPE */
    { 0x6e0, 0x6e0 },           /* IA32_TSC_DEADLINE */
    { 0x800, 0x8ff },           /* x2APIC */
    { 0xc0000080, 0xc0000084 }, /* IA32_EFER, STAR, LSTAR, CSTAR, FMASK */
    { 0xc0000100, 0xc0000103 }, /* IA32_FS_BASE, GS_BASE, KERNEL_GS_BASE, TSC_AUX */
};
/* clang-format on */

bool msr_canonical(uint64_t address)
{
    uint64_t high = address >> 47;

    return high == 0 || high == (UINT64_C(1) << 17) - 1;
}

static bool machine_keeps(uint32_t msr)
{
    size_t i;

    for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        if (msr >= machines[i].first && msr <= machines[i].last)
            return true;
    return false;
}

/* Facts are numbered: the common ones first, then the personality's. */
static const struct msr_fact *fact_of(const struct pmu *pmu, size_t index)
{
    return index < COMMON_COUNT ? &common[index] : &pmu->parameters->msrs[index - COMMON_COUNT];
}

size_t msr_count(const struct pmu *pmu)
{
    return COMMON_COUNT + pmu->parameters->msr_count;
}

static bool find_fact(const struct pmu *pmu, uint32_t msr, size_t *index)
{
    for (*index = 0; *index < msr_count(pmu); ++*index)
        if (fact_of(pmu, *index)->address == msr)
            return true;
    return false;
}

bool msr_allocate(struct pmu *pmu)
{
    pmu->msr_value = calloc(msr_count(pmu), sizeof(*pmu->msr_value));
    return pmu->msr_value != NULL;
}

uint64_t msr_held(const struct pmu *pmu, uint32_t msr)
{
    size_t index;

    return find_fact(pmu, msr, &index) ? pmu->msr_value[index] : 0;
}

/* Registers that say what an event counts. */
static bool is_filter(uint32_t msr)
{
    return msr == MSR_OFFCORE_RSP_0 || msr == MSR_OFFCORE_RSP_1 || msr == MSR_PEBS_FRONTEND;
}

void msr_reset(struct pmu *pmu)
{
    size_t i;

    for (i = 0; i < msr_count(pmu); i++)
        pmu->msr_value[i] = fact_of(pmu, i)->reset;
}

static enum access_result clock_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    switch (msr) {
    case IA32_TIME_STAMP_COUNTER:
        *value = pmu_tsc(pmu);
        break;
    case IA32_TSC_ADJUST:
        *value = pmu->tsc_adjust;
        break;
    case IA32_MPERF:
        *value = pmu_ticks(pmu, pmu->unhalted) - pmu->mperf_base;
        break;
    case IA32_APERF:
        *value = pmu->unhalted - pmu->aperf_base;
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}

/* SDM 3B, "Time-Stamp Counter Adjustment": a write to either register moves the other by the
 * same amount. */
static void tsc_move(struct pmu *pmu, uint64_t by)
{
    pmu->tsc_offset += by;
    pmu->tsc_adjust += by;
}

static enum access_result clock_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    switch (msr) {
    case IA32_TIME_STAMP_COUNTER:
        tsc_move(pmu, value - pmu_tsc(pmu));
        break;
    case IA32_TSC_ADJUST:
        tsc_move(pmu, value - pmu->tsc_adjust);
        break;
    /* A write clears, whatever the value. */
    case IA32_MPERF:
        pmu->mperf_base = pmu_ticks(pmu, pmu->unhalted);
        break;
    case IA32_APERF:
        pmu->aperf_base = pmu->unhalted;
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}

static enum access_result fact_write(const struct msr_fact *fact, uint64_t *held, uint64_t value)
{
    if (fact->read_only || (*held ^ value) & ~(fact->writable | fact->ignored))
        return ACCESS_FAULT;
    if (fact->canonical && !msr_canonical(value))
        return ACCESS_FAULT;
    *held = (*held & ~fact->writable) | (value & fact->writable);
    return ACCESS_OK;
}

enum access_result pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    enum access_result result;
    size_t index;

    if (machine_keeps(msr))
        return ACCESS_NOT_MINE;
    result = pmu->parameters->kind != NULL ? pmu->parameters->kind->read(pmu, msr, value)
                                           : pmu_registers_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = lbr_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = pebs_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = clock_read(pmu, msr, value);
    if (result != ACCESS_NOT_MINE)
        return result;
    if (!find_fact(pmu, msr, &index))
        return ACCESS_FAULT;
    *value = pmu->msr_value[index];
    return ACCESS_OK;
}

static enum access_result write_any(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    enum access_result result;
    size_t index;

    result = pmu->parameters->kind != NULL ? pmu->parameters->kind->write(pmu, msr, value)
                                           : pmu_registers_write(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = lbr_write(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = pebs_write(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = clock_write(pmu, msr, value);
    if (result != ACCESS_NOT_MINE)
        return result;
    if (!find_fact(pmu, msr, &index))
        return ACCESS_FAULT;
    result = fact_write(fact_of(pmu, index), &pmu->msr_value[index], value);
    if (result == ACCESS_OK && is_filter(msr) && pmu->parameters->kind == NULL)
        pmu_refresh(pmu);
    return result;
}

enum access_result pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    enum access_result result;

    if (machine_keeps(msr))
        return ACCESS_NOT_MINE;
    result = write_any(pmu, msr, value);
    pmu_observe(pmu);
    return result;
}
