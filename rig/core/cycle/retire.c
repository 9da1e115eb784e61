/* What retires in a cycle: signals, reports of branches, truth. */
#include "retire.h"

#include "access_events.h"
#include "notes.h"
#include "smt.h"
#include "spans.h"

static void retire_branch(const struct retiring *entry, struct span *span)
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
    span->rare |= entry->kind == BRANCH_FAR || entry->flags & RETIRE_MISPREDICTED;
    if (entry->kind == BRANCH_FAR)
        value[SIG_BRANCHES_FAR]++;
    else if (taken)
        value[SIG_BRANCHES_TAKEN]++;
    switch ((enum branch_kind)entry->kind) {
    case BRANCH_CONDITIONAL:
        value[SIG_BRANCHES_CONDITIONAL]++;
        value[taken ? SIG_BRANCHES_CONDITIONAL_TAKEN : SIG_BRANCHES_NOT_TAKEN]++;
        break;
    case BRANCH_CALL_INDIRECT:
        span->rare = true;
        value[SIG_BRANCHES_CALL_INDIRECT]++;
        value[SIG_BRANCHES_CALL]++;
        break;
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
        value[entry->served == LATE_FAR_MEMORY      ? SIG_LOADS_REMOTE_DRAM
              : entry->served == LATE_FAR_SHARED    ? SIG_LOADS_REMOTE_CLEAN
              : entry->served == LATE_FAR_CONTESTED ? SIG_LOADS_REMOTE_MODIFIED
                                                    : SIG_LOADS_LOCAL_DRAM]++;
        value[SIG_LLC_REFERENCES]++;
        value[SIG_LLC_MISSES]++;
        break;
    }
    value[SIG_LOADS_L1_MISS]++;
}

/* Signals of what happened to a load or store on its way. */
static void retire_access(const struct retiring *entry, uint16_t *value)
{
    value[SIG_SPLIT_LOADS] =
        (uint16_t)(value[SIG_SPLIT_LOADS] + ((entry->flags & RETIRE_SPLIT_LOAD) != 0));
    value[SIG_SPLIT_STORES] =
        (uint16_t)(value[SIG_SPLIT_STORES] + ((entry->flags & RETIRE_SPLIT_STORE) != 0));
    value[SIG_RFOS_XSNP_HITM] =
        (uint16_t)(value[SIG_RFOS_XSNP_HITM] + ((entry->flags & RETIRE_RFO_HITM) != 0));
    value[SIG_RFOS_REMOTE_MODIFIED] =
        (uint16_t)(value[SIG_RFOS_REMOTE_MODIFIED] + ((entry->flags & RETIRE_RFO_REMOTE) != 0));
    value[SIG_LOCK_LOADS] = (uint16_t)(value[SIG_LOCK_LOADS] + ((entry->flags & RETIRE_LOCK) != 0));
    value[SIG_FORWARD_BLOCKED] =
        (uint16_t)(value[SIG_FORWARD_BLOCKED] + ((entry->flags & RETIRE_FORWARD_BLOCKED) != 0));
    value[SIG_ADDRESS_ALIAS] =
        (uint16_t)(value[SIG_ADDRESS_ALIAS] + ((entry->flags & RETIRE_ALIAS) != 0));
    value[SIG_SPLIT_BLOCKED] =
        (uint16_t)(value[SIG_SPLIT_BLOCKED] + ((entry->flags & RETIRE_SPLIT_BLOCKED) != 0));
}

static void report_branch(struct model *model, const struct retiring *entry)
{
    const struct retired_branch branch = {
        .from = entry->from,
        .to = entry->to,
        .cycle = entry->cycle + model->skipping.skipped,
        .kind = entry->kind,
        .taken = entry->flags & RETIRE_TAKEN,
        .mispredicted = entry->flags & RETIRE_MISPREDICTED,
    };

    if (is_shared(model->smt)) {
        smt_branch(model, &branch);
        return;
    }
    if (model->output.order_slack == 0)
        span_flush(&model->output);
    model->output.sink.branch(model->output.sink.context, &branch);
}

