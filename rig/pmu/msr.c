/* RDMSR, WRMSR and RDPMC: the one place where a register is found by its number.
 *
 * Source: SDM 2B, "RDPMC". */
#include "msr.h"

#include "clocks.h"
#include "fact_registers.h"
#include "kind.h"
#include "lbr.h"
#include "metrics.h"
#include "pebs.h"
#include "registers.h"
#include "running.h"
#include "state.h"
#include "trace.h"

/* Registers that the machine keeps, because the emulator uses them. */
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

static bool machine_keeps(uint32_t msr)
{
    size_t i;

    for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        if (msr >= machines[i].first && msr <= machines[i].last)
            return true;
    return false;
}

/* Registers that say what an event counts. */
static bool is_filter(uint32_t msr)
{
    return msr == MSR_OFFCORE_RSP_0 || msr == MSR_OFFCORE_RSP_1 || msr == MSR_PEBS_FRONTEND;
}

static enum access_result counters_read(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    return kind != NULL ? kind->read(pmu, msr, value) : registers_read(pmu, msr, value);
}

enum access_result pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    enum access_result result;

    if (machine_keeps(msr))
        return ACCESS_NOT_MINE;
    result = counters_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = lbr_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = pebs_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = trace_read(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = clocks_read(pmu, msr, value);
    if (result != ACCESS_NOT_MINE)
        return result;
    return facts_read(pmu, msr, value) ? ACCESS_OK : ACCESS_FAULT;
}

static enum access_result counters_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    return kind != NULL ? kind->write(pmu, msr, value) : registers_write(pmu, msr, value);
}

/* IA32_PEBS_ENABLE also enables load latency and precise stores, so the write may change what
 * counts. */
static enum access_result sampling_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const enum access_result result = pebs_write(pmu, msr, value);

    if (result == ACCESS_OK && pmu->parameters->kind == NULL)
        pmu_refresh(pmu);
    return result;
}

static enum access_result write_any(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    enum access_result result = counters_write(pmu, msr, value);

    if (result == ACCESS_NOT_MINE)
        result = lbr_write(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = sampling_write(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = trace_write(pmu, msr, value);
    if (result == ACCESS_NOT_MINE)
        result = clocks_write(pmu, msr, value);
    if (result != ACCESS_NOT_MINE)
        return result;
    result = facts_write(pmu, msr, value);
    if (result == ACCESS_OK && is_filter(msr) && pmu->parameters->kind == NULL)
        pmu_refresh(pmu);
    return result == ACCESS_NOT_MINE ? ACCESS_FAULT : result;
}

enum access_result pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    enum access_result result;

    if (machine_keeps(msr))
        return ACCESS_NOT_MINE;
    result = write_any(pmu, msr, value);
    pmu_observe(pmu);
    pmu_foresee(pmu);
    return result;
}

/* With METRICS_CLEAR set, a read also clears the slots. */
static uint64_t read_metrics(struct pmu *pmu)
{
    uint64_t value = metrics_read(pmu);

    if (pmu->fixed_ctrl & FIXED_METRICS_CLEAR) {
        pmu->fixed[3].value = 0;
        metrics_write(pmu, 0);
    }
    return value;
}

/* The type is in ECX[31:16], the number in ECX[15:0]. */
enum access_result pmu_rdpmc(struct pmu *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
                             uint64_t *value)
{
    uint32_t type = index >> 16, which = index & 0xffff;
    bool user = cpl > 0;

    if (user && !cr4_pce)
        return ACCESS_FAULT;
    if (pmu->parameters->kind != NULL)
        return pmu->parameters->kind->rdpmc(pmu, index, value);
    if (type == 0 && which < pmu->gp_count)
        *value = user && pmu->select[which] & EVTSEL_USER_DISABLE ? 0 : pmu->gp[which].value;
    else if (type == 0x4000 && pmu_has_fixed(pmu, which))
        *value = user && pmu->fixed_ctrl >> (FIXED_USER_DISABLE + 4 * which) & 1
                     ? 0
                     : pmu->fixed[which].value;
    else if (type == 0x2000 && which == 0 && pmu->parameters->metrics)
        *value = read_metrics(pmu);
    else
        return ACCESS_FAULT;
    return ACCESS_OK;
}
