/* Registers that only hold a value.
 *
 * Source: SDM 4, "Architectural MSRs", and the tables of the families. */
#include "fact_registers.h"

#include <stdlib.h>

#define ALL_BITS UINT64_MAX

/* One bank of machine-check registers: STATUS, ADDR and MISC accept only a zero. */
#define MACHINE_CHECK_BANK(n)                                                                      \
    {.address = 0x400 + 4 * (n), .writable = ALL_BITS},                                            \
        {.address = 0x401 + 4 * (n), .cleared = true}, {.address = 0x402 + 4 * (n)},               \
    {                                                                                              \
        .address = 0x403 + 4 * (n)                                                                 \
    }

#define IA32_MCG_STATUS 0x17au
#define IA32_MC0_STATUS 0x401u

/* Registers that every personality has, with the same contents. */
/* clang-format off */
static const struct msr_fact common[] = {
    { .address = 0x034, .read_only = true }, /* MSR_SMI_COUNT: there is no SMM here */
    { .address = 0x03a, .read_only = true, .reset = 1 }, /* IA32_FEATURE_CONTROL: locked, no VMX */
    { .address = 0x179, .read_only = true, .reset = MACHINE_CHECK_BANKS }, /* IA32_MCG_CAP */
    { .address = IA32_MCG_STATUS, .writable = 0x7 },
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

/* Of a part whose load events of L3 need it; it has no published name. */
static const struct msr_fact bypass = {.address = MSR_BYPASS, .writable = MSR_BYPASS_OFF};

/* Intel, "Performance Monitoring Impact of Intel Transactional Synchronization Extension Memory
 * Ordering Issue" (604224): bit 0 is RTM_FORCE_ABORT, 0 after a reset. */
static const struct msr_fact force_abort = {.address = MSR_TSX_FORCE_ABORT,
                                            .writable = RTM_FORCE_ABORT};

/* Facts are numbered: the common ones first, then the personality's, then `bypass` and
 * `force_abort` of the parts that have them. */
static const struct msr_fact *fact_of(const struct pmu *pmu, size_t index)
{
    if (index < COMMON_COUNT)
        return &common[index];
    index -= COMMON_COUNT;
    if (index < pmu->parameters->msr_count)
        return &pmu->parameters->msrs[index];
    return index == pmu->parameters->msr_count && pmu->parameters->bypassed_loads ? &bypass
                                                                                  : &force_abort;
}

size_t facts_count(const struct pmu *pmu)
{
    return COMMON_COUNT + pmu->parameters->msr_count + pmu->parameters->bypassed_loads +
           pmu->parameters->tsx_takes_counter;
}

static bool find(const struct pmu *pmu, uint32_t msr, size_t *index)
{
    for (*index = 0; *index < facts_count(pmu); ++*index)
        if (fact_of(pmu, *index)->address == msr)
            return true;
    return false;
}

bool facts_allocate(struct pmu *pmu)
{
    pmu->msr_value = calloc(facts_count(pmu), sizeof(*pmu->msr_value));
    return pmu->msr_value != NULL;
}

void facts_reset(struct pmu *pmu)
{
    for (size_t i = 0; i < facts_count(pmu); i++)
        pmu->msr_value[i] = fact_of(pmu, i)->reset;
}

bool facts_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    size_t index;

    if (!find(pmu, msr, &index))
        return false;
    *value = pmu->msr_value[index];
    return true;
}

uint64_t facts_held(const struct pmu *pmu, uint32_t msr)
{
    uint64_t value;

    return facts_read(pmu, msr, &value) ? value : 0;
}

/* By the processor itself, whatever may be written. */
static void set(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    size_t index;

    if (find(pmu, msr, &index))
        pmu->msr_value[index] = value;
}

void pmu_log_error(struct pmu *pmu, unsigned bank, uint64_t status)
{
    set(pmu, IA32_MC0_STATUS + 4 * bank, status);
}

void pmu_machine_check(struct pmu *pmu, uint64_t status)
{
    set(pmu, IA32_MCG_STATUS, status);
}

/* The bits of the register, which `pmu` has too if it is of the same kind. */
static void share(struct pmu *pmu, uint32_t msr, uint64_t bits, uint64_t value)
{
    size_t index;

    if (find(pmu, msr, &index))
        pmu->msr_value[index] = (pmu->msr_value[index] & ~bits) | (value & bits);
}

static void share_all(struct pmu *pmu, const struct msr_fact *fact, uint64_t value)
{
    struct pmu *other = pmu->package;

    if (pmu->sibling != NULL)
        share(pmu->sibling, fact->address, fact->core, value);
    for (; fact->package != 0 && other != NULL && other != pmu; other = other->package)
        share(other, fact->address, fact->package, value);
}

enum access_result facts_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct msr_fact *fact;
    uint64_t *held;
    size_t index;

    if (!find(pmu, msr, &index))
        return ACCESS_NOT_MINE;
    fact = fact_of(pmu, index);
    held = &pmu->msr_value[index];
    if (fact->cleared && value == 0)
        *held = 0;
    if (fact->read_only || (*held ^ value) & ~(fact->writable | fact->ignored))
        return ACCESS_FAULT;
    if (fact->canonical && !is_canonical(value))
        return ACCESS_FAULT;
    *held = (*held & ~fact->writable) | (value & fact->writable);
    share_all(pmu, fact, *held);
    return ACCESS_OK;
}
