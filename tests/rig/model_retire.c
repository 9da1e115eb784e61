/* What retires in a cycle, as signals, as branches and as truth. */
#include "model_state.h"

static void retire_branch(struct model *model, const struct retiring *entry, struct span *span)
{
    static const enum signal mispredicts[] = {
        [BRANCH_JUMP_INDIRECT] = SIG_MISPREDICTS_INDIRECT,
        [BRANCH_CALL_INDIRECT] = SIG_MISPREDICTS_INDIRECT,
        [BRANCH_RETURN] = SIG_MISPREDICTS_RETURN,
        [BRANCH_CONDITIONAL] = SIG_MISPREDICTS_CONDITIONAL,
    };
    const bool taken = entry->flags & RETIRE_TAKEN;
    uint16_t *value = span->value;

    value[SIG_BRANCHES]++;
    model->truth.branches++;
    span->rare |= entry->kind == BRANCH_FAR || entry->flags & RETIRE_MISPREDICTED;
    if (entry->kind == BRANCH_FAR)
        value[SIG_BRANCHES_FAR]++;
    else if (taken) {
        value[SIG_BRANCHES_TAKEN]++;
        model->truth.taken++;
    }
    switch ((enum branch_kind)entry->kind) {
    case BRANCH_CONDITIONAL:
        value[SIG_BRANCHES_CONDITIONAL]++;
        value[taken ? SIG_BRANCHES_CONDITIONAL_TAKEN : SIG_BRANCHES_NOT_TAKEN]++;
        break;
    case BRANCH_CALL_INDIRECT:
    case BRANCH_CALL:
        value[SIG_BRANCHES_CALL]++;
        break;
    case BRANCH_RETURN:
        value[SIG_BRANCHES_RETURN]++;
        break;
    case BRANCH_JUMP_INDIRECT:
        value[SIG_BRANCHES_INDIRECT]++;
        break;
    case BRANCH_JUMP:
    case BRANCH_FAR:
        break;
    }
    if (entry->flags & RETIRE_MISPREDICTED) {
        value[SIG_MISPREDICTS]++;
        model->truth.mispredicts++;
        if (taken)
            value[SIG_MISPREDICTS_TAKEN]++;
        value[SIG_MISPREDICTS_CONDITIONAL_TAKEN] =
            (uint16_t)(value[SIG_MISPREDICTS_CONDITIONAL_TAKEN] +
                       (taken && entry->kind == BRANCH_CONDITIONAL));
        value[SIG_MISPREDICTS_CALL_INDIRECT] = (uint16_t)(value[SIG_MISPREDICTS_CALL_INDIRECT] +
                                                          (entry->kind == BRANCH_CALL_INDIRECT));
        if (entry->kind != BRANCH_JUMP && entry->kind != BRANCH_CALL && entry->kind != BRANCH_FAR)
            value[mispredicts[entry->kind]]++;
    }
}

static void retire_load(const struct retiring *entry, struct span *span)
{
    const enum level level = entry->level;
    uint16_t *value = span->value;

    span->rare |= level != LEVEL_L1;
    switch (level) {
    case LEVEL_L1:
        value[SIG_LOADS_L1_HIT]++;
        return;
    case LEVEL_FILL_BUFFER:
        value[SIG_LOADS_FB_HIT]++;
        return;
    case LEVEL_L2:
        value[SIG_LOADS_L2_HIT]++;
        break;
    case LEVEL_L3:
        value[SIG_LOADS_L2_MISS]++;
        value[SIG_LOADS_L3_HIT]++;
        if (entry->served == LATE_SHARED)
            value[SIG_LOADS_XSNP_HIT]++;
        if (entry->served == LATE_CONTESTED)
            value[SIG_LOADS_XSNP_HITM]++;
        value[SIG_LLC_REFERENCES]++;
        break;
    case LEVEL_MEMORY:
        value[SIG_LOADS_L2_MISS]++;
        value[SIG_LOADS_L3_MISS]++;
        value[SIG_LLC_REFERENCES]++;
        value[SIG_LLC_MISSES]++;
        break;
    }
    value[SIG_LOADS_L1_MISS]++;
}

/* What a load or store met on its way. */
static void retire_access(const struct retiring *entry, uint16_t *value)
{
    value[SIG_SPLIT_LOADS] =
        (uint16_t)(value[SIG_SPLIT_LOADS] + ((entry->flags & RETIRE_SPLIT_LOAD) != 0));
    value[SIG_SPLIT_STORES] =
        (uint16_t)(value[SIG_SPLIT_STORES] + ((entry->flags & RETIRE_SPLIT_STORE) != 0));
    value[SIG_RFOS_XSNP_HITM] =
        (uint16_t)(value[SIG_RFOS_XSNP_HITM] + ((entry->flags & RETIRE_RFO_HITM) != 0));
    value[SIG_LOCK_LOADS] = (uint16_t)(value[SIG_LOCK_LOADS] + ((entry->flags & RETIRE_LOCK) != 0));
    value[SIG_FORWARD_BLOCKED] =
        (uint16_t)(value[SIG_FORWARD_BLOCKED] + ((entry->flags & RETIRE_FORWARD_BLOCKED) != 0));
    value[SIG_ADDRESS_ALIAS] =
        (uint16_t)(value[SIG_ADDRESS_ALIAS] + ((entry->flags & RETIRE_ALIAS) != 0));
    value[SIG_SPLIT_BLOCKED] =
        (uint16_t)(value[SIG_SPLIT_BLOCKED] + ((entry->flags & RETIRE_SPLIT_BLOCKED) != 0));
}

