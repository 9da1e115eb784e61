/* Finished cycles: from the notes in the ring and the allocator's slots to spans and the truth. */
#include <string.h>

#include "model_state.h"

static void send(struct model *model, struct span *span)
{
    if (span->cycles == 0)
        return;
    model->sink.span(model->sink.context, span);
    span->cycles = 0;
}

void span_flush(struct model *model)
{
    if (model->unheard.cycles != 0) {
        model->sink.span(model->sink.context, &model->unheard);
        model->unheard.cycles = 0;
    }
    send(model, model->older);
    send(model, model->span);
    model->span_key = 0;
}

static void note_front(const struct cycle *cycle, struct span *span)
{
    uint16_t *value = span->value;

    value[SIG_DSB_UOPS] = cycle->dsb;
    value[SIG_MITE_UOPS] = cycle->mite;
    value[SIG_MS_UOPS] = cycle->ms;
    value[SIG_LSD_UOPS] = cycle->loop;
    value[SIG_DECODER0_ONLY] = cycle->decoder0;
    if (cycle->front == 0)
        return;
    span->rare = true;
    value[SIG_LCP_STALL] = (cycle->front & FRONT_LCP) != 0;
    value[SIG_ICACHE_STALL] = (cycle->front & FRONT_ICACHE) != 0;
    value[SIG_ITLB_STALL] = (cycle->front & FRONT_ITLB) != 0;
    value[SIG_DSB_MITE_PENALTY] = (cycle->front & FRONT_SWITCH) != 0;
    value[SIG_BACLEARS] = (cycle->front & FRONT_BACLEAR) != 0;
    value[SIG_ITLB_STLB_HITS] = (cycle->front & FRONT_ITLB_HIT) != 0;
    value[SIG_ITLB_WALKS] = (cycle->front & FRONT_ITLB_WALK) != 0;
    value[SIG_MS_SWITCHES] = (cycle->front & FRONT_MS_SWITCH) != 0;
}

_Static_assert(SIG_EXE_4_PORTS == SIG_EXE_1_PORT + 3, "found by the number of ports");
#define PORTS_TOLD 10u
_Static_assert(SIG_PORT_9 == SIG_PORT_0 + PORTS_TOLD - 1, "found by the number of the port");