/* Signals that only some instructions have. */
static void retire_rare(const struct retiring *entry, struct span *span)
{
    const unsigned flags = entry->flags;
    uint16_t *value = span->value;
    const bool both = (flags & RETIRE_LOAD) && (flags & RETIRE_STORE);

    span->rare |= entry->flops || both ||
                  flags & (RETIRE_ACCESS | RETIRE_LOAD_WALK | RETIRE_STORE_WALK | RETIRE_NOTED);
    if (both)
        value[SIG_LOAD_STORES]++;
    if (flags & RETIRE_NOP)
        value[SIG_NOPS_RETIRED]++;
    if (flags & RETIRE_FUSED)
        value[SIG_MACRO_FUSED]++;
    if (flags & RETIRE_LOAD)
        value[SIG_LOADS]++;
    if ((flags & RETIRE_INSTRUCTION) && (flags & RETIRE_LEVELLED))
        retire_load(entry, span);
    if (flags & RETIRE_STORE)
        value[SIG_STORES]++;
    if ((flags & RETIRE_INSTRUCTION) && (flags & RETIRE_ACCESS))
        retire_access(entry, value);
    if (flags & RETIRE_LOAD_WALK)
        value[SIG_DTLB_LOAD_WALKS]++;
    if (flags & RETIRE_STORE_WALK)
        value[SIG_DTLB_STORE_WALKS]++;
    if (entry->flops | (flags & RETIRE_NOTED))
        notes_retire(entry, value);
    if (flags & RETIRE_BRANCH)
        retire_branch(entry, span);
}

void retire_signals(const struct retiring *entry, struct span *span)
{
    uint16_t *value = span->value;

    value[SIG_INSTRUCTIONS] =
        (uint16_t)(value[SIG_INSTRUCTIONS] + ((entry->flags & RETIRE_INSTRUCTION) != 0));
    value[SIG_UOPS_RETIRED_UNFUSED] = (uint16_t)(value[SIG_UOPS_RETIRED_UNFUSED] + entry->uops);
    value[SIG_SLOTS_HEAVY] = (uint16_t)(value[SIG_SLOTS_HEAVY] + entry->heavy);
    if ((entry->flags & ~(unsigned)RETIRE_INSTRUCTION) | entry->flops)
        retire_rare(entry, span);
}

static void add_truth(struct model_truth *truth, const uint16_t *value)
{
    truth->instructions += value[SIG_INSTRUCTIONS];
    truth->branches += value[SIG_BRANCHES];
    truth->taken += value[SIG_BRANCHES_TAKEN];
    truth->mispredicts += value[SIG_MISPREDICTS];
    truth->loads += value[SIG_LOADS];
    truth->stores += value[SIG_STORES];
}

void cycle_retire(struct model *model, struct span *span)
{
    while (model->retirement.head != model->retirement.tail) {
        const struct retiring *entry =
            &model->retirement.retiring[model->retirement.head % RETIRING];

        if (entry->cycle > model->time.now)
            break;
        model->retirement.head++;
        if (is_subscribed(&model->events) && entry->flags & RETIRE_INSTRUCTION)
            access_event_retired(&model->output, &model->events, model->retirement.head - 1);
        retire_signals(entry, span);
        if (entry->flags & RETIRE_BRANCH)
            report_branch(model, entry);
    }
    while (retire_due(&model->retirement, model->time.now) != NULL)
        model->retirement.group_head++;
    add_truth(&model->truth, span->value);
}

/* What the sums can hold: at most 15 of anything in an entry, 16 entries in a cycle, and these
 * flags.
 */
#define SUM_ENTRIES 16u
#define SUM_MOST    15u
#define SUM_FLAGS                                                                                  \
    (RETIRE_INSTRUCTION | RETIRE_NOP | RETIRE_FUSED | RETIRE_LOAD | RETIRE_STORE | RETIRE_BRANCH | \
     RETIRE_TAKEN | RETIRE_LEVELLED)