static void tell_branch(struct model *model, const struct retiring *entry)
{
    const struct retired_branch branch = {
        .from = entry->from,
        .to = entry->to,
        .cycle = entry->cycle,
        .kind = entry->kind,
        .taken = entry->flags & RETIRE_TAKEN,
        .mispredicted = entry->flags & RETIRE_MISPREDICTED,
    };

    if (is_shared(model)) {
        smt_branch(model, &branch);
        return;
    }
    span_flush(model);
    model->sink.branch(model->sink.context, &branch);
}

/* What is told of a few instructions only. */
static void retire_rare(struct model *model, const struct retiring *entry, struct span *span)
{
    const unsigned flags = entry->flags;
    uint16_t *value = span->value;

    span->rare |= entry->flops ||
                  flags & (RETIRE_ACCESS | RETIRE_LOAD_WALK | RETIRE_STORE_WALK | RETIRE_NOTED);
    if (flags & RETIRE_NOP)
        value[SIG_NOPS_RETIRED]++;
    if (flags & RETIRE_FUSED)
        value[SIG_MACRO_FUSED]++;
    if (flags & RETIRE_LOAD) {
        value[SIG_LOADS]++;
        model->truth.loads++;
    }
    if ((flags & RETIRE_INSTRUCTION) && (flags & RETIRE_LEVELLED))
        retire_load(entry, span);
    if (flags & RETIRE_STORE) {
        value[SIG_STORES]++;
        model->truth.stores++;
    }
    if ((flags & RETIRE_INSTRUCTION) && (flags & RETIRE_ACCESS))
        retire_access(entry, value);
    if (flags & RETIRE_LOAD_WALK)
        value[SIG_DTLB_LOAD_WALKS]++;
    if (flags & RETIRE_STORE_WALK)
        value[SIG_DTLB_STORE_WALKS]++;
    if (entry->flops | (flags & RETIRE_NOTED))
        notes_retire(entry, value);
    if (flags & RETIRE_BRANCH) {
        retire_branch(model, entry, span);
        tell_branch(model, entry);
    }
}

void cycle_retire(struct model *model, struct span *span)
{
    unsigned instructions = 0, uops = 0, heavy = 0;
    uint16_t *value = span->value;

    while (model->retire_head != model->retire_tail) {
        const struct retiring *entry = &model->retiring[model->retire_head % RETIRING];

        if (entry->cycle > model->now)
            break;
        model->retire_head++;
        instructions += (entry->flags & RETIRE_INSTRUCTION) != 0;
        model->truth.instructions += (entry->flags & RETIRE_INSTRUCTION) != 0;
        uops += entry->uops;
        heavy += entry->heavy;
        if (listened(model) && entry->flags & RETIRE_INSTRUCTION)
            listen_retired(model, model->retire_head - 1);
        if ((entry->flags & ~(unsigned)RETIRE_INSTRUCTION) | entry->flops)
            retire_rare(model, entry, span);
    }
    value[SIG_INSTRUCTIONS] = (uint16_t)instructions;
    value[SIG_UOPS_RETIRED_UNFUSED] = (uint16_t)uops;
    value[SIG_SLOTS_HEAVY] = (uint16_t)heavy;
}

/* What is a byte of a sum: more of anything than 15 an entry, 16 entries a cycle, or another thing
 * is not told. */
#define SUM_ENTRIES 16u
#define SUM_MOST    15u
#define SUM_FLAGS                                                                                  \
    (RETIRE_INSTRUCTION | RETIRE_NOP | RETIRE_FUSED | RETIRE_LOAD | RETIRE_STORE | RETIRE_BRANCH | \
     RETIRE_TAKEN | RETIRE_CONDITIONAL | RETIRE_LEVELLED)
#define ONE(byte) (1ull << 8 * (byte))

static bool is_summed(const struct retiring *entry)
{
    return !(entry->flags & ~(unsigned)SUM_FLAGS) && entry->flops == 0 &&
           entry->uops <= SUM_MOST && entry->heavy <= SUM_MOST &&
           (!(entry->flags & RETIRE_LEVELLED) ||
            (entry->level == LEVEL_L1 && entry->flags & RETIRE_INSTRUCTION));
}

bool retire_sums(const struct model *model, uint64_t *sums, uint64_t *end)
{
    uint64_t at = model->retire_head, sum = 0, branches = 0;

    for (; at != model->retire_tail; at++) {
        const struct retiring *entry = &model->retiring[at % RETIRING];
        const uint64_t flags = entry->flags;

        if (entry->cycle > model->now)
            break;
        if (!is_summed(entry) || at - model->retire_head == SUM_ENTRIES)
            return false;
        sum += (flags & RETIRE_INSTRUCTION) + (uint64_t)entry->uops * ONE(1) +
               (uint64_t)entry->heavy * ONE(2);
        if (flags == RETIRE_INSTRUCTION)
            continue;
        sum += ((flags & RETIRE_NOP) != 0) * ONE(3) + ((flags & RETIRE_FUSED) != 0) * ONE(4) +
               ((flags & RETIRE_LOAD) != 0) * ONE(5) + ((flags & RETIRE_STORE) != 0) * ONE(6) +
               ((flags & RETIRE_LEVELLED) != 0) * ONE(7);
        if (flags & RETIRE_BRANCH)
            branches += ONE(entry->kind) + ((flags & RETIRE_TAKEN) != 0) *
                                               (entry->kind == BRANCH_CONDITIONAL ? ONE(7) : 0);
    }
    sums[0] = sum;
    sums[1] = branches;
    *end = at;
    return true;
}

void retire_until(struct model *model, uint64_t end)
{
    for (; model->retire_head != end; model->retire_head++) {
        const struct retiring *entry = &model->retiring[model->retire_head % RETIRING];

        if (entry->flags & RETIRE_BRANCH)
            tell_branch(model, entry);
    }
}
