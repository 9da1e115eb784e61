/* A cycle ends: its signals are made, or taken from an equal earlier cycle, and the cycle goes to
 * the spans and the truth. */
#include "cycles.h"

#include <string.h>

#include "access_events.h"
#include "cause.h"
#include "cycle_memo.h"
#include "cycle_signals.h"
#include "retire.h"
#include "smt.h"
#include "spans.h"
#include "truth.h"

/* The node that the slots left empty are charged to. */
static enum truth_node idle_node(const struct model *model, enum idle why, bool memory,
                                 unsigned executed)
{
    switch (why) {
    case IDLE_FRONT:
        return front_node(model->p, &model->allocator,
                          model->allocator.issued + model->allocator.wrong == 0);
    case IDLE_RECOVERY:
        return model->allocator.wrong_node;
    case IDLE_CLEAR:
        return NODE_CORE_BOUND;
    case IDLE_SIBLING:
        return NODE_SIBLING;
    default:
        return back_node(model, why, executed, memory);
    }
}

/* The key of an idle cycle, in which nothing is noted and nothing allocated: idle cycles differ
 * only in their reasons and in what is under way. Never 0. */
static unsigned idle_key(const struct allocator *allocator, const struct window *window,
                         enum idle why, bool memory, enum no_retire none)
{
    return 1u | (unsigned)why << 1 | window->under_way |
           (unsigned)(window->in_scheduler == 0) << 10 | (unsigned)allocator->resteering << 11 |
           (unsigned)allocator->wrong_cause << 12 | (unsigned)allocator->starved << 16 |
           (unsigned)allocator->builds << 27 | (unsigned)memory << 28 |
           (unsigned)(allocator->wrong_node == NODE_OTHER_NUKES) << 29 | (unsigned)none << 30;
}

#define DIVIDER_UNDER_WAY    (1u << 9)
#define FP_DIVIDER_UNDER_WAY (1u << 25)

/* What is under way, as bits of idle_key and of cycle_memo_key. */
static unsigned under_way(const struct window *window)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < OUT_COUNT; i++)
        bits |= (unsigned)(window->outstanding[i] > 0) << (5 + i);
    return bits | (window->dividers > 0 ? DIVIDER_UNDER_WAY : 0) |
           (window->dividers >= FP_DIVIDERS ? FP_DIVIDER_UNDER_WAY : 0);
}

/* The bytes of a cycle as two words. */
static void words_of(const struct cycle *cycle, uint64_t *words)
{
    memcpy(words, cycle, sizeof(*cycle));
}

static bool is_blank(const struct cycle *cycle)
{
    uint64_t words[2];

    words_of(cycle, words);
    return (words[0] | words[1]) == 0;
}

/* Has all bits in the parts of a cycle that change what is under way. */
static const struct cycle changes = {.loads = {-1, -1, -1, -1}, .divider = -1};

/* What the front end does for a trace that it builds. */
#define FRONT_BUILDS (FRONT_LCP | FRONT_ICACHE | FRONT_ITLB | FRONT_SWITCH)

/* The mode of the trace cache in this cycle: it builds while the decoders deliver or wait for code,
 * and delivers when its own uops come. A guess: in all other cycles, also while the sequencer
 * delivers, it has the mode of the cycle before; with decoders and trace cache in one cycle it
 * builds. */
static bool builds(const struct allocator *allocator, const struct cycle *cycle)
{
    if (cycle->mite | (cycle->front & FRONT_BUILDS))
        return true;
    return cycle->dsb == 0 && allocator->builds;
}

/* A byte, 0 or 1, for each of eight bits. */
static uint64_t bytes_of(unsigned bits)
{
    const uint64_t each = bits * 0x0101010101010101 & 0x8040201008040201;

    return (each + 0x00406070787c7e7f) >> 7 & 0x0101010101010101;
}

/* What is known of ports in the next cycle; uops begin on these in the one that ends. */
static void pass_ports(struct dispatch *dispatch, uint16_t begun)
{
    for (unsigned i = 0; i < 2; i++) {
        dispatch->bound.words[i] +=
            dispatch->binding.words[i] - bytes_of(dispatch->begun_ports >> 8 * i & 0xff);
        dispatch->binding.words[i] = 0;
    }
    dispatch->begun_ports = begun;
}