#define ONE(byte) RETIRE_SUM_ONE(byte)

static bool is_summed(const struct retiring *entry)
{
    return !(entry->flags & ~(unsigned)SUM_FLAGS) && entry->flops == 0 && entry->uops <= SUM_MOST &&
           entry->heavy <= SUM_MOST &&
           (!(entry->flags & RETIRE_LEVELLED) || entry->level == LEVEL_L1);
}

/* The bytes of a sum for four of the flags. */
_Static_assert(RETIRE_NOP == 1u << 1 && RETIRE_FUSED == 1u << 2 && RETIRE_LOAD == 1u << 3 &&
                   RETIRE_STORE == 1u << 4 && RETIRE_SUM_NOPS == 3,
               "bit n of them is byte 3 + n");
#define FLAG_BYTES(bits)                                                                           \
    ((bits)&1) * ONE(3) + ((bits) >> 1 & 1) * ONE(4) + ((bits) >> 2 & 1) * ONE(5) +                \
        ((bits) >> 3 & 1) * ONE(6)
/* clang-format off */
static const uint64_t flag_bytes[16] = {
    FLAG_BYTES(0),  FLAG_BYTES(1),  FLAG_BYTES(2),  FLAG_BYTES(3),  FLAG_BYTES(4),  FLAG_BYTES(5),
    FLAG_BYTES(6),  FLAG_BYTES(7),  FLAG_BYTES(8),  FLAG_BYTES(9),  FLAG_BYTES(10), FLAG_BYTES(11),
    FLAG_BYTES(12), FLAG_BYTES(13), FLAG_BYTES(14), FLAG_BYTES(15)};
/* clang-format on */

/* How many of the entries both load and store: 16 loads leave three bits of their byte free. They
 * count modulo 8, which is enough: 8 such entries and 8 others are more than ever retire at once.
 */
#define BOTH (ONE(7) << 5)

static uint64_t sum_of(const struct retiring *entry)
{
    const unsigned flags = entry->flags;
    const unsigned access = flags & (RETIRE_LOAD | RETIRE_STORE);

    return (flags & RETIRE_INSTRUCTION) + entry->uops * ONE(RETIRE_SUM_UOPS) +
           entry->heavy * ONE(2) + flag_bytes[flags >> 1 & 15] +
           ((flags & (RETIRE_LEVELLED | RETIRE_INSTRUCTION)) ==
            (RETIRE_LEVELLED | RETIRE_INSTRUCTION)) *
               ONE(7) +
           (access == (RETIRE_LOAD | RETIRE_STORE)) * BOTH;
}

void retire_push(struct retirement *retirement)
{
    const struct retiring *entry = &retirement->retiring[retirement->tail % RETIRING];
    const bool summed = is_summed(entry);
    struct retire_group *group;

    retire_push_sum(retirement, entry->cycle, summed ? sum_of(entry) : 0);
    group = &retirement->groups[(retirement->group_tail - 1) % RETIRING];
    group->more |= !summed | ((group->sums[0] & 0xff) > SUM_ENTRIES);
    if (entry->flags & RETIRE_BRANCH)
        group->sums[1] +=
            ONE(entry->kind) +
            (entry->kind == BRANCH_CONDITIONAL && entry->flags & RETIRE_TAKEN) * ONE(7);
}

void retire_group(struct model *model, const struct retire_group *group)
{
    model->retirement.group_head++;
    if (group->sums[1] == 0) { /* no branches */
        model->retirement.head = group->end;
        return;
    }
    for (; model->retirement.head != group->end; model->retirement.head++) {
        const struct retiring *entry =
            &model->retirement.retiring[model->retirement.head % RETIRING];

        if (entry->flags & RETIRE_BRANCH)
            report_branch(model, entry);
    }
}
