/* The last-branch stack of the kind with TOS, FROM, TO and INFO registers.
 *
 * Sources: SDM 3B, "Last Branch, Interrupt, and Exception Recording" for processors based on
 * Skylake microarchitecture, "Filtering of Last Branch Records", "LBR Stack and Call-Stack
 * Mode". */
#include <string.h>

#include "pmu_state.h"

enum {
    MSR_LBR_SELECT            = 0x1c8,
    MSR_LASTBRANCH_TOS        = 0x1c9,
    MSR_LASTBRANCH_0_FROM_IP  = 0x680,
    MSR_LASTBRANCH_0_TO_IP    = 0x6c0,
    MSR_LBR_INFO_0            = 0xdc0,
};

/* MSR_LBR_SELECT: a set bit keeps that kind out. */
#define SELECT_CPL_EQ_0      (UINT64_C(1) << 0)
#define SELECT_JCC           (UINT64_C(1) << 2)
#define SELECT_NEAR_REL_CALL (UINT64_C(1) << 3)
#define SELECT_NEAR_IND_CALL (UINT64_C(1) << 4)
#define SELECT_NEAR_RET      (UINT64_C(1) << 5)
#define SELECT_NEAR_IND_JMP  (UINT64_C(1) << 6)
#define SELECT_NEAR_REL_JMP  (UINT64_C(1) << 7)
#define SELECT_FAR_BRANCH    (UINT64_C(1) << 8)
#define SELECT_EN_CALLSTACK  (UINT64_C(1) << 9)

#define INFO_MISPRED   (UINT64_C(1) << 63)
#define INFO_CYCLE_MAX UINT64_C(0xffff)

static const uint64_t suppressed_by[] = {
    [BRANCH_CONDITIONAL]   = SELECT_JCC,
    [BRANCH_JUMP]          = SELECT_NEAR_REL_JMP,
    [BRANCH_JUMP_INDIRECT] = SELECT_NEAR_IND_JMP,
    [BRANCH_CALL]          = SELECT_NEAR_REL_CALL,
    [BRANCH_CALL_INDIRECT] = SELECT_NEAR_IND_CALL,
    [BRANCH_RETURN]        = SELECT_NEAR_RET,
    [BRANCH_FAR]           = SELECT_FAR_BRANCH,
};

void lbr_reset(struct pmu *pmu)
{
    memset(&pmu->lbr, 0, sizeof pmu->lbr);
}

void lbr_enabled(struct pmu *pmu)
{
    pmu->lbr.last_cycle = pmu->host.now(pmu->host.context);
}

/* A return takes the newest call away instead of adding a record. */
static void pop(struct lbr *lbr, unsigned depth)
{
    lbr->from[lbr->tos] = 0;
    lbr->to[lbr->tos] = 0;
    lbr->info[lbr->tos] = 0;
    lbr->tos = (lbr->tos + depth - 1) % depth;
}

static void push(struct lbr *lbr, unsigned depth, const struct retired_branch *branch)
{
    uint64_t cycles = branch->cycle > lbr->last_cycle ? branch->cycle - lbr->last_cycle : 0;

    if (cycles > INFO_CYCLE_MAX)
        cycles = INFO_CYCLE_MAX;
    lbr->last_cycle = branch->cycle;
    lbr->tos = (lbr->tos + 1) % depth;
    lbr->from[lbr->tos] = branch->from;
    lbr->to[lbr->tos] = branch->to;
    lbr->info[lbr->tos] = cycles | (branch->mispredicted ? INFO_MISPRED : 0);
}

void pmu_branch(void *context, const struct retired_branch *branch)
{
    struct pmu *pmu = context;
    struct lbr *lbr = &pmu->lbr;
    unsigned depth = pmu->parameters->lbr.depth;

    if (!depth || !branch->taken || !(pmu->debugctl & DEBUGCTL_LBR) ||
        pmu->global_status & STATUS_LBR_FRZ)
        return;
    /* Everything here runs at CPL 0. */
    if (lbr->select & (SELECT_CPL_EQ_0 | suppressed_by[branch->kind]))
        return;
    if (!(lbr->select & SELECT_EN_CALLSTACK)) {
        push(lbr, depth, branch);
        return;
    }
    if (branch->kind == BRANCH_RETURN)
        pop(lbr, depth);
    else
        push(lbr, depth, branch);
}

/* The entry's field behind an address, or NULL when the address is none of the stack's. */
static uint64_t *entry(struct pmu *pmu, uint32_t msr)
{
    unsigned depth = pmu->parameters->lbr.depth;

    if (msr >= MSR_LASTBRANCH_0_FROM_IP && msr - MSR_LASTBRANCH_0_FROM_IP < depth)
        return &pmu->lbr.from[msr - MSR_LASTBRANCH_0_FROM_IP];
    if (msr >= MSR_LASTBRANCH_0_TO_IP && msr - MSR_LASTBRANCH_0_TO_IP < depth)
        return &pmu->lbr.to[msr - MSR_LASTBRANCH_0_TO_IP];
    if (msr >= MSR_LBR_INFO_0 && msr - MSR_LBR_INFO_0 < depth)
        return &pmu->lbr.info[msr - MSR_LBR_INFO_0];
    return NULL;
}

enum access_result lbr_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const uint64_t *field;

    if (!pmu->parameters->lbr.depth)
        return ACCESS_NOT_MINE;
    if (msr == MSR_LBR_SELECT) {
        *value = pmu->lbr.select;
        return ACCESS_OK;
    }
    if (msr == MSR_LASTBRANCH_TOS) {
        *value = pmu->lbr.tos;
        return ACCESS_OK;
    }
    field = entry((struct pmu *)(uintptr_t)pmu, msr);
    if (!field)
        return ACCESS_NOT_MINE;
    *value = *field;
    return ACCESS_OK;
}

enum access_result lbr_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct lbr_parameters *parameters = &pmu->parameters->lbr;
    uint64_t *field;
    bool info;

    if (!parameters->depth)
        return ACCESS_NOT_MINE;
    if (msr == MSR_LBR_SELECT) {
        if (value & ~parameters->select_writable)
            return ACCESS_FAULT;
        pmu->lbr.select = value;
        return ACCESS_OK;
    }
    if (msr == MSR_LASTBRANCH_TOS) {
        if (value >= parameters->depth)
            return ACCESS_FAULT;
        pmu->lbr.tos = (unsigned)value;
        return ACCESS_OK;
    }
    field = entry(pmu, msr);
    if (!field)
        return ACCESS_NOT_MINE;
    info = msr >= MSR_LBR_INFO_0;
    if (info ? (value & ~parameters->info_writable) != 0 : !msr_canonical(value))
        return ACCESS_FAULT;
    *field = value;
    return ACCESS_OK;
}
