/* The registers of the AMD kind.
 *
 * Sources: AMD64 Architecture Programmer's Manual volume 2, "Performance Monitoring Counters",
 * "Last Branch Stack Registers"; addresses from the public headers of Linux and LIKWID. A
 * reserved bit in a control register faults; bits above a counter's 48 bits are ignored. */
#include "pmu/clocks.h"
#include "amd_state.h"

enum {
    DEBUGCTL = 0x1d9,
    IRPERF = 0x0e9,
    PERF_CNTR_GLOBAL_STATUS = 0xc0000300,
    PERF_CNTR_GLOBAL_CTL = 0xc0000301,
    PERF_CNTR_GLOBAL_STATUS_CLR = 0xc0000302,
    PERF_CNTR_GLOBAL_STATUS_SET = 0xc0000303,
    LBR_SELECT = 0xc000010e,
    DBG_EXTN_CFG = 0xc000010f,
    MPERF_RO = 0xc00000e7,
    APERF_RO = 0xc00000e8,
    IRPERF_RO = 0xc00000e9,
    PERF_LEGACY_CTL0 = 0xc0010000,
    PERF_LEGACY_CTR0 = 0xc0010004,
    HWCR = 0xc0010015,
    PERF_CTL0 = 0xc0010200,  /* controls at even addresses, counters at odd */
    LBR_FROM_0 = 0xc0010300, /* FROM at even, TO at odd */
};

#define LEGACY_COUNTERS   4
#define CTL_WRITABLE      UINT64_C(0x30fffd7ffff) /* not 19, 21, 39:36, 63:42 */
#define DEBUGCTL_WRITABLE UINT64_C(0x183f)        /* LBR, BTF, PB, freezing */
#define SELECT_WRITABLE   UINT64_C(0x1ff)
#define FROM_WRITABLE     UINT64_MAX
#define TO_WRITABLE       (~(UINT64_C(1) << 61))
#define HWCR_WRITABLE     (HWCR_IRPERF_EN | UINT64_C(1) << 25) /* and CPB_DIS */

/* Registers of Intel's parts that this kind lacks: SMI count, feature control, TSC adjust, thermal
 * interrupts, energy bias, DS area. */
static const uint32_t absent[] = {0x034, 0x03a, 0x03b, 0x19b, 0x1b0, 0x1b2, 0x600};

static bool in_block(uint32_t msr, uint32_t first, uint32_t count)
{
    return msr >= first && msr - first < count;
}

/* The counter that the register belongs to, and whether it is the counter's control; NULL: the
 * register belongs to none. The legacy registers are other names for the first four counters. */
static struct amd_counter *counter_of(const struct pmu *pmu, uint32_t msr, bool *control)
{
    struct amd *amd = amd_of(pmu);

    if (in_block(msr, PERF_LEGACY_CTL0, 2 * LEGACY_COUNTERS)) {
        *control = msr < PERF_LEGACY_CTR0;
        return &amd->counter[(msr - PERF_LEGACY_CTL0) % LEGACY_COUNTERS];
    }
    if (!in_block(msr, PERF_CTL0, 2 * pmu->parameters->amd->counters))
        return NULL;
    *control = !(msr & 1);
    return &amd->counter[(msr - PERF_CTL0) / 2];
}

static uint64_t counter_bits(const struct pmu *pmu)
{
    return (UINT64_C(1) << pmu->parameters->amd->counters) - 1;
}

static uint64_t status_bits(const struct pmu *pmu)
{
    return counter_bits(pmu) | STATUS_LBR_FRZ | STATUS_CTR_FRZ;
}

static enum access_result control_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const struct amd *amd = amd_of(pmu);

    switch (msr) {
    case DEBUGCTL:
        *value = amd->debugctl;
        break;
    case HWCR:
        *value = amd->hwcr;
        break;
    case LBR_SELECT:
        *value = amd->branch_select;
        break;
    case DBG_EXTN_CFG:
        *value = amd->branch_config;
        break;
    case PERF_CNTR_GLOBAL_STATUS:
        *value = amd->global_status;
        break;
    case PERF_CNTR_GLOBAL_CTL:
        *value = amd->global_ctl;
        break;
    case PERF_CNTR_GLOBAL_STATUS_CLR: /* commands hold no value */
    case PERF_CNTR_GLOBAL_STATUS_SET:
        *value = 0;
        break;
    case IRPERF:
    case IRPERF_RO:
        *value = amd->instructions;
        break;
    case MPERF_RO:
        *value = clocks_mperf(pmu);
        break;
    case APERF_RO:
        *value = clocks_aperf(pmu);
        break;
    default:
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}