/* Applies the changes that are noted in this cycle. */
static void pass_cycle(struct model *model, const struct cycle *cycle)
{
    uint64_t mask[2], words[2];

    words_of(&changes, mask);
    words_of(cycle, words);
    if ((words[0] & mask[0]) | (words[1] & mask[1])) {
        for (unsigned i = 0; i < OUT_COUNT; i++)
            model->window.outstanding[i] += cycle->loads[i];
        model->window.dividers += cycle->divider;
        model->window.under_way = under_way(&model->window);
    }
    if (model->p->trace_cache)
        model->allocator.builds = builds(&model->allocator, cycle);
    if (model->p->binds_ports == BINDS_ALL)
        pass_ports(&model->dispatch, cycle->ports);
    model->window.in_rob -= cycle->retired;
    model->window.in_scheduler -= cycle->executed;
}

/* `cycle` is over. */
static void next_cycle(struct timeline *time, struct allocator *allocator, struct cycle *cycle)
{
    allocator->issued = allocator->wrong = 0;
    allocator->pending_clears = allocator->pending_machine_clears = allocator->pending_smc = 0;
    allocator->pending_ordering = allocator->pending_disambiguation = 0;
    memset(cycle, 0, sizeof(*cycle));
    time->now++;
}

/* `due`: what retires in this cycle. */
static bool is_idle(const struct allocator *allocator, const struct cycle *cycle,
                    const struct retire_group *due)
{
    return allocator->issued + allocator->wrong == 0 && allocator->pending_clears == 0 &&
           due == NULL && is_blank(cycle);
}

/* When the oldest instruction retires, or `limit` if that is first. */
static uint64_t before_retirement(const struct retirement *retirement, uint64_t limit)
{
    const struct retire_group *group = &retirement->groups[retirement->group_head % RETIRING];

    return retirement->group_head != retirement->group_tail && group->cycle < limit ? group->cycle
                                                                                    : limit;
}

/* Ends the idle cycles before `limit` that are like the last cycle of the open span, all at once.
 * False: there is none. */
static bool skip_idle(struct model *model, uint64_t limit, enum idle why)
{
    const uint64_t begun = model->time.now;
    enum truth_node node;
    enum no_retire none;
    uint64_t until;
    bool memory;

    if (model->output.span->cycles == 0 ||
        !is_idle(&model->allocator, cycle_at(&model->time, model->time.now),
                 retire_due(&model->retirement, model->time.now)))
        return false;
    memory = back_waits_for_memory(model, why, 0);
    none = no_retire(model, 0, &until);
    if (model->output.span_key != idle_key(&model->allocator, &model->window, why, memory, none))
        return false;
    limit = limit < until ? limit : until;
    limit =
        before_retirement(&model->retirement, limit < begun + HORIZON ? limit : begun + HORIZON);
    /* Whatever changes the node is noted in the ring, so it stays the same here. */
    node = idle_node(model, why, memory, 0);
    while (model->time.now < limit && is_blank(cycle_at(&model->time, model->time.now)))
        model->time.now++;
    model->output.span->cycles += model->time.now - begun;
    truth_cycles(&model->window, &model->truth, why, 0, model->time.now - begun);
    charge(&model->truth, node, model->p->width * (model->time.now - begun));
    span_any_order(&model->output, model->time.now - begun);
    return model->time.now > begun;
}

/* Makes the key of the cycle that ends, in which `group` retires: everything that its signals
 * follow from. `state`: idle_key. False: they follow from more than a key has. */
