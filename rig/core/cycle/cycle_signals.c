/* The signals of the cycle that ends: from the ring, and from what became of the allocator's slots.
 */
#include "cycle_signals.h"

#include <string.h>

#include "cause.h"
#include "notes.h"

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
#define PORT_SIGNALS 10u
_Static_assert(SIG_PORT_9 == SIG_PORT_0 + PORT_SIGNALS - 1, "found by the number of the port");

/* Spreads the bits of the busy ports over the values, four at a time. */
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

    memcpy(value, four[ports & 15], sizeof(four[0]));
    memcpy(value + 4, four[ports >> 4 & 15], sizeof(four[0]));
    memcpy(value + 8, four[ports >> 8 & 15], (PORT_SIGNALS - 8) * sizeof(*value));
}

/* Execution in this cycle. A stall because of stores is not in STALL_TOTAL: the published formulas
 * add the two. */
static void note_execution(const struct window *window, const struct cycle *cycle, bool store_bound,
                           uint16_t *value)
{
    const unsigned executed = cycle->executed;
    const bool loads = window->outstanding[OUT_ANY] > 0;

    value[SIG_UOPS_EXECUTED] = (uint16_t)executed;
    value[SIG_DIVIDER_ACTIVE] = window->dividers > 0;
    value[SIG_FP_DIVIDER_ACTIVE] = window->dividers >= FP_DIVIDERS;
    if (cycle->ports != 0) {
        note_ports(cycle->ports, &value[SIG_PORT_0]);
        value[SIG_PORTS_2_3_11] = (uint16_t)((cycle->ports >> 2 & 1) + (cycle->ports >> 3 & 1) +
                                             (cycle->ports >> 11 & 1));
        value[SIG_PORTS_5_10] = (uint16_t)((cycle->ports >> 5 & 1) + (cycle->ports >> 10 & 1));
    }
    if (loads) {
        value[SIG_CYCLES_MEM_ANY] = 1;
        value[SIG_CYCLES_L1D_MISS] = window->outstanding[OUT_L1_MISS] > 0;
        value[SIG_CYCLES_L2_MISS] = window->outstanding[OUT_L2_MISS] > 0;
        value[SIG_CYCLES_L3_MISS] = window->outstanding[OUT_L3_MISS] > 0;
    }
    value[SIG_SCHEDULER_EMPTY] = window->in_scheduler == 0;
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
    value[SIG_STALL_L1D_MISS] = window->outstanding[OUT_L1_MISS] > 0;
    value[SIG_STALL_L2_MISS] = window->outstanding[OUT_L2_MISS] > 0;
    value[SIG_STALL_L3_MISS] = window->outstanding[OUT_L3_MISS] > 0;
    value[SIG_EXE_0_PORTS] = !loads && window->in_scheduler > 0;
}

/* The reason why slots have no uop, as a signal; NEVER: for want of decoders. */
static enum signal starved_signal(const struct model_parameters *p,
                                  const struct allocator *allocator)
{
    switch (allocator->starved) {
    case NODE_CODE_L2_HIT:
    case NODE_CODE_L2_MISS:
        return SIG_SLOTS_FOR_LINE;
    case NODE_CODE_STLB_HIT:
    case NODE_CODE_STLB_MISS:
        return SIG_SLOTS_FOR_TRANSLATION;
    case NODE_UNKNOWN_BRANCHES:
        return SIG_SLOTS_FOR_BRANCH;
    default:
        break;
    }
    if (front_refills(allocator))
        return SIG_SLOTS_REFILLING;
    if (front_waits_for_sequencer(p, allocator))
        return SIG_SLOTS_FOR_SEQUENCER;
    return allocator->starved == NODE_LCP ? SIG_SLOTS_FOR_LENGTH : SIG_NEVER;
}

/* Slots that a machine clear takes. */
static void note_nuke(const struct allocator *allocator, unsigned slots, struct span *span)
{
    uint16_t *value = &span->value[allocator->wrong_node == NODE_OTHER_NUKES ? SIG_SLOTS_NUKE
                                                                             : SIG_SLOTS_FAST_NUKE];

    *value = (uint16_t)(*value + slots);
    span->rare = true;
}

