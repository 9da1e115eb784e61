/* The back end: an instruction's slots are allocated in order, its uops execute out of order, and
 * it retires in order. */
#include "back.h"

#include "core/cycle/access_events.h"
#include "core/cycle/cause.h"
#include "core/cycle/cycles.h"
#include "core/cycle/notes.h"
#include "core/cycle/retire.h"
#include "core/cycle/spans.h"
#include "core/cycle/truth.h"
#include "allocate.h"
#include "dsb.h"
#include "execute.h"
#include "flow.h"
#include "front.h"
#include "order.h"

static void sort_accesses(struct flow *flow)
{
    for (unsigned i = 0; i < flow->executed->accesses; i++) {
        const struct access *access = &flow->executed->access[i];

        if (access->write)
            flow->stores[flow->store_total++] = access;
        else
            flow->loads[flow->load_total++] = access;
    }
}

static void note_store(struct timeline *time, const struct retirement *retirement,
                       struct flow *flow, const struct reach *reach)
{
    if (reach->level < LEVEL_L2)
        return;
    note_ownership(flow, reach);
    notes_store(time, retirement->last, reach);
}

/* The first cycle in which the store before lets this one leave the store buffer: its own cycle,
 * where the core commits pairs and both are to one line, else a later one. */
static uint64_t store_turn(const struct model_parameters *p, const struct stores *stores,
                           const struct access *access, bool split)
{
    if (p->store_pairs && access->address / 64 == stores->commit_alone && !split)
        return stores->last_commit;
    return stores->last_commit + (uint64_t)p->store_drain * (1 + split);
}

/* The store leaves the store buffer in that cycle; `alone`: no other store may join it. No third
 * store joins a pair. */
static void store_leaves(struct stores *stores, const struct access *access, uint64_t cycle,
                         bool alone)
{
    const bool second = cycle == stores->last_commit;

    stores->last_commit = cycle;
    stores->commit_alone = alone || second ? NOWHERE : access->address / 64;
}

/* Stores leave the store buffer in order after they retire; their lines are asked for when they
 * retire. A store that the second level of the TLB translated waits for it here, too: a [guess],
 * which makes blocks that push through pages take what was measured (blocks/README.md). */
static void commit_stores(struct model *model, struct flow *flow)
{
    for (unsigned i = 0; i < flow->store_total; i++) {
        const struct access *access = flow->stores[i];
        const struct reach reach = (flow->decoded->streaming ? memory_stream : memory_store)(
            model->memory, access->address, access->size, model->retirement.last);
        const bool crosses = crosses_line(access);
        const bool split = crosses && !(model->p->ideal & IDEAL_MEMORY); /* in two steps to L1 */
        /* by the second level; of several stores the first was asked for */
        const bool translated = i == 0 && flow->retiring->flags & RETIRE_STORE_STLB_HIT;
        uint64_t drained;

        notes_line_reads(model->memory, &model->time);
        if (is_subscribed(&model->events))
            access_event_store(&model->retirement, &model->events, access, flow->decoded->locked,
                               flow->retiring->flags & RETIRE_STORE_WALK, reach.level);
        if (reach.level != LEVEL_L1 || reach.late == LATE_STREAM)
            model->stores.miss = later(model->stores.miss, reach.done);
        note_store(&model->time, &model->retirement, flow, &reach);
        drained = store_turn(model->p, &model->stores, access, split);
        if (translated)
            drained += model->p->stlb_latency;
        model->stores.last_commit_node = (uint8_t)commit_node(
            &model->stores, &reach, drained, model->retirement.last + 1, split, translated);
        model->stores.node[model->stores.count % SLOT_RING] = model->stores.last_commit_node;
        store_leaves(&model->stores, access,
                     later(later(reach.done, drained), model->retirement.last + 1),
                     split || flow->decoded->streaming);
        order_store(&model->stores, access,
                    &(struct store_seen){.known = flow->known,
                                         .data_begun = flow->data_begun,
                                         .commit = model->stores.last_commit,
                                         .value = flow->value,
                                         .spill = flow->decoded->spill});
        if (crosses) {
            flow->retiring->flags |= RETIRE_SPLIT_STORE;
            notes_split(&model->time, model->retirement.last, true);
        }
        model->stores.freed[model->stores.count++ % SLOT_RING] = model->stores.last_commit;
    }
}

