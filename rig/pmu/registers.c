/* The registers of the counters: which addresses exist, which bits may be written, what a write
 * does.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring", "Full-Width Writes to Performance
 * Counter Registers"; addresses and reserved bits from SDM 4, "Architectural MSRs". */
#include "registers.h"

#include "count.h"
#include "lbr.h"
#include "metrics.h"
#include "running.h"
#include "trace.h"

enum {
    IA32_PMC0 = 0x0c1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_DEBUGCTL = 0x1d9,
    IA32_FIXED_CTR0 = 0x309,
    MSR_PERF_METRICS = 0x329,
    IA32_PERF_CAPABILITIES = 0x345,
    IA32_FIXED_CTR_CTRL = 0x38d,
    IA32_PERF_GLOBAL_STATUS = 0x38e,
    IA32_PERF_GLOBAL_CTRL = 0x38f,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390, /* from version 4: IA32_PERF_GLOBAL_STATUS_RESET */
    IA32_PERF_GLOBAL_STATUS_SET = 0x391,
    IA32_PERF_GLOBAL_INUSE = 0x392,
    IA32_A_PMC0 = 0x4c1,
    IA32_PMC_GP0_CTR = 0x1900,
    IA32_PMC_FX0_CTR = 0x1980,
};

static bool in_block(uint32_t msr, uint32_t first, uint32_t count)
{
    return msr >= first && msr - first < count;
}

static uint64_t gp_bits(const struct pmu *pmu)
{
    return (UINT64_C(1) << pmu->gp_count) - 1;
}

static uint64_t fixed_bits(const struct pmu *pmu)
{
    uint64_t all = (UINT64_C(1) << pmu->parameters->fixed) - 1;

    return (all & ~(uint64_t)pmu->parameters->fixed_absent) << GLOBAL_FIXED_SHIFT;
}

static uint64_t counter_bits(const struct pmu *pmu)
{
    return gp_bits(pmu) | fixed_bits(pmu) | (pmu->parameters->metrics ? GLOBAL_PERF_METRICS : 0);
}

static uint64_t global_ctrl_writable(const struct pmu *pmu)
{
    return counter_bits(pmu) | pmu->parameters->global_ctrl_writable;
}

static uint64_t status_writable(const struct pmu *pmu)
{
    return counter_bits(pmu) | pmu->parameters->status_writable;
}

static uint64_t evtsel_writable(const struct pmu *pmu)
{
    return pmu->parameters->evtsel_writable | (pmu->parameters->anythread ? EVTSEL_ANY : 0);
}

static uint64_t fixed_ctrl_writable(const struct pmu *pmu)
{
    uint64_t any = pmu->parameters->anythread ? FIXED_ANY : 0;
    uint64_t field = FIXED_OS | FIXED_USR | FIXED_PMI | any;
    uint64_t writable = pmu->parameters->fixed_ctrl_writable;
    unsigned i;

    for (i = 0; i < pmu->parameters->fixed; i++)
        if (pmu_has_fixed(pmu, i))
            writable |= field << 4 * i;
    return writable;
}

/* SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR": derived from the other registers. */
static uint64_t inuse(const struct pmu *pmu)
{
    uint64_t value = 0;
    unsigned i;

    for (i = 0; i < pmu->gp_count; i++) {
        if (pmu->select[i] & 0xff)
            value |= UINT64_C(1) << i;
        if (pmu->select[i] & EVTSEL_INT)
            value |= INUSE_PMI;
    }
    for (i = 0; i < pmu->parameters->fixed; i++) {
        if (pmu->fixed_ctrl >> 4 * i & (FIXED_OS | FIXED_USR))
            value |= UINT64_C(1) << (GLOBAL_FIXED_SHIFT + i);
        if (pmu->fixed_ctrl >> 4 * i & FIXED_PMI)
            value |= INUSE_PMI;
    }
    return value;
}