static void note_starved(const struct model_parameters *p, const struct allocator *allocator,
                         unsigned idle, struct span *span)
{
    const enum signal reason = starved_signal(p, allocator);
    uint16_t *value = span->value;

    if (reason == SIG_NEVER)
        return;
    span->rare = true;
    value[reason] = value[SIG_SLOTS_NOT_DECODERS] = (uint16_t)idle;
    if (reason == SIG_SLOTS_FOR_SEQUENCER || reason == SIG_SLOTS_FOR_LENGTH)
        return;
    value[SIG_SLOTS_NOT_BANDWIDTH] = (uint16_t)idle;
    if (reason != SIG_SLOTS_REFILLING)
        value[SIG_SLOTS_FOR_CODE] = (uint16_t)idle;
    else if (allocator->starved == NODE_MISPREDICTS_RESTEERS)
        value[SIG_SLOTS_REFILLING_BRANCH] = (uint16_t)idle;
    else
        note_nuke(allocator, idle, span);
}

/* What the back end has no room in, or why else it takes no uop. */
static enum signal blocked_signal(enum idle why)
{
    switch (why) {
    case IDLE_ROB:
        return SIG_SLOTS_FOR_ROB;
    case IDLE_STORES:
    case IDLE_LOCK:
    case IDLE_MEMORY:
        return SIG_SLOTS_FOR_MEMORY;
    case IDLE_SCHEDULER:
        return SIG_SLOTS_FOR_SCHEDULER;
    case IDLE_SERIAL:
    case IDLE_DRAIN:
    case IDLE_PAUSE:
        return SIG_SLOTS_SERIAL;
    default:
        return SIG_SLOTS_RESTRICTED;
    }
}

static void note_blocked(enum idle why, unsigned idle, struct span *span)
{
    const enum signal reason = blocked_signal(why);

    span->value[reason] = (uint16_t)idle;
    span->rare |= reason == SIG_SLOTS_SERIAL || reason == SIG_SLOTS_RESTRICTED;
}

void signals_idle(const struct model_parameters *p, const struct allocator *allocator,
                  const struct window *window, enum idle why, bool memory, struct span *span)
{
    uint16_t *value = span->value;
    const unsigned width = p->width;
    const unsigned idle = idle_slots(p, allocator);

    if (idle == 0)
        return;
    switch (why) {
    case IDLE_FRONT:
        value[SIG_FE_UNDELIVERED] = (uint16_t)idle;
        value[SIG_FE_NONE_DELIVERED] = idle == width;
        value[SIG_FE_LATENCY_SLOTS] = idle == width ? (uint16_t)idle : 0;
        value[SIG_CLEAR_RESTEER] = allocator->resteering;
        note_starved(p, allocator, idle, span);
        break;
    case IDLE_RECOVERY:
        value[SIG_RECOVERY] = 1;
        value[SIG_SLOTS_BAD] = (uint16_t)(value[SIG_SLOTS_BAD] + idle);
        if (allocator->wrong_cause == CAUSE_BRANCH_MISPREDICTS)
            value[SIG_SLOTS_MISPREDICT] = (uint16_t)(value[SIG_SLOTS_MISPREDICT] + idle);
        else {
            value[SIG_CLEAR_WAIT] = 1;
            note_nuke(allocator, idle, span);
        }
        break;
    case IDLE_CLEAR:
    case IDLE_SIBLING:
        break;
    default:
        value[SIG_BE_BLOCKED] = (uint16_t)idle;
        note_blocked(why, idle, span);
        value[SIG_SCOREBOARD] = value[SIG_SLOTS_SERIAL] > 0 && idle == width;
        value[SIG_EMPTY_BLOCKED] = idle == width && window->in_scheduler == 0;
        value[SIG_PAUSING] = why == IDLE_PAUSE;
        value[SIG_STORE_BUFFER_STALL] = why == IDLE_STORES && idle == width;
        if (memory)
            value[SIG_BE_MEMORY_SLOTS] = (uint16_t)idle;
        break;
    }
}

