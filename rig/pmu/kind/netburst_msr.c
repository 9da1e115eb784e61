/* The registers of the NetBurst kind: which exist, which bits may be written, what a write does.
 *
 * Sources: SDM 3B, "ESCR MSRs", "CCCR MSRs", "Performance Counters", "At-Retirement Counting";
 * SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors". This is a part of model 3 or later:
 * IQ_ESCR0 and 1 do not exist unless a record's signature says that it is older; the branch stack
 * has 16 entries. */
#include "pmu/fact_registers.h"
#include "netburst_state.h"

enum {
    MSR_BPU_COUNTER0 = 0x300,
    MSR_BPU_CCCR0 = 0x360,
    MSR_IQ_ESCR0 = 0x3ba,
    MSR_IQ_ESCR1 = 0x3bb,
    MSR_TC_PRECISE_EVENT = 0x3f0,
    MSR_PEBS_ENABLE = 0x3f1,
    MSR_PEBS_MATRIX_VERT = 0x3f2,
    IA32_MISC_ENABLE = 0x1a0,
    MSR_LER_FROM_LIP = 0x1d7,
    MSR_LER_TO_LIP = 0x1d8,
    MSR_DEBUGCTLA = 0x1d9,
    MSR_LASTBRANCH_TOS = 0x1da,
    MSR_LASTBRANCH_0 = 0x1db, /* of early models, in place of the two blocks below */
    MSR_LASTBRANCH_0_FROM_IP = 0x680,
    MSR_LASTBRANCH_0_TO_IP = 0x6c0,
};

#define ESCR_WRITABLE      UINT64_C(0x7ffffffc) /* without the two bits of the second thread */
#define ESCR_WRITABLE_HT   UINT64_C(0x7fffffff)
#define CCCR_WRITABLE      UINT64_C(0xc7fff000)
#define MATRIX_WRITABLE    UINT64_C(0x1fff)
#define PEBS_WRITABLE      UINT64_C(0x03019fff) /* 12:0, 16:15, 24, 25 */
#define PEBS_OTHER_THREAD  (UINT64_C(1) << 26)
#define PEBS_UNAVAILABLE   (UINT64_C(1) << 12) /* IA32_MISC_ENABLE */
#define DEBUGCTLA_WRITABLE UINT64_C(0x7f)

/* Registers of later parts that this kind lacks: SMI count, feature control, TSC adjust, MPERF and
 * APERF, energy bias, package thermal interrupt. */
static const uint32_t absent[] = {0x034, 0x03a, 0x03b, 0x0e7, 0x0e8, 0x1b0, 0x1b2};

/* SDM 3B, table of the ESCRs: IQ_ESCR0 and 1 are on models before 3. */
static bool exists(const struct pmu *pmu, uint32_t msr)
{
    return (msr != MSR_IQ_ESCR0 && msr != MSR_IQ_ESCR1) || netburst_is_early(pmu);
}

static int escr_index(const struct pmu *pmu, uint32_t msr)
{
    for (int i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].address == msr)
            return exists(pmu, msr) ? i : -1;
    return -1;
}

static bool in_block(uint32_t msr, uint32_t first, uint32_t count)
{
    return msr >= first && msr - first < count;
}

static uint64_t cccr_writable(const struct pmu *pmu, unsigned index)
{
    bool cascades = index == 12 || index >= 15;

    return CCCR_WRITABLE | (cascades ? CCCR_EXTENDED : 0) |
           (netburst_hyperthreaded(pmu) ? CCCR_OVF_PMI_T1 : 0);
}

/* Where the entry is that an early model keeps in one register: where from in bits 31:0, where to
 * in bits 63:32 (SDM 3B, layout of MSR_LASTBRANCH_0 to 3). -1: the register is not one of these. */
static int early_entry(const struct pmu *pmu, uint32_t msr)
{
    return netburst_is_early(pmu) && in_block(msr, MSR_LASTBRANCH_0, netburst_branches(pmu))
               ? (int)(msr - MSR_LASTBRANCH_0)
               : -1;
}

static bool is_missing(const struct pmu *pmu, uint32_t msr)
{
    return kind_absent(absent, sizeof(absent) / sizeof(absent[0]), msr) ||
           (netburst_is_early(pmu) && (in_block(msr, MSR_LASTBRANCH_0_FROM_IP, NETBURST_BRANCHES) ||
                                       in_block(msr, MSR_LASTBRANCH_0_TO_IP, NETBURST_BRANCHES)));
}