/* Charges the instruction's slots. Of a repeated string instruction only the last repetition has a
 * first slot; all slots of the others are beyond the first. */
static void account_slots(const struct model_parameters *p, struct previous *previous,
                          struct model_truth *truth, const struct flow *flow, unsigned slots,
                          struct retiring *retiring)
{
    const struct decoded *decoded = flow->decoded;
    const enum truth_node first =
        flow->with_branch ? NODE_FUSED_INSTRUCTIONS : (enum truth_node)decoded->node;
    const bool retires = retiring->flags & RETIRE_INSTRUCTION;
    const unsigned light = retires && slots > 0 && !decoded->heavy;

    charge(truth, first, light);
    if (slots > light)
        charge(truth, decoded->microcoded ? NODE_CISC : NODE_FEW_UOPS_INSTRUCTIONS, slots - light);
    if (light)
        previous->node = first;
    if (decoded->microcoded || !p->few_uops_are_light)
        retiring->heavy = (uint16_t)(slots - light);
    if (decoded->microcoded)
        retiring->flags |= RETIRE_MICROCODED | (light ? RETIRE_FIRST_LIGHT : 0u);
}

/* The slot of a fused pair was charged as the slot of its first instruction, unless the pair was
 * known. */
static void account_pair(struct previous *previous, struct model_truth *truth)
{
    if (previous->node == NODE_NONE || previous->node == NODE_FUSED_INSTRUCTIONS)
        return;
    truth->exact[previous->node]--;
    charge(truth, NODE_FUSED_INSTRUCTIONS, 1);
    previous->node = NODE_FUSED_INSTRUCTIONS;
}

/* Fences, serialising and locked instructions wait before they begin. */
static void before(struct model *model, const struct decoded *decoded)
{
    const unsigned ideal = model->p->ideal;

    if ((decoded->serialising || decoded->fence) && !(ideal & IDEAL_CORE))
        cycle_wait(model, model->retirement.last + 1, IDLE_SERIAL);
    if ((decoded->drains_stores || decoded->serialising || decoded->locked) &&
        !(ideal & IDEAL_MEMORY))
        cycle_wait(model,
                   later(model->stores.last_commit,
                         memory_stream_end(model->memory, model->stores.last_commit)),
                   decoded->locked ? IDLE_LOCK : IDLE_DRAIN);
}

/* An SSE instruction while upper halves are in use: the renamer adds a uop that joins the upper
 * half of the destination and the result, so the instruction waits for the register that it writes
 * (Optimization Reference Manual, "Mixing Intel AVX Code with Intel SSE Code"). `old`: the cycle in
 * which the destination was ready before. */
static void blend(struct model *model, struct flow *flow, unsigned id, uint64_t old)
{
    const struct uop uop = {.class_id = CLASS_VECTOR_ALU,
                            .sources = {(uint8_t)id, REG_TEMP3, REG_NONE, REG_NONE},
                            .destinations = {(uint8_t)id, REG_NONE}};
    uint64_t complete;

    model->renamer.register_ready[REG_TEMP3] = old;
    allocate_slot(model, flow, model->time.now, false);
    notes_blend(&model->time);
    complete = execute_uop(model, flow, &uop);
    retire_slot(model->p, &model->time, &model->retirement, complete);
    flow->complete = later(flow->complete, complete);
}

