/* The back end: allocation in order, execution out of order, retirement in order. */

#include <string.h>

#include "flow.h"

/* --- allocation --- */

static bool scheduler_full(const struct model *model)
{
    const unsigned entries = is_shared(model) ? smt_scheduler(model) : model->p->scheduler;

    return model->in_scheduler + 2 > entries;
}

/* The load and store buffers: entries are taken in order, at allocation. */
static void wait_for_buffers(struct model *model, const struct flow *flow)
{
    if (flow->load_total > 0 && model->load_count >= model->load_buffer) {
        const uint64_t freed =
            model->load_freed[(model->load_count - model->load_buffer) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_BACK);
    }
    if (flow->store_total > 0 && model->store_count >= model->store_buffer) {
        const uint64_t freed =
            model->store_freed[(model->store_count - model->store_buffer) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_STORES);
    }
}

/* Whether they have room for the instruction. */
static bool buffers_free(const struct model *model, const struct flow *flow)
{
    return (flow->load_total == 0 || model->load_count < model->load_buffer ||
            model->load_freed[(model->load_count - model->load_buffer) % SLOT_RING] < model->now) &&
           (flow->store_total == 0 || model->store_count < model->store_buffer ||
            model->store_freed[(model->store_count - model->store_buffer) % SLOT_RING] <
                model->now);
}

static void wait_for_front(struct model *model, uint64_t delivered)
{
    const struct front *front = &model->front;

    for (unsigned i = 0; i < front->delays && model->now < delivered; i++) {
        const struct front_delay *delay = &front->delay[i];

        model->starved = delay->node;
        if (model->now < delay->until)
            cycle_wait(model, delay->until < delivered ? delay->until : delivered, IDLE_FRONT);
    }
    model->starved = NODE_FETCH_LATENCY;
    cycle_wait(model, delivered, IDLE_FRONT);
}

/* Waits for a place in the re-order buffer and the scheduler, then for the front end, then (the
 * first slot of an instruction) for its place in the load and store buffers. */
void wait_for_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first)
{
    bool buffers = !first;

    for (;;) {
        if (model->issued + model->wrong >= model->p->width)
            cycle_finish(model, IDLE_BACK); /* nothing is left of it: the reason does not matter */
        else if (model->last_retire > model->now + HORIZON / 2)
            cycle_wait(model, model->last_retire - HORIZON / 2, IDLE_BACK);
        else if (model->in_rob >= model->rob || scheduler_full(model))
            cycle_finish(model, IDLE_BACK);
        else if (model->now < delivered) {
            if (is_shared(model))
                smt_starves(model, delivered);
            wait_for_front(model, delivered);
        } else if (!buffers) {
            wait_for_buffers(model, flow);
            buffers = true;
        } else if (is_shared(model) && !smt_may_allocate(model))
            cycle_finish(model, IDLE_SIBLING);
        else
            break;
    }
}

static void allocate_slot(struct model *model, const struct flow *flow, uint64_t delivered,
                          bool first)
{
    /* Nearly always there is nothing to wait for, so that is asked first and at once. */
    if (!slot_is_free(model, delivered) || (first && !buffers_free(model, flow)))
        wait_for_slot(model, flow, delivered, first);
    take_slot(model);
}

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

static void note_store(struct model *model, struct flow *flow, const struct reach *reach)
{
    if (reach->level < LEVEL_L2)
        return;
    note_ownership(flow, reach);
    notes_store(model, model->last_retire, reach);
}

/* Stores leave the store buffer in order once retired; their lines are asked for when they retire.
 */
