/* To which node of the tree an empty slot is charged. What each node means is said where the nodes
 * are named (core/signals.h). Nothing here reads or writes a signal, so that formulas over the
 * signals can be held against the truth. */
#include "cause.h"

#include <stddef.h>

/* The oldest instruction that has not retired, or NULL. The instructions that retire in this very
 * cycle are still in the ring and are left out. */
static const struct retiring *oldest(const struct retirement *retirement, uint64_t now)
{
    uint64_t at = retirement->head;

    for (uint64_t i = retirement->group_head; i != retirement->group_tail; i++) {
        const struct retire_group *group = &retirement->groups[i % RETIRING];

        if (group->cycle > now)
            break;
        at = group->end;
    }
    return at != retirement->tail ? &retirement->retiring[at % RETIRING] : NULL;
}

enum no_retire no_retire(const struct model *model, unsigned retired, uint64_t *until)
{
    const uint64_t now = model->time.now;
    const struct retiring *entry;

    *until = UINT64_MAX;
    if (!model->p->notes_no_retire || retired > 0)
        return RETIRES;
    entry = oldest(&model->retirement, now);
    if (entry == NULL)
        return model->window.in_rob == 0 ? NO_RETIRE_EMPTY : NO_RETIRE_INCOMPLETE;
    if (now <= entry->loaded) {
        *until = entry->loaded + 1;
        return NO_RETIRE_LOAD;
    }
    if (now > entry->complete)
        return RETIRES;
    *until = entry->complete + 1;
    return NO_RETIRE_INCOMPLETE;
}

/* The store that has to leave the full store buffer first: what it waits for; NODE_NONE: only its
 * turn. */
static enum truth_node leaving_node(const struct stores *stores)
{
    const uint64_t leaving = stores->count - stores->room;

    return (enum truth_node)stores->node[leaving % SLOT_RING];
}

/* The oldest instruction is a load that takes longer than a hit in L1. */
static bool load_is_late(const struct retirement *retirement, uint64_t now)
{
    const struct retiring *entry = oldest(retirement, now);

    return entry != NULL && entry->flags & RETIRE_LEVELLED && entry->late != LATE_NOT;
}

/* The oldest instruction executes, with what it reads from memory at hand: retirement waits for its
 * uops, and not for a load of its own or for the instructions before it. */
static bool oldest_executes(const struct retirement *retirement, uint64_t now)
{
    const struct retiring *entry = oldest(retirement, now);

    return entry != NULL && entry->complete + 1 == entry->cycle && now > entry->loaded;
}

/* Memory is why if no uop began while a load was on its way or the store buffer was full; or if two
 * uops or more began while the oldest instruction waited for memory (a load or the store that fills
 * the buffer had a miss outstanding, or an access was late for another reason), so that only the
 * room behind it was short; a full store buffer may wait for its stores to retire behind such a
 * load. A load that is on its way while the oldest instruction executes is not waited for.
 * Otherwise the core is why, above all in cycles in which only one uop could begin. */
bool back_waits_for_memory(const struct model *model, enum idle why, unsigned executed)
{
    if (why == IDLE_CLEAR)
        return false;
    if (executed == 0)
        return idle_for_stores(why) || (model->window.outstanding[OUT_ANY] > 0 &&
                                        !oldest_executes(&model->retirement, model->time.now));
    if (executed == 1)
        return false;
    if (idle_for_stores(why) && (model->time.now < model->stores.miss ||
                                 (why == IDLE_STORES && leaving_node(&model->stores) != NODE_NONE)))
        return true;
    if (why == IDLE_LOCK || why == IDLE_DRAIN)
        return false;
    return (model->window.outstanding[OUT_L1_MISS] > 0 &&
            !oldest_executes(&model->retirement, model->time.now)) ||
           load_is_late(&model->retirement, model->time.now);
}

static enum truth_node late_node(const struct model_parameters *p, uint64_t now,
                                 const struct retiring *load)
{
    static const uint8_t nodes[LATE_COUNT] = {
        [LATE_NOT] = NODE_L1_LATENCY_DEPENDENCY,   [LATE_FORWARD_BLOCKED] = NODE_STORE_FWD_BLK,
        [LATE_SPLIT] = NODE_SPLIT_LOADS,           [LATE_LOCK] = NODE_LOCK_LATENCY,
        [LATE_FILL_BUFFER] = NODE_FB_FULL,         [LATE_L2] = NODE_L2_HIT_LATENCY,
        [LATE_L3] = NODE_L3_HIT_LATENCY,           [LATE_CONTESTED] = NODE_CONTESTED_ACCESSES,
        [LATE_SHARED] = NODE_DATA_SHARING,         [LATE_MEMORY] = NODE_MEM_LATENCY,
        [LATE_BANDWIDTH] = NODE_MEM_BANDWIDTH,     [LATE_ALIAS] = NODE_ALIASING_4K,
        [LATE_UNKNOWN_STORE] = NODE_STORE_FWD_BLK, [LATE_QUEUE] = NODE_SQ_FULL,
        [LATE_FAR_MEMORY] = NODE_MEM_LATENCY,      [LATE_FAR_SHARED] = NODE_MEM_LATENCY,
        [LATE_FAR_CONTESTED] = NODE_MEM_LATENCY,
    };
    /* once the translation, which took longest, is over: what remains */
    const unsigned late =
        load->late == LATE_TRANSLATION && load->served ? load->served : load->late;

    if (now + load->translating < load->translated && load->flags & RETIRE_SPLIT_BLOCKED)
        return NODE_SPLIT_LOADS;
    if (now + load->translating < load->translated)
        return now + load->translating + p->alias_penalty < load->translated ||
                       !(load->flags & RETIRE_ALIAS)
                   ? NODE_STORE_FWD_BLK
                   : NODE_ALIASING_4K;
    if (now < load->translated)
        return load->flags & RETIRE_LOAD_STLB_HIT ? NODE_LOAD_STLB_HIT : NODE_LOAD_STLB_MISS;
    return nodes[late] ? (enum truth_node)nodes[late] : NODE_L1_BOUND;
}