static bool exists(const struct pmu *pmu, uint32_t msr)
{
    switch (msr) {
    case MSR_PERF_METRICS:
        return pmu->parameters->metrics;
    case IA32_PERF_GLOBAL_STATUS_SET:
    case IA32_PERF_GLOBAL_INUSE:
        return pmu->parameters->version >= 4;
    case IA32_FIXED_CTR_CTRL:
    case IA32_PERF_GLOBAL_STATUS:
    case IA32_PERF_GLOBAL_CTRL:
    case IA32_PERF_GLOBAL_OVF_CTRL:
        return pmu->parameters->version >= 2;
    case IA32_PERF_CAPABILITIES: /* a record's PDCM bit announces it */
        return pmu->parameters->recorded == NULL || pmu->parameters->capabilities != 0;
    default:
        return true;
    }
}

static enum access_result control_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    if (!exists(pmu, msr))
        return ACCESS_NOT_MINE; /* another register of the family may be there */
    switch (msr) {
    case IA32_DEBUGCTL:
        *value = pmu->debugctl;
        break;
    case MSR_PERF_METRICS:
        *value = metrics_read(pmu);
        break;
    case IA32_PERF_CAPABILITIES:
        *value = pmu->parameters->capabilities;
        break;
    case IA32_FIXED_CTR_CTRL:
        *value = pmu->fixed_ctrl;
        break;
    case IA32_PERF_GLOBAL_STATUS:
        *value = pmu->global_status;
        break;
    case IA32_PERF_GLOBAL_CTRL:
        *value = pmu->global_ctrl;
        break;
    case IA32_PERF_GLOBAL_OVF_CTRL: /* commands hold no value */
    case IA32_PERF_GLOBAL_STATUS_SET:
        *value = 0;
        break;
    case IA32_PERF_GLOBAL_INUSE:
        *value = inuse(pmu);
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}

/* Parts with CPUID leaf 23H give each counter a block of four registers. The first two of a block
 * are other names for the counter at full width and for its event select: gives the older address
 * of the register. */
static uint32_t old_address(const struct pmu *pmu, uint32_t msr)
{
    if (pmu->parameters->max_leaf < CPUID_COUNTERS)
        return msr;
    if (in_block(msr, IA32_PMC_GP0_CTR, 4 * pmu->gp_count) && (msr & 3) < 2)
        return ((msr & 3) ? IA32_PERFEVTSEL0 : IA32_A_PMC0) + (msr - IA32_PMC_GP0_CTR) / 4;
    if (in_block(msr, IA32_PMC_FX0_CTR, 4 * pmu->parameters->fixed) && (msr & 3) == 0)
        return IA32_FIXED_CTR0 + (msr - IA32_PMC_FX0_CTR) / 4;
    return msr;
}

static bool full_width(const struct pmu *pmu)
{
    return pmu->parameters->capabilities & CAPABILITIES_FW_WRITE;
}

static bool is_fixed(const struct pmu *pmu, uint32_t msr)
{
    return msr >= IA32_FIXED_CTR0 && pmu_has_fixed(pmu, msr - IA32_FIXED_CTR0);
}

enum access_result registers_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    msr = old_address(pmu, msr);
    if (in_block(msr, IA32_PMC0, pmu->gp_count))
        *value = pmu->gp[msr - IA32_PMC0].value;
    else if (in_block(msr, IA32_A_PMC0, pmu->gp_count) && full_width(pmu))
        *value = pmu->gp[msr - IA32_A_PMC0].value;
    else if (in_block(msr, IA32_PERFEVTSEL0, pmu->gp_count))
        *value = pmu->select[msr - IA32_PERFEVTSEL0];
    else if (is_fixed(pmu, msr))
        *value = pmu->fixed[msr - IA32_FIXED_CTR0].value;
    else
        return control_read(pmu, msr, value);
    return ACCESS_OK;
}

static enum access_result write_select(struct pmu *pmu, unsigned index, uint64_t value)
{
    if (value & ~evtsel_writable(pmu))
        return ACCESS_FAULT;
    pmu->select[index] = value;
    pmu->gp[index].running = false; /* another event: the edge detector starts anew */
    pmu_refresh(pmu);
    return ACCESS_OK;
}

/* Full width: bits that the counter lacks are reserved. The remainder of a reference clock belongs
 * to the old value. */