static void commit_stores(struct model *model, struct flow *flow)
{
    for (unsigned i = 0; i < flow->store_total; i++) {
        const struct access *access = flow->stores[i];
        const struct reach reach = (flow->decoded->streaming ? memory_stream : memory_store)(
            model->memory, access->address, access->size, model->last_retire);
        const bool split = crosses_line(access); /* goes to L1 in two steps */
        uint64_t drained;

        notes_line_reads(model);
        if (subscribed(model))
            access_event_store(model, access, flow->decoded->locked,
                               flow->retiring->flags & RETIRE_STORE_WALK, reach.level);
        if (reach.level != LEVEL_L1 || reach.late == LATE_STREAM)
            model->store_miss = later(model->store_miss, reach.done);
        note_store(model, flow, &reach);
        drained = model->last_commit + (uint64_t)model->p->store_drain * (1 + split);
        model->last_commit_node =
            (uint8_t)commit_node(model, &reach, drained, model->last_retire + 1, split);
        model->store_node[model->store_count % SLOT_RING] = model->last_commit_node;
        model->last_commit = later(later(reach.done, drained), model->last_retire + 1);
        order_store(model, access,
                    &(struct store_seen){.known = flow->known,
                                         .data_begun = flow->data_begun,
                                         .commit = model->last_commit});
        if (split)
            flow->retiring->flags |= RETIRE_SPLIT_STORE;
        model->store_freed[model->store_count++ % SLOT_RING] = model->last_commit;
    }
}

/* All slots of a round of a string instruction that is not its last are beyond the first. */
static void account_slots(struct model *model, const struct flow *flow, unsigned slots,
                          struct retiring *retiring)
{
    const struct decoded *decoded = flow->decoded;
    const enum truth_node first =
        flow->with_branch ? NODE_FUSED_INSTRUCTIONS : (enum truth_node)decoded->node;
    const bool retires = retiring->flags & RETIRE_INSTRUCTION;
    const unsigned light = retires && slots > 0 && !decoded->heavy;

    charge(model, first, light);
    if (slots > light)
        charge(model, decoded->microcoded ? NODE_CISC : NODE_FEW_UOPS_INSTRUCTIONS, slots - light);
    if (light)
        model->previous_node = first;
    if (decoded->microcoded || !model->p->few_uops_are_light)
        retiring->heavy = (uint16_t)(slots - light);
    if (decoded->microcoded)
        retiring->flags |= RETIRE_MICROCODED | (light ? RETIRE_FIRST_LIGHT : 0u);
}

/* The slot of a pair was charged as its first instruction's, unless it was known for a pair's. */
static void account_pair(struct model *model)
{
    if (model->previous_node == NODE_NONE || model->previous_node == NODE_FUSED_INSTRUCTIONS)
        return;
    model->truth.exact[model->previous_node]--;
    charge(model, NODE_FUSED_INSTRUCTIONS, 1);
    model->previous_node = NODE_FUSED_INSTRUCTIONS;
}

static void before(struct model *model, const struct decoded *decoded)
{
    if (decoded->serialising || decoded->fence)
        cycle_wait(model, model->last_retire + 1, IDLE_SERIAL);
    if (decoded->drains_stores || decoded->serialising || decoded->locked)
        cycle_wait(model,
                   later(model->last_commit, memory_stream_end(model->memory, model->last_commit)),
                   decoded->locked ? IDLE_LOCK : IDLE_DRAIN);
}

/* Between SSE and what uses upper halves: the renamer adds a uop that puts the upper half of the
 * destination and the result together, so the instruction waits for the register that it writes
 * (Optimization Reference Manual, "Mixing Intel AVX Code with Intel SSE Code"). `old` is when the
 * destination was ready before. */
static void blend(struct model *model, struct flow *flow, unsigned id, uint64_t old)
{
    const struct uop uop = {.class_id = CLASS_VECTOR_ALU,
                            .sources = {(uint8_t)id, REG_TEMP3, REG_NONE, REG_NONE},
                            .destinations = {(uint8_t)id, REG_NONE}};
    uint64_t complete;

    model->register_ready[REG_TEMP3] = old;
    allocate_slot(model, flow, model->now, false);
    notes_blend(model);
    complete = execute_uop(model, flow, &uop);
    retire_slot(model, complete);
    flow->complete = later(flow->complete, complete);
}

/* Its last uop writes what an SSE instruction writes. */
static unsigned destination_of(const struct decoded *decoded)
{
    const struct uop *last = &decoded->uops[decoded->uop_count - 1u];

    return last->destinations[0];
}

