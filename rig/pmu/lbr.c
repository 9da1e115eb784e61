/* The last-branch stack: which taken branches it records, and what a record holds. Its registers
 * are in lbr_registers.c.
 *
 * Sources: SDM 3B, "Last Branch, Interrupt, and Exception Recording" (per microarchitecture),
 * "Filtering of Last Branch Records", "LBR Stack and Call-Stack Mode", "LBR Format"; "Architectural
 * Last Branch Records". */
#include "lbr.h"

#include <string.h>

#define FROM_MISPRED     (UINT64_C(1) << 63) /* formats with flags in the address */
#define TO_CYCLES        48
#define TO_ADDRESS       ((UINT64_C(1) << TO_CYCLES) - 1)
#define INFO_MISPRED     (UINT64_C(1) << 63)
#define INFO_CYCLE_VALID (UINT64_C(1) << 60) /* architectural */
#define INFO_TYPE        56
#define INFO_LOG         32
#define CYCLES_MAX       UINT64_C(0xffff)
#define LOG_COUNTERS     4 /* counters whose events a record can hold, two bits each */
#define LOG_MAX          3
#define REL32_CALL_SIZE  5

/* MSR_LBR_SELECT: a set bit suppresses this kind of branch. */
/* clang-format off */
static const uint64_t suppressed_by[] = {
    [BRANCH_CONDITIONAL]   = SELECT_JCC,
    [BRANCH_JUMP]          = SELECT_NEAR_REL_JMP,
    [BRANCH_JUMP_INDIRECT] = SELECT_NEAR_IND_JMP,
    [BRANCH_CALL]          = SELECT_NEAR_REL_CALL,
    [BRANCH_CALL_INDIRECT] = SELECT_NEAR_IND_CALL,
    [BRANCH_RETURN]        = SELECT_NEAR_RET,
    [BRANCH_FAR]           = SELECT_FAR_BRANCH,
};
/* clang-format on */

/* IA32_LBR_CTL: the bit that enables this kind of branch, and the type in its record. */
/* clang-format off */
static const struct { uint32_t recorded_by; uint8_t type; } architectural[] = {
    [BRANCH_CONDITIONAL]   = { CTL_JCC, 0 },
    [BRANCH_JUMP_INDIRECT] = { CTL_NEAR_IND_JMP, 1 },
    [BRANCH_JUMP]          = { CTL_NEAR_REL_JMP, 2 },
    [BRANCH_CALL_INDIRECT] = { CTL_NEAR_IND_CALL, 3 },
    [BRANCH_CALL]          = { CTL_NEAR_REL_CALL, 4 },
    [BRANCH_RETURN]        = { CTL_NEAR_RET, 5 },
    [BRANCH_FAR]           = { CTL_OTHER, 8 },
};
/* clang-format on */

void lbr_clear(struct lbr *lbr)
{
    memset(lbr->from, 0, sizeof(lbr->from));
    memset(lbr->to, 0, sizeof(lbr->to));
    memset(lbr->info, 0, sizeof(lbr->info));
    lbr->tos = 0;
}

void lbr_reset(struct pmu *pmu)
{
    memset(&pmu->lbr, 0, sizeof(pmu->lbr));
    pmu->lbr.depth = pmu->parameters->lbr.depth;
}

static uint64_t logged_value(const struct pmu *pmu, unsigned index)
{
    return index < pmu->gp_count ? pmu->gp[index].value : 0;
}

void lbr_enabled(struct pmu *pmu)
{
    unsigned i;

    pmu->lbr.last_cycle = pmu->host.now(pmu->host.context);
    for (i = 0; i < LOG_COUNTERS; i++)
        pmu->lbr.last_value[i] = logged_value(pmu, i);
}

/* For each counter with EVTSEL_LBR_LOG: how much it counted since the last record, at most three.
 */
static uint64_t take_log(struct pmu *pmu)
{
    uint32_t can = pmu->parameters->lbr.leaf.ecx >> 16;
    uint64_t bits = 0;
    unsigned i;

    for (i = 0; i < LOG_COUNTERS && i < pmu->gp_count; i++) {
        uint64_t count = (pmu->gp[i].value - pmu->lbr.last_value[i]) & pmu->gp[i].mask;

        pmu->lbr.last_value[i] = pmu->gp[i].value;
        if (can >> i & 1 && pmu->select[i] & EVTSEL_LBR_LOG)
            bits |= (count < LOG_MAX ? count : LOG_MAX) << 2 * i;
    }
    return bits << INFO_LOG;
}

static void encode_legacy(enum lbr_format format, bool missed, uint64_t cycles, uint64_t *from,
                          uint64_t *to, uint64_t *info)
{
    bool flags = format == LBR_FORMAT_EIP_FLAGS || format == LBR_FORMAT_EIP_FLAGS2 ||
                 format == LBR_FORMAT_TIME;

    if (format == LBR_FORMAT_32) {
        *from &= UINT32_MAX;
        *to &= UINT32_MAX;
    }
    if (flags)
        *from = (*from & ~FROM_MISPRED) | (missed ? FROM_MISPRED : 0);
    if (format == LBR_FORMAT_TIME)
        *to = (*to & TO_ADDRESS) | cycles << TO_CYCLES;
    if (format == LBR_FORMAT_INFO || format == LBR_FORMAT_INFO2)
        *info = cycles | (missed ? INFO_MISPRED : 0);
}