static bool cycle_memo_key(const struct model *model, const struct cycle *cycle, enum idle why,
                           unsigned state, bool memory, const struct retire_group *group,
                           uint64_t *key)
{
    const bool sequencer =
        why == IDLE_FRONT && front_waits_for_sequencer(model->p, &model->allocator);
    uint64_t mask[2];

    if (model->allocator.pending_clears || model->time.going.any || cycle->more & MORE_NOTES)
        return false;
    words_of(&changes, mask);
    words_of(cycle, key);
    key[0] &= ~mask[0]; /* not the changes: the state that they lead to is in key[2] */
    key[1] &= ~mask[1];
    key[2] = 1ull << 63 | state | (uint64_t)memory << 24 | (uint64_t)sequencer << 26 |
             (uint64_t)model->allocator.issued << 32 | (uint64_t)model->allocator.wrong << 40;
    key[3] = key[4] = 0;
    if (group == NULL)
        return true;
    key[3] = group->sums[0];
    key[4] = group->sums[1];
    return !group->more && group->cycle == model->time.now;
}

/* The slots left empty were charged to `node`. */
static void pass_on_shared(struct model *model, const struct span *span, enum idle why,
                           enum truth_node node)
{
    if (model->allocator.issued + model->allocator.wrong > 0 || why == IDLE_CLEAR)
        smt_cycle_ends(model, span->value);
    else
        smt_idle_ends(model, span->value, node);
}

/* A cycle without a memo: its signals are made, and kept if `key` is not NULL. `span_key`: idle_key
 * of an idle cycle, else 0. The slots left empty were charged to `node`. */
static void make_cycle(struct model *model, const struct cycle *cycle, enum idle why, bool memory,
                       unsigned span_key, const uint64_t *key, enum truth_node node)
{
    struct span *span = model->output.coming;
    const enum cycle_kind kind =
        truth_cycles(&model->window, &model->truth, why, cycle->executed, 1);

    signals_begin(model, cycle, why, span);
    model->truth.uops_issued += model->allocator.issued + model->allocator.wrong;
    model->truth.uops_retired += cycle->retired;
    cycle_retire(model, span);
    signals_idle(model->p, &model->allocator, &model->window, why, memory, span);
    if (is_shared(model->smt)) {
        pass_on_shared(model, span, why, node);
        return;
    }
    span_join(&model->output, span_key);
    if (key != NULL)
        cycle_memo_keep(&model->output, &model->truth, key, span, kind);
}

void cycle_finish(struct model *model, enum idle why)
{
    struct cycle *cycle = cycle_at(&model->time, model->time.now);
    const struct retire_group *due;
    struct cycle_memo *memo;
    uint64_t key[CYCLE_KEY_WORDS];
    enum truth_node node = NODE_NONE;
    unsigned state, span_key;
    uint64_t until;
    bool idle, keyed, memory = false;

    if (model->output.span_key != 0 && skip_idle(model, model->time.now + 1, why))
        return;
    due = retire_due(&model->retirement, model->time.now);
    idle = is_idle(&model->allocator, cycle, due);
    pass_cycle(model, cycle);
    if (model->allocator.wrong > 0)
        charge(&model->truth, model->allocator.wrong_node, model->allocator.wrong);
    if (idle_slots(model->p, &model->allocator) > 0) { /* else nothing waits */
        memory = back_waits_for_memory(model, why, cycle->executed);
        node = idle_node(model, why, memory, cycle->executed);
        charge(&model->truth, node, idle_slots(model->p, &model->allocator));
    }
    state = idle_key(&model->allocator, &model->window, why, memory,
                     no_retire(model, cycle->retired, &until));
    span_key = idle ? state : 0;
    keyed = !model->at_length && !is_shared(model->smt) && !is_subscribed(&model->events) &&
            cycle_memo_key(model, cycle, why, state, memory, due, key);
    memo = keyed ? cycle_memo_find(&model->output, key) : NULL;
    if (memo != NULL) {
        if (due != NULL)
            retire_group(model, due);
        span_repeat(&model->output, memo, span_key);
    } else {
        make_cycle(model, cycle, why, memory, span_key, keyed ? key : NULL, node);
    }
    next_cycle(&model->time, &model->allocator, cycle);
}

void cycle_wait(struct model *model, uint64_t cycle, enum idle why)
{
    while (model->time.now < cycle)
        if (model->output.span_key == 0 || !skip_idle(model, cycle, why))
            cycle_finish(model, why);
}