/* The slots and uops of one instruction, in order. */
static unsigned run_uops(struct model *model, struct flow *flow)
{
    const struct decoded *decoded = flow->decoded;
    unsigned slots = 0;
    uint64_t slot_complete = 0;

    for (unsigned i = 0; i < decoded->uop_count + (unsigned)decoded->extra; i++) {
        const struct uop *uop =
            &decoded->uops[i < decoded->uop_count ? i : decoded->uop_count - 1u];
        const bool new_slot = i == 0 || !uop->fused || i >= decoded->uop_count;
        uint64_t complete;

        if (new_slot) {
            if (slots > 0)
                retire_slot(model, slot_complete);
            allocate_slot(model, flow, front_slot(model, decoded, slots == 0), slots == 0);
            slots++;
            slot_complete = 0;
        }
        complete = execute_uop(model, flow, uop);
        slot_complete = later(slot_complete, complete);
        flow->complete = later(flow->complete, complete);
    }
    retire_slot(model, slot_complete);
    return slots;
}

void fused_remember(struct model *model, uint64_t rip)
{
    model->fused_first[(rip ^ rip >> 12) % FUSED_ENTRIES] = rip;
}

uint64_t back_execute(struct model *model, const struct decoded *decoded,
                      const struct executed *executed, struct retiring *retiring, bool fused)
{
    struct flow flow; /* its lists are filled as far as they are used: clearing them all would cost
                         more than the rest */
    unsigned slots = 0;

    flow.decoded = decoded;
    flow.executed = executed;
    flow.retiring = retiring;
    flow.complete = flow.data_begun = flow.known = flow.locked = 0;
    flow.with_branch = fused_known(model, decoded);
    flow.load_total = flow.store_total = flow.loads_begun = 0;
    sort_accesses(&flow);
    if (decoded->special) /* says all that `before` and the end of this function ask for */
        before(model, decoded);
    if (fused) {
        flow.complete = model->previous_complete;
        account_pair(model);
        fused_remember(model, model->previous_rip);
    } else {
        const bool blends = decoded->upper && upper_note(model, decoded);
        const uint64_t old = blends ? model->register_ready[destination_of(decoded)] : 0;

        front_begin(model, decoded);
        slots = run_uops(model, &flow);
        if (blends)
            blend(model, &flow, destination_of(decoded), old);
        slots += blends;
        retiring->uops = blends;
    }
    account_slots(model, &flow, slots, retiring);
    for (unsigned i = 0; i < flow.load_total; i++) {
        const struct access *access = flow.loads[i];

        model->loads_seen[model->load_count % SLOT_RING] =
            (struct load_seen){.first = access->address / 64,
                               .last = (access->address + access->size - 1) / 64,
                               .done = flow.complete};
        model->load_freed[model->load_count++ % SLOT_RING] = model->last_retire;
    }
    if (decoded->locked && flow.load_total > 0)
        retiring->flags |= RETIRE_LOCK;
    commit_stores(model, &flow);
    if (flow.locked)
        notes_lock(model, flow.locked, model->last_commit);
    if (decoded->flush)
        for (unsigned i = 0; i < executed->accesses; i++)
            memory_flush_line(model->memory, executed->access[i].address);
    retiring->cycle = later(model->last_retire, model->now + fused);
    retiring->uops = (uint16_t)(fused ? 0 : retiring->uops + decoded->uop_count + decoded->extra);
    retire_push(model);
    if (!decoded->special)
        return flow.complete;
    if (decoded->serialising)
        cycle_wait(model, model->last_retire + 1, IDLE_SERIAL);
    if (decoded->pause)
        cycle_wait(model, model->now + model->p->pause_latency, IDLE_PAUSE);
    return flow.complete;
}

/* --- clears --- */

