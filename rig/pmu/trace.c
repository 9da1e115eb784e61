/* Branch trace store: every taken branch is written to the buffer of the DS area while
 * IA32_DEBUGCTL.TR and BTS are set. With BTINT the threshold requests a PMI and a full buffer takes
 * no more records; without BTINT the buffer is a ring. The tens of cycles that silicon needs for a
 * record are left out.
 *
 * Source: SDM 3B, "Branch Trace Store (BTS)", "BTS and DS Save Area", "64 Bit Format of the DS Save
 * Area". */
#include "trace.h"

#include "ds.h"

#define DEBUGCTL_TR          (UINT64_C(1) << 6)
#define DEBUGCTL_BTS         (UINT64_C(1) << 7)
#define DEBUGCTL_BTINT       (UINT64_C(1) << 8)
#define DEBUGCTL_BTS_OFF_OS  (UINT64_C(1) << 9)
#define DEBUGCTL_BTS_OFF_USR (UINT64_C(1) << 10)
#define DS_BTS_INDEX         0x08
#define FLAG_PREDICTED       (UINT64_C(1) << 4)

struct bts_record {
    uint64_t from, to, flags;
};

bool bts_records(const struct pmu *pmu)
{
    const uint64_t on = DEBUGCTL_TR | DEBUGCTL_BTS;

    return (pmu->debugctl & on) == on;
}

static bool is_traced(const struct pmu *pmu, const struct retired_branch *branch)
{
    return branch->taken && bts_records(pmu) &&
           pmu_level(pmu, !(pmu->debugctl & DEBUGCTL_BTS_OFF_OS),
                     !(pmu->debugctl & DEBUGCTL_BTS_OFF_USR));
}

bool bts_branch(struct pmu *pmu, const struct retired_branch *branch)
{
    struct bts_record record = {branch->from, branch->to,
                                branch->mispredicted ? 0 : FLAG_PREDICTED};
    void *context = pmu->host.context;
    struct ds_buffer buffer;

    if (!is_traced(pmu, branch) ||
        !pmu->host.read(context, pmu->pebs.area, &buffer, sizeof(buffer)) ||
        !ds_has_room(&buffer, sizeof(record)) ||
        !pmu->host.write(context, buffer.index, &record, sizeof(record)))
        return false;
    buffer.index += sizeof(record);
    if (!(pmu->debugctl & DEBUGCTL_BTINT) && !ds_has_room(&buffer, sizeof(record)))
        buffer.index = buffer.base;
    pmu->host.write(context, pmu->pebs.area + DS_BTS_INDEX, &buffer.index, sizeof(buffer.index));
    if (!(pmu->debugctl & DEBUGCTL_BTINT) || buffer.index < buffer.threshold)
        return false;
    pmu->global_status |= STATUS_OVF_DS_BUFFER;
    return true;
}

/* ---- processor trace ---- */

/* Source: SDM 3C, "Intel Processor Trace", "Configuration and Control": while TraceEn is set, a
 * write of any of these registers is a #GP, except a write that clears TraceEn of IA32_RTIT_CTL and
 * changes nothing else, or that changes nothing. */
enum {
    IA32_RTIT_OUTPUT_BASE = 0x560,
    IA32_RTIT_OUTPUT_MASK_PTRS = 0x561,
    IA32_RTIT_CTL = 0x570,
    IA32_RTIT_STATUS = 0x571,
    IA32_RTIT_CR3_MATCH = 0x572,
};

#define RTIT_CTL_TRACE_EN (UINT64_C(1) << 0)
/* TraceEn, CYCEn, OS, User, CR3Filter, ToPA, MTCEn, TSCEn, DisRETC, BranchEn, the three periods: of
 * a part without address ranges, PTWRITE and power events. */
#define CTL_WRITABLE    UINT64_C(0x0f7bef8f)
#define STATUS_WRITABLE UINT64_C(0x30) /* Error, Stopped */
#define MASK_FIXED      UINT64_C(0x7f)

void trace_reset(struct pmu *pmu)
{
    pmu->trace = (struct processor_trace){.mask_pointers = MASK_FIXED};
}

bool trace_records(const struct pmu *pmu)
{
    return pmu->trace.control & RTIT_CTL_TRACE_EN;
}

bool trace_excludes_lbr(const struct pmu *pmu)
{
    return trace_records(pmu) && pmu->parameters->processor_trace == TRACE_WITHOUT_LBR;
}

static uint64_t *register_of(struct processor_trace *trace, uint32_t msr, uint64_t *writable)
{
    switch (msr) {
    case IA32_RTIT_OUTPUT_BASE:
        *writable = ~MASK_FIXED;
        return &trace->base;
    case IA32_RTIT_OUTPUT_MASK_PTRS:
        *writable = UINT64_MAX;
        return &trace->mask_pointers;
    case IA32_RTIT_CTL:
        *writable = CTL_WRITABLE;
        return &trace->control;
    case IA32_RTIT_STATUS:
        *writable = STATUS_WRITABLE;
        return &trace->status;
    case IA32_RTIT_CR3_MATCH:
        *writable = ~UINT64_C(0x1f);
        return &trace->cr3_match;
    default:
        return NULL;
    }
}

enum access_result trace_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    struct processor_trace trace = pmu->trace;
    uint64_t writable;
    const uint64_t *found = register_of(&trace, msr, &writable);

    if (pmu->parameters->processor_trace == TRACE_NONE || found == NULL)
        return ACCESS_NOT_MINE;
    *value = *found;
    return ACCESS_OK;
}

/* Setting TraceEn where LBR is on clears LBR on a part that has not both at once. */
enum access_result trace_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    uint64_t writable, *found = register_of(&pmu->trace, msr, &writable);

    if (pmu->parameters->processor_trace == TRACE_NONE || found == NULL)
        return ACCESS_NOT_MINE;
    if (value & ~writable)
        return ACCESS_FAULT;
    if (trace_records(pmu) &&
        (msr != IA32_RTIT_CTL || (value ^ pmu->trace.control) & ~RTIT_CTL_TRACE_EN))
        return ACCESS_FAULT;
    *found = msr == IA32_RTIT_OUTPUT_MASK_PTRS ? value | MASK_FIXED : value;
    if (trace_excludes_lbr(pmu))
        pmu->debugctl &= ~DEBUGCTL_LBR;
    return ACCESS_OK;
}