static enum access_result write_counter(struct counter *counter, uint64_t value)
{
    if (value & ~counter->mask)
        return ACCESS_FAULT;
    counter->value = value;
    counter->remainder = 0;
    return ACCESS_OK;
}

static enum access_result write_masked(uint64_t *target, uint64_t value, uint64_t writable)
{
    if (value & ~writable)
        return ACCESS_FAULT;
    *target = value;
    return ACCESS_OK;
}

static enum access_result write_debugctl(struct pmu *pmu, uint64_t value)
{
    bool recorded = pmu->debugctl & DEBUGCTL_LBR;

    if (value & ~pmu->parameters->debugctl_writable ||
        (value & DEBUGCTL_LBR && trace_excludes_lbr(pmu)))
        return ACCESS_FAULT;
    pmu->debugctl = value;
    if (!recorded && value & DEBUGCTL_LBR)
        lbr_enabled(pmu);
    return ACCESS_OK;
}

/* Clearing CTR_Frz or LBR_Frz ends the freeze of a PMI. */
static enum access_result status_reset(struct pmu *pmu, uint64_t value)
{
    if (value & ~status_writable(pmu))
        return ACCESS_FAULT;
    if (pmu->global_status & value & STATUS_LBR_FRZ)
        lbr_enabled(pmu);
    if (pmu->parameters->pmi_fault != PMI_STUCK)
        pmu->global_status &= ~value;
    return ACCESS_OK;
}

/* CondChgd can be cleared but not set. Setting an overflow bit requests no PMI. */
static enum access_result status_set(struct pmu *pmu, uint64_t value)
{
    if (value & ~(status_writable(pmu) & ~STATUS_COND_CHGD))
        return ACCESS_FAULT;
    pmu->global_status |= value;
    return ACCESS_OK;
}

static enum access_result control_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    enum access_result result;

    if (!exists(pmu, msr))
        return ACCESS_NOT_MINE;
    switch (msr) {
    case IA32_DEBUGCTL:
        return write_debugctl(pmu, value);
    case MSR_PERF_METRICS:
        return metrics_write(pmu, value);
    case IA32_FIXED_CTR_CTRL:
        result = write_masked(&pmu->fixed_ctrl, value, fixed_ctrl_writable(pmu));
        break;
    case IA32_PERF_GLOBAL_CTRL:
        result = write_masked(&pmu->global_ctrl, value, global_ctrl_writable(pmu));
        break;
    case IA32_PERF_GLOBAL_OVF_CTRL:
        result = status_reset(pmu, value);
        break;
    case IA32_PERF_GLOBAL_STATUS_SET:
        result = status_set(pmu, value);
        break;
    case IA32_PERF_CAPABILITIES:
    case IA32_PERF_GLOBAL_STATUS:
    case IA32_PERF_GLOBAL_INUSE:
        return ACCESS_FAULT; /* read-only */
    default:
        return ACCESS_NOT_MINE;
    }
    if (result == ACCESS_OK)
        pmu_refresh(pmu);
    if (pmu->parameters->pmi_fault == PMI_STUCK && msr == IA32_PERF_GLOBAL_CTRL &&
        pmu->global_status & pmu->pmi_mask)
        pmu_request(pmu, pmu->global_status & pmu->pmi_mask);
    return result;
}

enum access_result registers_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    msr = old_address(pmu, msr);
    if (in_block(msr, IA32_PMC0, pmu->gp_count)) /* EDX is ignored, EAX is sign-extended */
        return write_counter(&pmu->gp[msr - IA32_PMC0],
                             (uint64_t)(int64_t)(int32_t)(uint32_t)value & pmu_gp_mask(pmu));
    if (in_block(msr, IA32_A_PMC0, pmu->gp_count) && full_width(pmu))
        return write_counter(&pmu->gp[msr - IA32_A_PMC0], value);
    if (in_block(msr, IA32_PERFEVTSEL0, pmu->gp_count))
        return write_select(pmu, msr - IA32_PERFEVTSEL0, value);
    if (is_fixed(pmu, msr))
        return write_counter(&pmu->fixed[msr - IA32_FIXED_CTR0], value);
    return control_write(pmu, msr, value);
}
