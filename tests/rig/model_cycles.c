/* Finished cycles: from the notes in the ring and the allocator's slots to spans, retirement and
 * the truth. */
#include <string.h>

#include "model_state.h"

void span_flush(struct model *model)
{
    if (model->span.cycles == 0)
        return;
    model->sink.span(model->sink.context, &model->span);
    model->span.cycles = 0;
    model->span_key = 0;
}

static void retire_branch(struct model *model, const struct retiring *entry, uint16_t *value)
{
    static const enum signal mispredicts[] = {
        [BRANCH_JUMP_INDIRECT] = SIG_MISPREDICTS_INDIRECT,
        [BRANCH_CALL_INDIRECT] = SIG_MISPREDICTS_INDIRECT,
        [BRANCH_RETURN] = SIG_MISPREDICTS_RETURN,
        [BRANCH_CONDITIONAL] = SIG_MISPREDICTS_CONDITIONAL,
    };
    const bool taken = entry->flags & RETIRE_TAKEN;

    value[SIG_BRANCHES]++;
    model->truth.branches++;
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
        if (entry->kind != BRANCH_JUMP && entry->kind != BRANCH_CALL && entry->kind != BRANCH_FAR)
            value[mispredicts[entry->kind]]++;
    }
}

static void retire_load(const struct retiring *entry, uint16_t *value)
{
    const enum level level = entry->level;

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

/* Everything that retires in this cycle. */
static void retire(struct model *model, uint16_t *value)
{
    while (model->retire_head != model->retire_tail) {
        const struct retiring *entry = &model->retiring[model->retire_head % RETIRING];

        if (entry->cycle > model->now)
            return;
        model->retire_head++;
        if (entry->flags & RETIRE_INSTRUCTION) {
            value[SIG_INSTRUCTIONS]++;
            model->truth.instructions++;
        }
        value[SIG_UOPS_RETIRED_UNFUSED] = (uint16_t)(value[SIG_UOPS_RETIRED_UNFUSED] + entry->uops);
        value[SIG_SLOTS_HEAVY] = (uint16_t)(value[SIG_SLOTS_HEAVY] + entry->heavy);
        if (entry->flags & RETIRE_NOP)
            value[SIG_NOPS_RETIRED]++;
        if (entry->flags & RETIRE_FUSED)
            value[SIG_MACRO_FUSED]++;
        if (entry->flags & RETIRE_LOAD) {
            value[SIG_LOADS]++;
            model->truth.loads++;
        }
        if ((entry->flags & RETIRE_INSTRUCTION) && (entry->flags & RETIRE_LEVELLED))
            retire_load(entry, value);
        if (entry->flags & RETIRE_STORE) {
            value[SIG_STORES]++;
            model->truth.stores++;
        }
        if (entry->flags & RETIRE_LOAD_WALK)
            value[SIG_DTLB_LOAD_WALKS]++;
        if (entry->flags & RETIRE_STORE_WALK)
            value[SIG_DTLB_STORE_WALKS]++;
        if (listened(model) && entry->flags & RETIRE_INSTRUCTION)
            listen_retired(model, model->retire_head - 1);
        if (entry->flags & RETIRE_BRANCH) {
            const struct retired_branch branch = {
                .from = entry->from,
                .to = entry->to,
                .cycle = entry->cycle,
                .kind = entry->kind,
                .taken = entry->flags & RETIRE_TAKEN,
                .mispredicted = entry->flags & RETIRE_MISPREDICTED,
            };
            retire_branch(model, entry, value);
            span_flush(model);
            model->sink.branch(model->sink.context, &branch);
        }
    }
}

static void note_front(const struct cycle *cycle, uint16_t *value)
{
    value[SIG_DSB_UOPS] = cycle->dsb;
    value[SIG_MITE_UOPS] = cycle->mite;
    value[SIG_MS_UOPS] = cycle->ms;
    value[SIG_LSD_UOPS] = cycle->loop;
    value[SIG_DECODER0_ONLY] = cycle->decoder0;
    value[SIG_LCP_STALL] = (cycle->front & FRONT_LCP) != 0;
    value[SIG_ICACHE_STALL] = (cycle->front & FRONT_ICACHE) != 0;
    value[SIG_ITLB_STALL] = (cycle->front & FRONT_ITLB) != 0;
    value[SIG_DSB_MITE_PENALTY] = (cycle->front & FRONT_SWITCH) != 0;
    value[SIG_BACLEARS] = (cycle->front & FRONT_BACLEAR) != 0;
    value[SIG_ITLB_STLB_HITS] = (cycle->front & FRONT_ITLB_HIT) != 0;
    value[SIG_ITLB_WALKS] = (cycle->front & FRONT_ITLB_WALK) != 0;
    value[SIG_MS_SWITCHES] = (cycle->front & FRONT_MS_SWITCH) != 0;
}

/* Execution in this cycle. Stalls by stores are kept apart from STALL_TOTAL: the published formulas
 * add the two. */
static void note_execution(const struct model *model, const struct cycle *cycle, bool store_bound,
                           uint16_t *value)
{
    const unsigned executed = cycle->executed;
    const bool loads = model->outstanding[OUT_ANY] > 0;

    value[SIG_UOPS_EXECUTED] = (uint16_t)executed;
    value[SIG_DIVIDER_ACTIVE] = model->dividers > 0;
    value[SIG_SCHEDULER_EMPTY] = model->in_scheduler == 0;
    value[SIG_EXE_1_PORT] = executed == 1;
    value[SIG_EXE_2_PORTS] = executed == 2;
    value[SIG_EXE_3_PORTS] = executed == 3;
    value[SIG_EXE_4_PORTS] = executed == 4;
    if (executed != 0)
        return;
    if (store_bound && !loads) {
        value[SIG_BOUND_ON_STORES] = 1;
        return;
    }
    value[SIG_STALL_TOTAL] = 1;
    value[SIG_STALL_MEM_ANY] = loads;
    value[SIG_STALL_L1D_MISS] = model->outstanding[OUT_L1_MISS] > 0;
    value[SIG_STALL_L2_MISS] = model->outstanding[OUT_L2_MISS] > 0;
    value[SIG_STALL_L3_MISS] = model->outstanding[OUT_L3_MISS] > 0;
    value[SIG_EXE_0_PORTS] = !loads && model->in_scheduler > 0;
}

/* Whose a slot is that the back end refused. Memory's: nothing began while a load was on its way or
 * the store buffer was full; or execution went on at two uops and more while a miss was outstanding
 * (of a load, or of the store that fills the buffer), so that only the room behind the miss was
 * short. The core's: all else, above all cycles in which one uop at a time could begin. */
static enum slot_cause back_cause(const struct model *model, enum idle why, unsigned executed)
{
    bool memory;

    if (executed == 0)
        memory = model->outstanding[OUT_ANY] > 0 || why == IDLE_STORES;
    else if (why == IDLE_STORES)
        memory = executed > 1 && model->now < model->store_miss;
    else
        memory = executed > 1 && model->outstanding[OUT_L1_MISS] > 0;
    return memory ? CAUSE_MEMORY_BOUND : CAUSE_CORE_BOUND;
}

/* The slots left empty, as signals and as truth. */
static void note_idle(struct model *model, enum idle why, uint16_t *value)
{
    const unsigned width = model->p->width;
    const unsigned idle = width - model->issued - model->wrong;
    uint64_t *slots = model->truth.slots;
    enum slot_cause cause;

    if (idle == 0)
        return;
    switch (why) {
    case IDLE_FRONT:
        value[SIG_FE_UNDELIVERED] = (uint16_t)idle;
        value[SIG_FE_NONE_DELIVERED] = idle == width;
        value[SIG_FE_LATENCY_SLOTS] = idle == width ? (uint16_t)idle : 0;
        value[SIG_CLEAR_RESTEER] = model->resteering;
        slots[idle == width ? CAUSE_FETCH_LATENCY : CAUSE_FETCH_BANDWIDTH] += idle;
        break;
    case IDLE_BACK:
    case IDLE_STORES:
        value[SIG_BE_BLOCKED] = (uint16_t)idle;
        cause = back_cause(model, why, value[SIG_UOPS_EXECUTED]);
        value[SIG_BE_MEMORY_SLOTS] = cause == CAUSE_MEMORY_BOUND ? (uint16_t)idle : 0;
        slots[cause] += idle;
        break;
    case IDLE_RECOVERY:
        value[SIG_RECOVERY] = 1;
        value[SIG_SLOTS_BAD] = (uint16_t)(value[SIG_SLOTS_BAD] + idle);
        if (model->wrong_cause == CAUSE_BRANCH_MISPREDICTS)
            value[SIG_SLOTS_MISPREDICT] = (uint16_t)(value[SIG_SLOTS_MISPREDICT] + idle);
        slots[model->wrong_cause] += idle;
        break;
    case IDLE_CLEAR:
        slots[CAUSE_CORE_BOUND] += idle;
        break;
    }
}

static void send(struct model *model, const uint16_t *value, unsigned key)
{
    if (model->span.cycles != 0 && memcmp(model->span.value, value, sizeof(model->span.value)) != 0)
        span_flush(model);
    if (model->span.cycles == 0)
        memcpy(model->span.value, value, sizeof(model->span.value));
    model->span.cycles++;
    model->span_key = key;
}

/* Nothing noted and nothing allocated: all that distinguishes such cycles is the reason and the
 * state they stand in. */
static unsigned quiet_key(const struct model *model, enum idle why)
{
    return 1u | (unsigned)why << 1 | (unsigned)(model->outstanding[OUT_ANY] > 0) << 4 |
           (unsigned)(model->outstanding[OUT_L1_MISS] > 0) << 5 |
           (unsigned)(model->outstanding[OUT_L2_MISS] > 0) << 6 |
           (unsigned)(model->outstanding[OUT_L3_MISS] > 0) << 7 |
           (unsigned)(model->dividers > 0) << 8 | (unsigned)(model->in_scheduler == 0) << 9 |
           (unsigned)model->resteering << 10 | (unsigned)model->wrong_cause << 11;
}

static bool is_blank(const struct cycle *cycle)
{
    uint64_t words[2];

    memcpy(words, cycle, sizeof(words));
    return (words[0] | words[1]) == 0;
}

static bool is_quiet(struct model *model)
{
    return model->issued + model->wrong == 0 && model->pending_clears == 0 &&
           (model->retire_head == model->retire_tail ||
            model->retiring[model->retire_head % RETIRING].cycle > model->now) &&
           is_blank(cycle_at(model, model->now));
}

static void quiet_truth(struct model *model, enum idle why, uint64_t cycles)
{
    static const uint16_t causes[] = {CAUSE_FETCH_LATENCY, 0, 0, 0, CAUSE_CORE_BOUND};
    enum slot_cause cause = causes[why];

    if (why == IDLE_RECOVERY)
        cause = model->wrong_cause;
    else if (why == IDLE_BACK || why == IDLE_STORES)
        cause = back_cause(model, why, 0);
    model->truth.slots[cause] += model->p->width * cycles;
}

/* Ends cycles before `limit` that are like the last one of the open span, all at once. False when
 * there is none. */
static bool skip_quiet(struct model *model, uint64_t limit, enum idle why)
{
    const uint64_t begun = model->now;

    if (model->span_key == 0 || model->span.cycles == 0 || !is_quiet(model) ||
        model->span_key != quiet_key(model, why))
        return false;
    if (model->retire_head != model->retire_tail &&
        model->retiring[model->retire_head % RETIRING].cycle < limit)
        limit = model->retiring[model->retire_head % RETIRING].cycle;
    while (model->now < limit && is_blank(cycle_at(model, model->now)))
        model->now++;
    model->span.cycles += model->now - begun;
    model->truth.cycles += model->now - begun;
    quiet_truth(model, why, model->now - begun);
    return model->now > begun;
}

void cycle_finish(struct model *model, enum idle why)
{
    struct cycle *cycle = cycle_at(model, model->now);
    uint16_t value[SIGNAL_COUNT];
    bool quiet;

    if (skip_quiet(model, model->now + 1, why))
        return;
    quiet = is_quiet(model);
    model->truth.cycles++;
    memset(value, 0, sizeof(value));
    for (unsigned i = 0; i < OUT_COUNT; i++)
        model->outstanding[i] += cycle->loads[i];
    model->dividers += cycle->divider;
    model->in_rob -= cycle->retired;
    model->in_scheduler -= cycle->executed;
    value[SIG_UNHALTED] = 1;
    value[SIG_UOPS_ISSUED] = (uint16_t)(model->issued + model->wrong);
    value[SIG_UOPS_RETIRED] = cycle->retired;
    value[SIG_CLEARS] = (uint16_t)model->pending_clears;
    value[SIG_MACHINE_CLEARS] = (uint16_t)model->pending_machine_clears;
    value[SIG_MACHINE_CLEARS_SMC] = (uint16_t)model->pending_smc;
    value[SIG_SLOTS_BAD] = (uint16_t)model->wrong;
    if (model->wrong_cause == CAUSE_BRANCH_MISPREDICTS)
        value[SIG_SLOTS_MISPREDICT] = (uint16_t)model->wrong;
    note_front(cycle, value);
    note_execution(model, cycle, why == IDLE_STORES, value);
    note_idle(model, why, value);
    model->truth.uops_issued += model->issued + model->wrong;
    model->truth.uops_retired += cycle->retired;
    model->truth.slots[model->wrong_cause] += model->wrong;
    retire(model, value);
    send(model, value, quiet ? quiet_key(model, why) : 0);
    model->issued = model->wrong = 0;
    model->pending_clears = model->pending_machine_clears = model->pending_smc = 0;
    memset(cycle, 0, sizeof(*cycle));
    model->now++;
}

void cycle_wait(struct model *model, uint64_t cycle, enum idle why)
{
    while (model->now < cycle)
        if (!skip_quiet(model, cycle, why))
            cycle_finish(model, why);
}
