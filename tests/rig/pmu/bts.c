/* Branch trace store: every taken branch in the buffer of the DS area, while IA32_DEBUGCTL.TR and
 * BTS are set. With BTINT the threshold asks for an interrupt and a full buffer takes no more;
 * without it the buffer is a ring. What silicon pays for a record (tens of cycles) is not counted.
 *
 * Source: SDM 3B, "Branch Trace Store (BTS)", "BTS and DS Save Area", "64 Bit Format of the DS Save
 * Area". */
#include "state.h"

#define DEBUGCTL_TR          (UINT64_C(1) << 6)
#define DEBUGCTL_BTS         (UINT64_C(1) << 7)
#define DEBUGCTL_BTINT       (UINT64_C(1) << 8)
#define DEBUGCTL_BTS_OFF_OS  (UINT64_C(1) << 9)
#define DEBUGCTL_BTS_OFF_USR (UINT64_C(1) << 10)
#define DS_BTS_INDEX         0x08
#define FLAG_PREDICTED       (UINT64_C(1) << 4)

struct buffer { /* as it lies at the beginning of the DS area */
    uint64_t base, index, maximum, threshold;
};

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

void bts_branch(struct pmu *pmu, const struct retired_branch *branch)
{
    struct bts_record record = {branch->from, branch->to,
                                branch->mispredicted ? 0 : FLAG_PREDICTED};
    void *context = pmu->host.context;
    struct buffer buffer;

    if (!is_traced(pmu, branch) ||
        !pmu->host.read(context, pmu->pebs.area, &buffer, sizeof(buffer)) ||
        buffer.index < buffer.base || buffer.index + sizeof(record) > buffer.maximum ||
        !pmu->host.write(context, buffer.index, &record, sizeof(record)))
        return;
    buffer.index += sizeof(record);
    if (!(pmu->debugctl & DEBUGCTL_BTINT) && buffer.index + sizeof(record) > buffer.maximum)
        buffer.index = buffer.base;
    pmu->host.write(context, pmu->pebs.area + DS_BTS_INDEX, &buffer.index, sizeof(buffer.index));
    if (pmu->debugctl & DEBUGCTL_BTINT && buffer.index >= buffer.threshold) {
        pmu->global_status |= STATUS_OVF_DS_BUFFER;
        pmu_request(pmu);
    }
}