static void encode(struct pmu *pmu, const struct retired_branch *branch, uint64_t cycles)
{
    const struct lbr_parameters *parameters = &pmu->parameters->lbr;
    struct lbr *lbr = &pmu->lbr;
    uint64_t from = branch->from, to = branch->to, info = 0;

    if (parameters->architectural) {
        info = (uint64_t)architectural[branch->kind].type << INFO_TYPE | INFO_CYCLE_VALID | cycles |
               take_log(pmu) | (branch->mispredicted ? INFO_MISPRED : 0);
        info &= parameters->info_writable; /* a field that CPUID does not enumerate is 0 */
    } else {
        encode_legacy(parameters->format, branch->mispredicted, cycles, &from, &to, &info);
    }
    lbr->from[lbr->tos] = from;
    lbr->to[lbr->tos] = to;
    lbr->info[lbr->tos] = info;
    lbr->last = (struct branch_record){from, to, info};
}

static void push(struct pmu *pmu, const struct retired_branch *branch)
{
    struct lbr *lbr = &pmu->lbr;
    uint64_t cycles = branch->cycle > lbr->last_cycle ? branch->cycle - lbr->last_cycle : 0;

    lbr->cycle_before = lbr->last_cycle;
    lbr->newest = *branch;
    lbr->last_cycle = branch->cycle;
    lbr->tos = (lbr->tos + 1) % lbr->depth;
    lbr->over = (struct branch_record){lbr->from[lbr->tos], lbr->to[lbr->tos], lbr->info[lbr->tos]};
    encode(pmu, branch, cycles < CYCLES_MAX ? cycles : CYCLES_MAX);
}

/* A return takes the newest call away instead of adding a record. */
static void pop(struct lbr *lbr)
{
    lbr->from[lbr->tos] = 0;
    lbr->to[lbr->tos] = 0;
    lbr->info[lbr->tos] = 0;
    lbr->tos = (lbr->tos + lbr->depth - 1) % lbr->depth;
}

bool lbr_records(const struct pmu *pmu)
{
    return pmu->lbr.depth && (pmu->parameters->lbr.architectural ? pmu->lbr.control & CTL_LBREN
                                                                 : pmu->debugctl & DEBUGCTL_LBR);
}

/* Linux (arch/x86/events/intel/lbr.c) says of Nehalem and Westmere that calls are recorded only if
 * relative and indirect jumps are. */
static bool is_suppressed(const struct pmu *pmu, enum branch_kind kind)
{
    const bool call = kind == BRANCH_CALL || kind == BRANCH_CALL_INDIRECT;
    uint64_t by = suppressed_by[kind];

    if (call && pmu->parameters->lbr.calls_need_jumps)
        by |= SELECT_NEAR_REL_JMP | SELECT_NEAR_IND_JMP;
    return pmu->lbr.select & by;
}

/* A branch that changes the privilege level counts as a branch of the level that it leaves. */
static bool is_recorded(const struct pmu *pmu, const struct retired_branch *branch)
{
    const struct lbr *lbr = &pmu->lbr;

    if (!lbr_records(pmu) || !branch->taken || pmu->global_status & STATUS_LBR_FRZ)
        return false;
    if (pmu->parameters->lbr.architectural)
        return pmu_level(pmu, lbr->control & CTL_OS, lbr->control & CTL_USR) &&
               lbr->control & architectural[branch->kind].recorded_by;
    return pmu_level(pmu, !(lbr->select & SELECT_CPL_EQ_0), !(lbr->select & SELECT_CPL_NEQ_0)) &&
           !is_suppressed(pmu, branch->kind);
}

static bool is_of_calls(const struct pmu *pmu)
{
    return pmu->parameters->lbr.architectural ? pmu->lbr.control & CTL_CALL_STACK
                                              : pmu->lbr.select & SELECT_EN_CALLSTACK;
}

/* A call to the next instruction only reads the instruction pointer: no return will match it. */
static bool is_zero_length(const struct retired_branch *branch)
{
    return branch->kind == BRANCH_CALL && branch->to == branch->from + REL32_CALL_SIZE;
}

void lbr_branch(struct pmu *pmu, const struct retired_branch *branch)
{
    if (!is_recorded(pmu, branch))
        return;
    if (!is_of_calls(pmu))
        push(pmu, branch);
    else if (branch->kind == BRANCH_RETURN)
        pop(&pmu->lbr);
    else if (!is_zero_length(branch))
        push(pmu, branch);
}

void lbr_take_back(struct pmu *pmu, uint64_t cycle)
{
    struct lbr *lbr = &pmu->lbr;

    lbr->takes_back = lbr_records(pmu) && !is_of_calls(pmu) && lbr->newest.cycle == cycle;
    if (!lbr->takes_back)
        return;
    lbr->withheld = lbr->newest;
    lbr->from[lbr->tos] = lbr->over.from;
    lbr->to[lbr->tos] = lbr->over.to;
    lbr->info[lbr->tos] = lbr->over.info;
    lbr->tos = (lbr->tos + lbr->depth - 1) % lbr->depth;
    lbr->last_cycle = lbr->cycle_before;
}

void lbr_again(struct pmu *pmu)
{
    struct lbr *lbr = &pmu->lbr;

    if (!lbr->takes_back)
        return;
    lbr->takes_back = false;
    lbr->withheld.cycle = pmu->host.now(pmu->host.context);
    lbr_branch(pmu, &lbr->withheld);
}
