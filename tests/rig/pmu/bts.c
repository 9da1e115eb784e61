/* Branch trace store: every taken branch is written to the buffer of the DS area while
 * IA32_DEBUGCTL.TR and BTS are set. With BTINT the threshold requests a PMI and a full buffer takes
 * no more records; without BTINT the buffer is a ring. The tens of cycles that silicon needs for a
 * record are left out.
 *
 * Source: SDM 3B, "Branch Trace Store (BTS)", "BTS and DS Save Area", "64 Bit Format of the DS Save
 * Area". */
#include "bts.h"

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