/* The register that an SSE instruction writes: its last uop writes it. */
static unsigned destination_of(const struct decoded *decoded)
{
    const struct uop *last = &decoded->uops[decoded->uop_count - 1u];

    return last->destinations[0];
}

/* Whether that uop and the next one come out of one entry of the queue. */
static bool is_pair(const struct decoded *decoded, unsigned i)
{
    return i + 1 < decoded->uop_count && decoded->uops[i + 1].unlaminates;
}

/* Both slots of a pair are allocated in one cycle ("uiCA", A. Abel, J. Reineke). */
static void wait_for_pair(struct model *model, uint64_t delivered)
{
    if (delivered <= model->time.now && idle_slots(model->p, &model->allocator) == 1)
        cycle_wait(model, model->time.now + 1, IDLE_BACK);
}

/* The slots and uops of one instruction, in order. Gives how many slots. */
static unsigned run_uops(struct model *model, struct flow *flow)
{
    const struct decoded *decoded = flow->decoded;
    unsigned slots = 0;
    uint64_t slot_complete = 0, delivered;

    for (unsigned i = 0; i < decoded->uop_count + (unsigned)decoded->extra; i++) {
        const struct uop *uop =
            &decoded->uops[i < decoded->uop_count ? i : decoded->uop_count - 1u];
        const bool new_slot = i == 0 || !uop->fused || i >= decoded->uop_count;
        const bool second = decoded->unlaminates && uop->unlaminates && i < decoded->uop_count;
        uint64_t complete;

        if (new_slot) {
            if (slots > 0)
                retire_slot(model->p, &model->time, &model->retirement, slot_complete);
            if (decoded->small_add && !flow->with_branch)
                small_adds_wait(model);
            delivered = front_slot(model, decoded, slots == 0);
            if (decoded->unlaminates && is_pair(decoded, i))
                wait_for_pair(model, delivered);
            allocate_slot(model, flow, delivered, slots == 0);
            slots++;
            slot_complete = 0;
        } else if (second) {
            retire_slot(model->p, &model->time, &model->retirement, slot_complete);
            allocate_slot(model, flow, model->time.now, false);
            slots++;
            slot_complete = 0;
        }
        complete = execute_uop(model, flow, uop);
        slot_complete = later(slot_complete, complete);
        flow->complete = later(flow->complete, complete);
    }
    retire_slot(model->p, &model->time, &model->retirement, slot_complete);
    return slots;
}

void fused_remember(const struct model_parameters *p, struct front *front,
                    struct previous *previous, uint64_t rip, uint64_t end)
{
    dsb_fused(p, front, rip, end);
    previous->fused_first[fused_place(rip)] = rip;
}

void back_flush(struct model *model, const struct executed *executed)
{
    for (unsigned i = 0; i < executed->accesses; i++) {
        memory_flush_line(model->memory, executed->access[i].address);
        dsb_lose_line(model->p, &model->front, executed->access[i].address);
    }
}