enum access_result amd_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const struct amd *amd = amd_of(pmu);
    const struct amd_counter *counter;
    bool control;

    if (kind_absent(absent, sizeof(absent) / sizeof(absent[0]), msr))
        return ACCESS_FAULT;
    counter = counter_of(pmu, msr, &control);
    if (counter != NULL)
        *value = control ? counter->control : counter->value;
    else if (in_block(msr, LBR_FROM_0, 2 * pmu->parameters->amd->branches))
        *value = msr & 1 ? amd->to[(msr - LBR_FROM_0) / 2] : amd->from[(msr - LBR_FROM_0) / 2];
    else
        return control_read(pmu, msr, value);
    return ACCESS_OK;
}

static enum access_result put(uint64_t *target, uint64_t value, uint64_t writable)
{
    if (value & ~writable)
        return ACCESS_FAULT;
    *target = value;
    return ACCESS_OK;
}

static enum access_result status_change(struct pmu *pmu, uint64_t value, bool set)
{
    struct amd *amd = amd_of(pmu);

    if (value & ~status_bits(pmu))
        return ACCESS_FAULT;
    amd->global_status = set ? amd->global_status | value : amd->global_status & ~value;
    return ACCESS_OK;
}

static enum access_result control_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    struct amd *amd = amd_of(pmu);

    switch (msr) {
    case DEBUGCTL:
        return put(&amd->debugctl, value, DEBUGCTL_WRITABLE);
    case HWCR:
        return put(&amd->hwcr, value, HWCR_WRITABLE);
    case LBR_SELECT:
        return put(&amd->branch_select, value, SELECT_WRITABLE);
    case DBG_EXTN_CFG:
        return put(&amd->branch_config, value, DBG_EXTN_LBRV2EN);
    case PERF_CNTR_GLOBAL_CTL:
        return put(&amd->global_ctl, value, counter_bits(pmu));
    case PERF_CNTR_GLOBAL_STATUS_CLR:
        return status_change(pmu, value, false);
    case PERF_CNTR_GLOBAL_STATUS_SET:
        return status_change(pmu, value, true);
    case IRPERF:
        amd->instructions = value;
        return ACCESS_OK;
    case PERF_CNTR_GLOBAL_STATUS: /* read only, as the copies of the clocks are */
    case MPERF_RO:
    case APERF_RO:
    case IRPERF_RO:
        return ACCESS_FAULT;
    default:
        return ACCESS_NOT_MINE;
    }
}

static enum access_result write_counter(struct amd_counter *counter, bool control, uint64_t value)
{
    if (!control) {
        counter->value = value & AMD_COUNT_MASK;
        return ACCESS_OK;
    }
    if (put(&counter->control, value, CTL_WRITABLE) != ACCESS_OK)
        return ACCESS_FAULT;
    counter->running = false; /* another event: the edge detector starts anew */
    return ACCESS_OK;
}

enum access_result amd_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    struct amd *amd = amd_of(pmu);
    enum access_result result;
    struct amd_counter *counter;
    bool control;

    if (kind_absent(absent, sizeof(absent) / sizeof(absent[0]), msr))
        return ACCESS_FAULT;
    counter = counter_of(pmu, msr, &control);
    if (counter != NULL)
        result = write_counter(counter, control, value);
    else if (in_block(msr, LBR_FROM_0, 2 * pmu->parameters->amd->branches))
        result = msr & 1 ? put(&amd->to[(msr - LBR_FROM_0) / 2], value, TO_WRITABLE)
                         : put(&amd->from[(msr - LBR_FROM_0) / 2], value, FROM_WRITABLE);
    else
        result = control_write(pmu, msr, value);
    if (result == ACCESS_OK)
        amd_refresh(pmu);
    return result;
}