void back_clear(struct model *model, uint64_t resolved, enum clear clear)
{
    const struct model_parameters *p = model->p;
    /* Code that was written to has to be fetched again from afar. An assist is a clear too (H.
     * Ragab and others, "Rage Against the Machine Clear", USENIX Security 2021), and its figures
     * are taken for it: with its uops it then takes what P. Cordes (stackoverflow.com/q/60969892)
     * says for Sandy Bridge and later, about 160 cycles. A load that was wrong has all it needs
     * near by: it costs what a mispredicted branch costs, from its retirement on. No figure for it
     * is published. */
    const bool far = clear == CLEAR_CODE || clear == CLEAR_ASSIST;
    const uint64_t recovery = far ? p->clear_recovery : p->recovery;
    const uint64_t resteer = far ? p->clear_resteer : p->resteer;
    const enum slot_cause cause =
        clear == CLEAR_MISPREDICT ? CAUSE_BRANCH_MISPREDICTS : CAUSE_MACHINE_CLEARS;
    unsigned in_flight = 0; /* wrong-path slots in the re-order buffer */

    if (resolved <= model->now)
        resolved = model->now + 1;
    model->wrong_cause = cause;
    model->wrong_node = clear == CLEAR_MISPREDICT ? NODE_BRANCH_MISPREDICTS
                        : far                     ? NODE_OTHER_NUKES
                                                  : NODE_MACHINE_CLEARS;
    while (model->now < resolved) {
        const unsigned room =
            model->rob > model->in_rob + in_flight ? model->rob - model->in_rob - in_flight : 0;
        const unsigned free = (unsigned)model->p->width - model->issued;
        const bool served = !is_shared(model) || room == 0 || smt_may_allocate(model);

        model->wrong = !served ? 0 : free < room ? free : room;
        in_flight += model->wrong;
        cycle_finish(model, served ? IDLE_BACK : IDLE_SIBLING);
    }
    /* The published formula moves a whole cycle of slots for each clear: of two threads' cycles one
     * that is this thread's. */
    while (model->p->clear_cycle_is_backend && is_shared(model) && !smt_may_allocate(model))
        cycle_finish(model, IDLE_SIBLING);
    model->pending_clears = 1;
    model->pending_machine_clears = clear != CLEAR_MISPREDICT;
    model->pending_smc = clear == CLEAR_CODE;
    model->pending_ordering = clear == CLEAR_ORDERING || clear == CLEAR_DISAMBIGUATION;
    model->pending_disambiguation = clear == CLEAR_DISAMBIGUATION;
    if (model->p->clear_cycle_is_backend)
        cycle_finish(model, IDLE_CLEAR);
    cycle_wait(model, resolved + recovery, IDLE_RECOVERY);
    model->resteering = true;
    front_restart(model, resolved + resteer - (DISPATCH_DELAY - 1));
    front_late(model, resolved + resteer - (DISPATCH_DELAY - 1),
               clear == CLEAR_MISPREDICT ? NODE_MISPREDICTS_RESTEERS : NODE_CLEARS_RESTEERS);
}

/* --- assists --- */

void back_assist(struct model *model)
{
    /* Each uop waits for the one before: how they depend on each other is a guess. */
    static const struct uop uop = {.class_id = CLASS_MICROCODE,
                                   .sources = {REG_TEMP2, REG_NONE, REG_NONE, REG_NONE},
                                   .destinations = {REG_TEMP2, REG_NONE}};
    static const struct decoded decoded = {.microcoded = true};
    static const struct executed executed = {.accesses = 0};
    const unsigned slots = model->p->assist_uops;
    struct retiring *retiring;
    struct flow flow = {.decoded = &decoded, .executed = &executed};

    back_clear(model, model->last_retire + 1, CLEAR_ASSIST);
    front_assist(model);
    retiring = &model->retiring[model->retire_tail % RETIRING];
    memset(retiring, 0, sizeof(*retiring));
    flow.retiring = retiring;
    for (unsigned i = 0; i < slots; i++) {
        allocate_slot(model, &flow, front_slot(model, &decoded, false), false);
        retire_slot(model, execute_uop(model, &flow, &uop));
    }
    charge(model, NODE_FP_ASSISTS, slots);
    *retiring = (struct retiring){.cycle = model->last_retire,
                                  .flags = RETIRE_MICROCODED | RETIRE_ASSIST,
                                  .uops = (uint16_t)slots,
                                  .heavy = (uint16_t)slots};
    model->previous_node = NODE_NONE;
    retire_push(model);
    /* What follows is fetched when it is over. */
    model->resteering = true;
    front_restart(model, model->last_retire);
    front_late(model, model->last_retire, NODE_CLEARS_RESTEERS);
}