uint64_t back_execute(struct model *model, const struct decoded *decoded,
                      const struct executed *executed, struct retiring *retiring, bool fused)
{
    struct flow flow; /* its lists are not cleared: that would cost more than the rest */
    unsigned slots = 0;

    flow.decoded = decoded;
    flow.executed = executed;
    flow.retiring = retiring;
    flow.complete = flow.data_begun = flow.value = flow.known = flow.locked = 0;
    flow.with_branch = fused_known(&model->previous, decoded);
    flow.load_total = flow.store_total = flow.loads_begun = 0;
    sort_accesses(&flow);
    if (decoded->special) /* else neither `before` nor the end of this function does anything */
        before(model, decoded);
    if (fused) {
        flow.complete = model->previous.complete;
        account_pair(&model->previous, &model->truth);
        fused_remember(model->p, &model->front, &model->previous, model->previous.rip,
                       executed->rip + executed->length);
    } else {
        const bool blends = decoded->upper && upper_note(model->p, &model->renamer, decoded);
        const uint64_t old = blends ? model->renamer.register_ready[destination_of(decoded)] : 0;
        const bool high = high_bytes_matter(&model->mechanisms.high_bytes, decoded->high_byte);
        unsigned added, waited = 0;

        front_begin(model, decoded);
        added = stack_engine_uops(model, &flow);
        if (high) {
            added += high_bytes_merge(model, &flow);
            waited = high_bytes_wait(model, decoded);
        }
        slots = run_uops(model, &flow);
        if (blends)
            blend(model, &flow, destination_of(decoded), old);
        if (high)
            high_bytes_done(model, decoded, waited);
        added += blends;
        slots += added;
        retiring->uops = (uint16_t)added;
    }
    account_slots(model->p, &model->previous, &model->truth, &flow, slots, retiring);
    for (unsigned i = 0; i < flow.load_total; i++) {
        const struct access *access = flow.loads[i];

        model->loads.seen[model->loads.count % SLOT_RING] =
            (struct load_seen){.first = access->address / 64,
                               .last = (access->address + access->size - 1) / 64,
                               .done = flow.complete};
        model->loads.freed[model->loads.count++ % SLOT_RING] = model->retirement.last;
    }
    if (decoded->locked && flow.load_total > 0)
        retiring->flags |= RETIRE_LOCK;
    commit_stores(model, &flow);
    if (flow.locked)
        notes_lock(&model->time, flow.locked, model->stores.last_commit);
    if (decoded->flush)
        back_flush(model, executed);
    retiring->cycle = later(model->retirement.last, model->time.now + fused);
    retiring->complete = flow.complete;
    retiring->uops = (uint16_t)(fused ? 0 : retiring->uops + decoded->uop_count + decoded->extra);
    retire_push(&model->retirement);
    if (!decoded->special)
        return flow.complete;
    if (decoded->serialising && !(model->p->ideal & IDEAL_CORE))
        cycle_wait(model, model->retirement.last + 1, IDLE_SERIAL);
    if (decoded->mfence)
        cycle_wait(model, model->time.now + model->p->mfence_latency, IDLE_SERIAL);
    if (decoded->pause)
        cycle_wait(model, model->time.now + model->p->pause_latency, IDLE_PAUSE);
    return flow.complete;
}

/* --- nothing in flight --- */

void back_drain(struct model *model)
{
    const uint64_t retired = model->retirement.last + 1;
    const uint64_t noted = later(model->front.delivered.at, model->front.fetching.at) + 1;

    if (model->allocator.issued + model->allocator.wrong > 0)
        cycle_finish(model, IDLE_BACK);
    cycle_wait(model, retired, IDLE_BACK);
    cycle_wait(model, noted, IDLE_BACK);
    /* The second of a fused pair that a drain separated retires without a slot. */
    if (model->retirement.head != model->retirement.tail)
        cycle_wait(model,
                   model->retirement.retiring[(model->retirement.tail - 1) % RETIRING].cycle + 1,
                   IDLE_BACK);
    if (model->window.dividers > 0)
        cycle_wait(model, model->dispatch.divider_free + 1, IDLE_BACK);
    span_flush(&model->output);
    if (model->front.cycle < model->time.now)
        front_restart(model->p, &model->front, model->time.now);
}

void back_interrupt(const struct model_parameters *p, struct front *front,
                    struct mechanisms *mechanisms, uint64_t now)
{
    mechanisms_interrupted(mechanisms);
    front_restart(p, front, now + p->clear_resteer);
    front_late(front, now + p->clear_resteer, NODE_CLEARS_RESTEERS);
}

void back_idle(const struct model_parameters *p, struct front *front, struct timeline *time,
               uint64_t cycles)
{
    /* Of a drained pipeline only the ends of store misses are noted ahead. */
    notes_skip(time, time->now + cycles);
    time->now += cycles;
    front_restart(p, front, time->now);
}