static void note_clears(const struct allocator *allocator, struct span *span)
{
    span->rare = true;
    span->value[SIG_CLEARS] = (uint16_t)allocator->pending_clears;
    span->value[SIG_MACHINE_CLEARS] = (uint16_t)allocator->pending_machine_clears;
    span->value[SIG_MACHINE_CLEARS_SMC] = (uint16_t)allocator->pending_smc;
    span->value[SIG_MACHINE_CLEARS_ORDERING] = (uint16_t)allocator->pending_ordering;
    span->value[SIG_MACHINE_CLEARS_DISAMBIGUATION] = (uint16_t)allocator->pending_disambiguation;
}

static void clear(struct span *span)
{
    uint16_t *common = span->value, *rare = span->value + COMMON_VALUES;

    span->cycles = 0;
    memset(common, 0, COMMON_VALUES * sizeof(*common));
    if (span->rare)
        memset(rare, 0, (SPAN_VALUES - COMMON_VALUES) * sizeof(*rare));
    span->rare = false;
}

/* The mode of the trace cache. In a machine clear it has none: a logical processor is then inactive
 * (SDM 3B, TC_deliver_mode). Not modelled: it is also inactive on its way to a long flow of
 * microcode. A guess: the machine clear lasts until the recovery is over. */
static void note_trace_cache(const struct allocator *allocator, enum idle why, uint16_t *value)
{
    if (why == IDLE_RECOVERY && allocator->wrong_cause == CAUSE_MACHINE_CLEARS)
        return;
    value[SIG_TC_DELIVERS] = !allocator->builds;
    value[SIG_TC_BUILDS] = allocator->builds;
}

/* Uops that never retire pass the queue as all others do. A guess: they come from where the last
 * uop of the right path came from, and in the cycle in which they are issued. */
static void note_wrong(const struct allocator *allocator, struct span *span)
{
    span->value[allocator->builds ? SIG_WRONG_BUILT : SIG_WRONG_DELIVERED] =
        (uint16_t)allocator->wrong;
    span->rare = true;
}

static void note_no_retire(const struct model *model, const struct cycle *cycle, struct span *span)
{
    uint64_t until;
    const enum no_retire none = no_retire(model, cycle->retired, &until);

    if (none == RETIRES)
        return;
    span->rare = true;
    span->value[SIG_NO_RETIRE_EMPTY] = none == NO_RETIRE_EMPTY;
    span->value[SIG_NO_RETIRE_INCOMPLETE] = none != NO_RETIRE_EMPTY;
    span->value[SIG_NO_RETIRE_LOAD] = none == NO_RETIRE_LOAD;
}

void signals_begin(struct model *model, const struct cycle *cycle, enum idle why, struct span *span)
{
    uint16_t *value = span->value;

    clear(span);
    value[SIG_UNHALTED] = value[SIG_ALONE] = value[SIG_ALLOCATOR] = 1;
    value[SIG_UOPS_ISSUED] = (uint16_t)(model->allocator.issued + model->allocator.wrong);
    value[SIG_UOPS_RETIRED] = cycle->retired;
    if (model->allocator.pending_clears)
        note_clears(&model->allocator, span);
    value[SIG_SLOTS_BAD] = (uint16_t)model->allocator.wrong;
    if (model->allocator.wrong_cause == CAUSE_BRANCH_MISPREDICTS)
        value[SIG_SLOTS_MISPREDICT] = (uint16_t)model->allocator.wrong;
    else if (model->allocator.wrong > 0)
        note_nuke(&model->allocator, model->allocator.wrong, span);
    note_front(cycle, span);
    note_execution(&model->window, cycle, idle_for_stores(why), value);
    if (model->p->trace_cache)
        note_trace_cache(&model->allocator, why, value);
    if (model->p->trace_cache && model->allocator.wrong > 0)
        note_wrong(&model->allocator, span);
    if (model->p->notes_no_retire)
        note_no_retire(model, cycle, span);
    if ((cycle->more != 0) | model->time.going.any) {
        span->rare = true;
        notes_finish(model->p, &model->time, cycle, value);
    }
}