enum access_result netburst_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const struct netburst *netburst = netburst_of(pmu);
    int escr = escr_index(pmu, msr), entry = early_entry(pmu, msr);

    if (is_missing(pmu, msr))
        return ACCESS_FAULT;
    if (escr >= 0)
        *value = netburst->escr[escr];
    else if (entry >= 0)
        *value = netburst_own(pmu)->to[entry] << 32 | (uint32_t)netburst_own(pmu)->from[entry];
    else if (in_block(msr, MSR_BPU_COUNTER0, NETBURST_COUNTERS))
        *value = netburst->counter[msr - MSR_BPU_COUNTER0].value;
    else if (in_block(msr, MSR_BPU_CCCR0, NETBURST_COUNTERS))
        *value = netburst->counter[msr - MSR_BPU_CCCR0].cccr;
    else if (in_block(msr, MSR_LASTBRANCH_0_FROM_IP, NETBURST_BRANCHES))
        *value = netburst_own(pmu)->from[msr - MSR_LASTBRANCH_0_FROM_IP];
    else if (in_block(msr, MSR_LASTBRANCH_0_TO_IP, NETBURST_BRANCHES))
        *value = netburst_own(pmu)->to[msr - MSR_LASTBRANCH_0_TO_IP];
    else if (msr == MSR_LASTBRANCH_TOS)
        *value = netburst_own(pmu)->tos;
    else if (msr == IA32_MISC_ENABLE) /* sampling works for one thread only */
        *value = facts_held(pmu, msr) | (netburst_hyperthreaded(pmu) ? PEBS_UNAVAILABLE : 0);
    else if (msr == MSR_LER_FROM_LIP)
        *value = netburst_own(pmu)->event.from;
    else if (msr == MSR_LER_TO_LIP)
        *value = netburst_own(pmu)->event.to;
    else if (msr == MSR_DEBUGCTLA)
        *value = netburst_own(pmu)->debugctl;
    else if (msr == MSR_TC_PRECISE_EVENT)
        *value = netburst->precise_event;
    else if (msr == MSR_PEBS_ENABLE)
        *value = netburst->pebs_enable;
    else if (msr == MSR_PEBS_MATRIX_VERT)
        *value = netburst->pebs_matrix;
    else
        return ACCESS_NOT_MINE;
    return ACCESS_OK;
}

static enum access_result put(struct pmu *pmu, uint32_t *target, uint64_t value, uint64_t writable)
{
    if (value & ~writable)
        return ACCESS_FAULT;
    *target = (uint32_t)value;
    netburst_refresh(pmu);
    return ACCESS_OK;
}

/* A write ends what a cascade started, and a PMI that was due is lost. */
static enum access_result write_cccr(struct pmu *pmu, unsigned index, uint64_t value)
{
    struct netburst_counter *counter = &netburst_of(pmu)->counter[index];

    if (value & ~cccr_writable(pmu, index))
        return ACCESS_FAULT;
    counter->started = false;
    counter->pmi_due = false;
    counter->running = false;
    return put(pmu, &counter->cccr, value, cccr_writable(pmu, index));
}

static enum access_result write_branch(uint64_t *entry, uint64_t value)
{
    if (!is_canonical(value))
        return ACCESS_FAULT;
    *entry = value;
    return ACCESS_OK;
}

static enum access_result write_early(struct netburst_thread *thread, int entry, uint64_t value)
{
    thread->from[entry] = (uint32_t)value;
    thread->to[entry] = value >> 32;
    return ACCESS_OK;
}

static enum access_result write_tos(const struct pmu *pmu, uint64_t value)
{
    if (value >= netburst_branches(pmu))
        return ACCESS_FAULT;
    netburst_own(pmu)->tos = (unsigned)value;
    return ACCESS_OK;
}

static enum access_result write_counter(struct pmu *pmu, struct netburst_counter *counter,
                                        uint64_t value)
{
    if (value & ~NETBURST_COUNT_MASK)
        return ACCESS_FAULT;
    counter->value = value;
    netburst_refresh(pmu);
    return ACCESS_OK;
}

enum access_result netburst_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    struct netburst *netburst = netburst_of(pmu);
    bool ht = netburst_hyperthreaded(pmu);
    int escr = escr_index(pmu, msr), entry = early_entry(pmu, msr);

    if (is_missing(pmu, msr))
        return ACCESS_FAULT;
    if (entry >= 0)
        return write_early(netburst_own(pmu), entry, value);
    if (escr >= 0)
        return put(pmu, &netburst->escr[escr], value, ht ? ESCR_WRITABLE_HT : ESCR_WRITABLE);
    if (in_block(msr, MSR_BPU_COUNTER0, NETBURST_COUNTERS))
        return write_counter(pmu, &netburst->counter[msr - MSR_BPU_COUNTER0], value);
    if (in_block(msr, MSR_BPU_CCCR0, NETBURST_COUNTERS))
        return write_cccr(pmu, msr - MSR_BPU_CCCR0, value);
    if (in_block(msr, MSR_LASTBRANCH_0_FROM_IP, NETBURST_BRANCHES))
        return write_branch(&netburst_own(pmu)->from[msr - MSR_LASTBRANCH_0_FROM_IP], value);
    if (in_block(msr, MSR_LASTBRANCH_0_TO_IP, NETBURST_BRANCHES))
        return write_branch(&netburst_own(pmu)->to[msr - MSR_LASTBRANCH_0_TO_IP], value);
    if (msr == MSR_LASTBRANCH_TOS)
        return write_tos(pmu, value);
    if (msr == MSR_LER_FROM_LIP || msr == MSR_LER_TO_LIP)
        return ACCESS_FAULT; /* read-only */
    if (msr == MSR_DEBUGCTLA)
        return put(pmu, &netburst_own(pmu)->debugctl, value, DEBUGCTLA_WRITABLE);
    if (msr == MSR_TC_PRECISE_EVENT)
        return put(pmu, &netburst->precise_event, value, UINT32_MAX);
    if (msr == MSR_PEBS_ENABLE)
        return put(pmu, &netburst->pebs_enable, value,
                   PEBS_WRITABLE | (ht ? PEBS_OTHER_THREAD : 0));
    if (msr == MSR_PEBS_MATRIX_VERT)
        return put(pmu, &netburst->pebs_matrix, value, MATRIX_WRITABLE);
    return ACCESS_NOT_MINE;
}