/* The oldest instruction is no load, but may wait for a load that is about as old: the line in
 * flight from farthest away is taken for the line of this load. */
static enum truth_node farthest_node(const struct window *window)
{
    if (window->outstanding[OUT_L3_MISS] > 0)
        return NODE_L3_MISS_BOUND;
    if (window->outstanding[OUT_L2_MISS] > 0)
        return NODE_L3_BOUND;
    return window->outstanding[OUT_L1_MISS] > 0 ? NODE_L2_BOUND : NODE_L1_BOUND;
}

static enum truth_node load_node(const struct model_parameters *p, const struct window *window,
                                 const struct retirement *retirement, uint64_t now)
{
    const struct retiring *entry = oldest(retirement, now);
    const bool known = entry != NULL && entry->flags & RETIRE_LEVELLED;

    /* Where a line comes from that an earlier load asked for is not known. */
    if (!known ||
        (entry->level == LEVEL_FILL_BUFFER && entry->late == LATE_NOT && now >= entry->translated))
        return farthest_node(window);
    return late_node(p, now, entry);
}

/* The store buffer is full: the node of the store that has to leave it first. While this store only
 * waits for its turn, the node of the load before it. */
static enum truth_node full_node(const struct model *model)
{
    const struct retiring *entry = oldest(&model->retirement, model->time.now);

    if (leaving_node(&model->stores) != NODE_NONE)
        return leaving_node(&model->stores);
    return entry != NULL && entry->flags & RETIRE_LEVELLED
               ? load_node(model->p, &model->window, &model->retirement, model->time.now)
               : NODE_STORE_BOUND;
}

static enum truth_node memory_node(const struct model *model, enum idle why)
{
    if (why == IDLE_STORES)
        return full_node(model);
    if (why == IDLE_DRAIN)
        return model->stores.last_commit_node == NODE_NONE
                   ? NODE_STORE_BOUND
                   : (enum truth_node)model->stores.last_commit_node;
    return why == IDLE_LOCK
               ? NODE_LOCK_LATENCY
               : load_node(model->p, &model->window, &model->retirement, model->time.now);
}

static enum truth_node core_node(const struct window *window, const struct retirement *retirement,
                                 uint64_t now, enum idle why, unsigned executed)
{
    static const uint8_t ports[] = {NODE_PORTS_UTILIZED_0, NODE_PORTS_UTILIZED_1,
                                    NODE_PORTS_UTILIZED_2, NODE_PORTS_UTILIZED_3M};
    const struct retiring *entry = oldest(retirement, now);

    if (why == IDLE_CLEAR)
        return NODE_CORE_BOUND;
    if (why == IDLE_SERIAL || why == IDLE_DRAIN)
        return NODE_SERIALIZING_OPERATION;
    if (why == IDLE_PAUSE)
        return NODE_SLOW_PAUSE;
    if (window->dividers > 0 && entry != NULL && entry->flags & RETIRE_DIVIDES)
        return entry->flags & RETIRE_FP_DIVIDES ? NODE_FP_DIVIDER : NODE_INT_DIVIDER;
    return (enum truth_node)ports[executed < 3 ? executed : 3];
}

enum truth_node back_node(const struct model *model, enum idle why, unsigned executed, bool memory)
{
    return memory ? memory_node(model, why)
                  : core_node(&model->window, &model->retirement, model->time.now, why, executed);
}

enum truth_node front_node(const struct model_parameters *p, const struct allocator *allocator,
                           bool all)
{
    if (p->refill_is_bad && front_refills(allocator))
        return allocator->starved == NODE_MISPREDICTS_RESTEERS ? NODE_BRANCH_MISPREDICTS
               : allocator->wrong_node == NODE_OTHER_NUKES     ? NODE_OTHER_NUKES
                                                               : NODE_MACHINE_CLEARS;
    if (all)
        return allocator->starved;
    switch (allocator->taken_source) {
    case SOURCE_MITE:
        return allocator->taken_alone ? NODE_DECODER0_ALONE : NODE_MITE;
    case SOURCE_DSB:
        return NODE_DSB;
    case SOURCE_MS:
        return NODE_MS;
    case SOURCE_LOOP:
        return NODE_LSD;
    case SOURCE_NONE:
        break;
    }
    return NODE_FETCH_BANDWIDTH;
}

enum truth_node commit_node(const struct stores *stores, const struct reach *reach,
                            uint64_t drained, uint64_t retired, bool split, bool translated)
{
    if (reach->done > drained && reach->done > retired) {
        if (reach->late == LATE_SPLIT)
            return NODE_SPLIT_STORES;
        if (reach->late == LATE_STREAM)
            return NODE_STREAMING_STORES;
        if (reach->served == LATE_CONTESTED || reach->served == LATE_FAR_CONTESTED)
            return NODE_FALSE_SHARING;
        return NODE_STORE_LATENCY;
    }
    if (split && drained > retired)
        return NODE_SPLIT_STORES;
    if (translated && drained > retired)
        return NODE_STORE_BOUND;
    return drained > retired ? (enum truth_node)stores->last_commit_node : NODE_NONE;
}