/* Spreads the bits of the busy ports, four at a time, a bit to a value. */
static void note_ports(unsigned ports, uint16_t *value)
{
#define FOUR(bits)                                                                                 \
    {                                                                                              \
        (bits) & 1, (bits) >> 1 & 1, (bits) >> 2 & 1, (bits) >> 3 & 1                              \
    }
    static const uint16_t four[16][4] = {FOUR(0),  FOUR(1),  FOUR(2),  FOUR(3), FOUR(4),  FOUR(5),
                                         FOUR(6),  FOUR(7),  FOUR(8),  FOUR(9), FOUR(10), FOUR(11),
                                         FOUR(12), FOUR(13), FOUR(14), FOUR(15)};
#undef FOUR

    memcpy(value, four[ports & 15], sizeof four[0]);
    memcpy(value + 4, four[ports >> 4 & 15], sizeof four[0]);
    memcpy(value + 8, four[ports >> 8 & 15], (PORTS_TOLD - 8) * sizeof *value);
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
    value[SIG_FP_DIVIDER_ACTIVE] = model->dividers >= FP_DIVIDERS;
    if (cycle->ports != 0) {
        note_ports(cycle->ports, &value[SIG_PORT_0]);
        value[SIG_PORTS_2_3_11] = (uint16_t)((cycle->ports >> 2 & 1) + (cycle->ports >> 3 & 1) +
                                             (cycle->ports >> 11 & 1));
        value[SIG_PORTS_5_10] = (uint16_t)((cycle->ports >> 5 & 1) + (cycle->ports >> 10 & 1));
    }
    if (loads) {
        value[SIG_CYCLES_MEM_ANY] = 1;
        value[SIG_CYCLES_L1D_MISS] = model->outstanding[OUT_L1_MISS] > 0;
        value[SIG_CYCLES_L2_MISS] = model->outstanding[OUT_L2_MISS] > 0;
        value[SIG_CYCLES_L3_MISS] = model->outstanding[OUT_L3_MISS] > 0;
    }
    value[SIG_SCHEDULER_EMPTY] = model->in_scheduler == 0;
    if (executed != 0) {
        if (executed <= 4)
            value[SIG_EXE_1_PORT + executed - 1] = 1;
        return;
    }
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

static void note_starved(const struct model *model, unsigned idle, struct span *span)
{
    uint16_t *value = span->value;

    span->rare |= model->starved != NODE_FETCH_LATENCY;
    switch (model->starved) {
    case NODE_CODE_L2_HIT:
    case NODE_CODE_L2_MISS:
        value[SIG_SLOTS_FOR_LINE] = (uint16_t)idle;
        break;
    case NODE_CODE_STLB_HIT:
    case NODE_CODE_STLB_MISS:
        value[SIG_SLOTS_FOR_TRANSLATION] = (uint16_t)idle;
        break;
    case NODE_UNKNOWN_BRANCHES:
        value[SIG_SLOTS_FOR_BRANCH] = (uint16_t)idle;
        break;
    default:
        break;
    }
}

/* The slots left empty, as signals and as truth. */
static void note_idle(struct model *model, enum idle why, struct span *span)
{
    uint16_t *value = span->value;
    const unsigned width = model->p->width;
    const unsigned idle = width - model->issued - model->wrong;
    enum truth_node node;

    if (idle == 0)
        return;
    switch (why) {
    case IDLE_FRONT:
        value[SIG_FE_UNDELIVERED] = (uint16_t)idle;
        value[SIG_FE_NONE_DELIVERED] = idle == width;
        value[SIG_FE_LATENCY_SLOTS] = idle == width ? (uint16_t)idle : 0;
        value[SIG_CLEAR_RESTEER] = model->resteering;
        note_starved(model, idle, span);
        node = front_node(model, idle == width);
        break;
    case IDLE_RECOVERY:
        value[SIG_RECOVERY] = 1;
        value[SIG_SLOTS_BAD] = (uint16_t)(value[SIG_SLOTS_BAD] + idle);
        if (model->wrong_cause == CAUSE_BRANCH_MISPREDICTS)
            value[SIG_SLOTS_MISPREDICT] = (uint16_t)(value[SIG_SLOTS_MISPREDICT] + idle);
        node = model->wrong_node;
        break;
    case IDLE_CLEAR:
        node = NODE_CORE_BOUND;
        break;
    case IDLE_SIBLING:
        node = NODE_SIBLING;
        break;
    default:
        value[SIG_BE_BLOCKED] = (uint16_t)idle;
        if (why == IDLE_SERIAL || why == IDLE_DRAIN || why == IDLE_PAUSE) {
            value[SIG_SCOREBOARD] = idle == width;
            value[SIG_SLOTS_SERIAL] = (uint16_t)idle;
            span->rare = true;
        }
        value[SIG_EMPTY_BLOCKED] = idle == width && model->in_scheduler == 0;
        value[SIG_PAUSING] = why == IDLE_PAUSE;
        if (back_waits_for_memory(model, why, value[SIG_UOPS_EXECUTED]))
            value[SIG_BE_MEMORY_SLOTS] = (uint16_t)idle;
        node = back_node(model, why, value[SIG_UOPS_EXECUTED]);
        break;
    }
    charge(model, node, idle);
}

static bool is_alike(const struct span *a, const struct span *b)
{
    uint64_t differ = 0;

    for (unsigned i = 0; i < COMMON_VALUES; i += 4) {
        uint64_t of_a, of_b;

        memcpy(&of_a, &a->value[i], sizeof of_a);
        memcpy(&of_b, &b->value[i], sizeof of_b);
        differ |= of_a ^ of_b;
    }
    return differ == 0 && (!(a->rare | b->rare) ||
                           memcmp(a->value + COMMON_VALUES, b->value + COMMON_VALUES,
                                  sizeof a->value - COMMON_VALUES * sizeof *a->value) == 0);
}

static void clear(struct span *span)
{
    uint16_t *common = span->value, *rare = span->value + COMMON_VALUES;

    span->cycles = 0;
    memset(common, 0, COMMON_VALUES * sizeof *common);
    if (span->rare)
        memset(rare, 0, (SPAN_VALUES - COMMON_VALUES) * sizeof *rare);
    span->rare = false;
}

static void note_clears(const struct model *model, struct span *span)
{
    span->rare = true;
    span->value[SIG_CLEARS] = (uint16_t)model->pending_clears;
    span->value[SIG_MACHINE_CLEARS] = (uint16_t)model->pending_machine_clears;
    span->value[SIG_MACHINE_CLEARS_SMC] = (uint16_t)model->pending_smc;
    span->value[SIG_MACHINE_CLEARS_ORDERING] = (uint16_t)model->pending_ordering;
    span->value[SIG_MACHINE_CLEARS_DISAMBIGUATION] = (uint16_t)model->pending_disambiguation;
}

/* The cycle in model->coming becomes the last span; the one that was joins those before it, or they
 * are sent. That is not asked of the cycle that comes: a host waits long for values that were
 * written one by one and are read several at a time at once. */
static void join(struct model *model, unsigned key)
{
    struct span *before = model->older, *last = model->span;

    if (before->cycles != 0 && last->cycles != 0) {
        if (is_alike(before, last)) {
            last->cycles += before->cycles;
            before->cycles = 0;
        } else {
            send(model, before);
        }
    }
    model->older = last->cycles != 0 ? last : before;
    model->span = model->coming;
    model->coming = last->cycles != 0 ? before : last;
    model->span->cycles = 1;
    model->span_key = key;
}

/* Nothing noted and nothing allocated: all that distinguishes such cycles is the reason and the
 * state they stand in. */
static unsigned quiet_key(const struct model *model, enum idle why)
{
    return 1u | (unsigned)why << 1 | (unsigned)(model->outstanding[OUT_ANY] > 0) << 5 |
           (unsigned)(model->outstanding[OUT_L1_MISS] > 0) << 6 |
           (unsigned)(model->outstanding[OUT_L2_MISS] > 0) << 7 |
           (unsigned)(model->outstanding[OUT_L3_MISS] > 0) << 8 |
           (unsigned)(model->dividers > 0) << 9 | (unsigned)(model->in_scheduler == 0) << 10 |
           (unsigned)model->resteering << 11 | (unsigned)model->wrong_cause << 12 |
           (why == IDLE_FRONT ? (unsigned)model->starved << 16 : 0);
}

static bool is_blank(const struct cycle *cycle)
{
    uint64_t words[2];

    memcpy(words, cycle, sizeof(words));
    return (words[0] | words[1]) == 0;
}

/* What changes with this cycle. */
static void pass_cycle(struct model *model, const struct cycle *cycle)
{
    for (unsigned i = 0; i < OUT_COUNT; i++)
        model->outstanding[i] += cycle->loads[i];
    model->dividers += cycle->divider;
    model->in_rob -= cycle->retired;
    model->in_scheduler -= cycle->executed;
}

/* `cycle` is over. */
static void next_cycle(struct model *model, struct cycle *cycle)
{
    model->issued = model->wrong = 0;
    model->pending_clears = model->pending_machine_clears = model->pending_smc = 0;
    model->pending_ordering = model->pending_disambiguation = 0;
    memset(cycle, 0, sizeof(*cycle));
    model->now++;
}

static bool is_quiet(struct model *model)
{
    return model->issued + model->wrong == 0 && model->pending_clears == 0 &&
           (model->retire_head == model->retire_tail ||
            model->retiring[model->retire_head % RETIRING].cycle > model->now) &&
           is_blank(cycle_at(model, model->now));
}

static enum truth_node quiet_node(const struct model *model, enum idle why)
{
    return why == IDLE_FRONT      ? front_node(model, true)
           : why == IDLE_RECOVERY ? model->wrong_node
           : why == IDLE_SIBLING  ? NODE_SIBLING
                                  : back_node(model, why, 0);
}

/* When the oldest instruction retires, or `limit` if that is first. */
static uint64_t before_retirement(const struct model *model, uint64_t limit)
{
    const struct retiring *entry = &model->retiring[model->retire_head % RETIRING];

    return model->retire_head != model->retire_tail && entry->cycle < limit ? entry->cycle : limit;
}

/* Ends cycles before `limit` that are like the last one of the open span, all at once. False when
 * there is none. */
static bool skip_quiet(struct model *model, uint64_t limit, enum idle why)
{
    const uint64_t begun = model->now;
    enum truth_node node;

    if (model->span_key == 0 || model->span->cycles == 0 || !is_quiet(model) ||
        model->span_key != quiet_key(model, why))
        return false;
    limit = before_retirement(model, limit);
    /* All that the node depends on is noted in the ring when it changes. */
    node = quiet_node(model, why);
    while (model->now < limit && is_blank(cycle_at(model, model->now)))
        model->now++;
    model->span->cycles += model->now - begun;
    truth_cycles(model, why, 0, model->now - begun);
    charge(model, node, model->p->width * (model->now - begun));
    return model->now > begun;
}

void cycle_finish(struct model *model, enum idle why)
{
    struct cycle *cycle = cycle_at(model, model->now);
    struct span *span;
    uint16_t *value;
    bool quiet;

    if (skip_quiet(model, model->now + 1, why))
        return;
    quiet = is_quiet(model);
    if (is_shared(model))
        smt_cycle_begins(model);
    span = model->coming;
    clear(span);
    value = span->value;
    pass_cycle(model, cycle);
    truth_cycles(model, why, cycle->executed, 1);
    value[SIG_UNHALTED] = value[SIG_ALONE] = value[SIG_ALLOCATOR] = 1;
    value[SIG_UOPS_ISSUED] = (uint16_t)(model->issued + model->wrong);
    value[SIG_UOPS_RETIRED] = cycle->retired;
    if (model->pending_clears)
        note_clears(model, span);
    value[SIG_SLOTS_BAD] = (uint16_t)model->wrong;
    if (model->wrong_cause == CAUSE_BRANCH_MISPREDICTS)
        value[SIG_SLOTS_MISPREDICT] = (uint16_t)model->wrong;
    note_front(cycle, span);
    note_execution(model, cycle, idle_for_stores(why), value);
    if ((cycle->more != 0) | model->going.any) {
        span->rare = true;
        notes_finish(model, cycle, value);
    }
    model->truth.uops_issued += model->issued + model->wrong;
    model->truth.uops_retired += cycle->retired;
    charge(model, model->wrong_node, model->wrong);
    cycle_retire(model, span);
    note_idle(model, why, span); /* the oldest instruction is one that stays */
    if (is_shared(model))
        smt_cycle_ends(model, value, model->issued + model->wrong > 0 || why == IDLE_CLEAR,
                       why == IDLE_SIBLING);
    else
        join(model, quiet ? quiet_key(model, why) : 0);
    next_cycle(model, cycle);
}

void cycle_wait(struct model *model, uint64_t cycle, enum idle why)
{
    while (model->now < cycle)
        if (!skip_quiet(model, cycle, why))
            cycle_finish(model, why);
}
