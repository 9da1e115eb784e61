/* The back end: allocation in order, execution out of order, retirement in order. */
#include <stddef.h>

#include "model_state.h"

/* Cycles from a uop's allocation to the first in which it can begin: the issue-to-dispatch delay
 * of "uiCA" (A. Abel, J. Reineke), one figure for Skylake and Ice Lake alike. */
#define DISPATCH_DELAY 5u

/* --- notes about coming cycles --- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The first cycle from `ready` on in which one of the class's ports is free; it is taken. A port
 * that was ever found busy in a cycle stays busy, so the search of a class need not look again
 * before its hint. */
static uint64_t take_port(struct model *model, enum uop_class_id id, uint64_t ready)
{
    const uint16_t ports = model->p->classes[id].ports;
    const bool hinted = ready <= model->port_hint[id];
    uint64_t cycle = hinted ? model->port_hint[id] : ready;
    struct cycle *note;
    uint16_t free;

    for (;; cycle++) {
        note = cycle_at(model, cycle);
        free = (uint16_t)(ports & ~note->ports);
        if (free)
            break;
    }
    if (hinted)
        model->port_hint[id] = cycle;
    note->ports = (uint16_t)(note->ports | (free & -free));
    note->executed++;
    return cycle;
}

/* A slot retires in order, `retire_width` a cycle, not before `complete` + 1. */
static void retire_slot(struct model *model, uint64_t complete)
{
    uint64_t cycle = later(later(complete + 1, model->last_retire), model->now + 1);

    if (cycle == model->last_retire && model->last_retire_used >= model->p->retire_width)
        cycle++;
    if (cycle != model->last_retire)
        model->last_retire_used = 0;
    model->last_retire = cycle;
    model->last_retire_used++;
    cycle_at(model, cycle)->retired++;
}

/* Where loads that are done in `cycle` are noted. More may wait for one line than a note can hold:
 * the others end in the next. */
static int8_t *loads_ending(struct model *model, uint64_t cycle)
{
    for (;; cycle++) {
        int8_t *loads = cycle_at(model, cycle)->loads;
        bool room = true;

        for (unsigned i = 0; i < OUT_COUNT; i++)
            room = room && loads[i] > INT8_MIN;
        if (room)
            return loads;
    }
}

static void note_load(struct model *model, uint64_t begun, const struct reach *reach)
{
    static const uint8_t missed[] = {
        [LEVEL_L1] = 1, [LEVEL_FILL_BUFFER] = 2, [LEVEL_L2] = 2, [LEVEL_L3] = 3, [LEVEL_MEMORY] = 4,
    };
    int8_t *first = cycle_at(model, begun)->loads, *last = loads_ending(model, reach->done);
    const unsigned count = missed[reach->level] & 7u;

    for (unsigned i = 0; i < OUT_COUNT; i++) {
        first[i] = (int8_t)(first[i] + (i < count));
        last[i] = (int8_t)(last[i] - (i < count));
    }
}

/* --- stores and their forwarding --- */

static struct store_seen *store_slot(struct model *model, uint64_t granule)
{
    return &model->stores[granule % FORWARD_ENTRIES];
}

static void remember_store(struct model *model, const struct access *access, uint64_t data_begun,
                           uint64_t commit)
{
    for (uint64_t granule = access->address / 8;
         granule <= (access->address + access->size - 1) / 8; granule++)
        *store_slot(model, granule) =
            (struct store_seen){access->address, granule, data_begun, commit, access->size};
}

/* The youngest older store still in the store buffer at `cycle` that overlaps this load, or null.
 */
static const struct store_seen *overlapping_store(struct model *model, const struct access *access,
                                                  uint64_t cycle)
{
    for (uint64_t granule = access->address / 8;
         granule <= (access->address + access->size - 1) / 8; granule++) {
        const struct store_seen *store = store_slot(model, granule);

        if (store->granule == granule && store->commit > cycle &&
            store->address < access->address + access->size &&
            access->address < store->address + store->size)
            return store;
    }
    return NULL;
}

static struct reach load(struct model *model, const struct access *access, uint64_t cycle)
{
    const struct store_seen *store = overlapping_store(model, access, cycle);
    struct reach reach = {.done = cycle + model->p->l1d.latency, .level = LEVEL_L1};

    if (!store)
        return memory_load(model->memory, access->address, access->size, cycle);
    if (store->address <= access->address &&
        access->address + access->size <= store->address + store->size)
        reach.done = later(cycle, store->data_begun) + model->p->forward_latency;
    else
        reach.done = later(cycle, store->commit) + model->p->forward_blocked;
    return reach;
}

/* --- execution of one uop --- */

struct flow { /* of one instruction */
    const struct decoded *decoded;
    const struct executed *executed;
    struct retiring *retiring;
    uint64_t complete;   /* of its uops so far */
    uint64_t data_begun; /* when the data uop of its store began */
    bool
        with_branch; /* fused with the conditional jump that follows: one uop, on a branch's port */
    const struct access *loads[EXECUTED_ACCESSES], *stores[EXECUTED_ACCESSES];
    unsigned load_total, store_total, loads_begun;
};

static uint64_t execute_load(struct model *model, struct flow *flow, uint64_t begun)
{
    const struct access *access;
    struct reach reach;

    if (flow->load_total == 0)
        return begun + model->p->l1d.latency;
    access = flow->loads[flow->loads_begun < flow->load_total ? flow->loads_begun
                                                              : flow->load_total - 1];
    flow->loads_begun++;
    if (flow->decoded->prefetch) {
        memory_prefetch(model->memory, access->address, begun);
        return begun + 1;
    }
    reach = load(model, access, begun);
    if (flow->decoded->simple_load && reach.done == begun + model->p->l1d.latency)
        reach.done -= model->p->simple_load_saves;
    note_load(model, begun, &reach);
    if (listened(model))
        listen_load(model, access, flow->decoded->locked, begun, &reach);
    if (flow->loads_begun == 1) {
        flow->retiring->level = (uint8_t)reach.level;
        flow->retiring->flags |= RETIRE_LEVELLED;
    }
    if (reach.walk)
        flow->retiring->flags |= RETIRE_LOAD_WALK;
    return reach.done;
}

static uint64_t execute_divide(struct model *model, const struct uop_class *class, uint64_t ready,
                               enum uop_class_id id)
{
    const uint64_t begun = take_port(model, id, later(ready, model->divider_free));

    model->divider_free = begun + class->occupies;
    cycle_at(model, begun)->divider++;
    cycle_at(model, begun + class->occupies)->divider--;
    return begun + class->latency;
}

/* Returns when its result is there. */
static uint64_t execute_uop(struct model *model, struct flow *flow, const struct uop *uop)
{
    const enum uop_class_id id =
        flow->with_branch && uop->class_id == CLASS_ALU ? CLASS_BRANCH : uop->class_id;
    const struct uop_class *class = &model->p->classes[id];
    uint64_t sources = model->now, ready, complete;
    bool walk = false;

    for (unsigned i = 0; i < UOP_SOURCES && uop->sources[i] != REG_NONE; i++)
        sources = later(sources, model->register_ready[uop->sources[i]]);
    ready = later(sources, model->now + DISPATCH_DELAY);
    if (id == CLASS_NONE) {
        complete = sources;
    } else {
        model->in_scheduler++;
        if (class->occupies > 1) {
            complete = execute_divide(model, class, ready, id);
        } else {
            const uint64_t begun = take_port(model, id, ready);

            complete = begun + class->latency;
            if (id == CLASS_LOAD)
                complete = execute_load(model, flow, begun);
            else if (id == CLASS_STORE_ADDRESS && flow->store_total > 0)
                complete += memory_translate_store(model->memory, flow->stores[0]->address, &walk);
            else if (id == CLASS_STORE_DATA)
                flow->data_begun = begun;
        }
    }
    if (walk)
        flow->retiring->flags |= RETIRE_STORE_WALK;
    for (unsigned i = 0; i < 2 && uop->destinations[i] != REG_NONE; i++)
        model->register_ready[uop->destinations[i]] = complete;
    return complete;
}

/* --- allocation --- */

static bool scheduler_full(const struct model *model)
{
    return model->in_scheduler + 2 > model->p->scheduler;
}

/* The load and store buffers: entries are taken in order, at allocation. */
static void wait_for_buffers(struct model *model, const struct flow *flow)
{
    const struct model_parameters *p = model->p;

    if (flow->load_total > 0 && model->load_count >= p->load_buffer) {
        const uint64_t freed = model->load_freed[(model->load_count - p->load_buffer) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_BACK);
    }
    if (flow->store_total > 0 && model->store_count >= p->store_buffer) {
        const uint64_t freed =
            model->store_freed[(model->store_count - p->store_buffer) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_STORES);
    }
}

/* Waits for a place in the re-order buffer and the scheduler, then for the front end, then (the
 * first slot of an instruction) for its place in the load and store buffers, and takes one slot. */
static void allocate_slot(struct model *model, const struct flow *flow, uint64_t delivered,
                          bool first)
{
    bool buffers = !first;

    for (;;) {
        if (model->issued + model->wrong >= model->p->width)
            cycle_finish(model, IDLE_BACK); /* nothing is left of it: the reason does not matter */
        else if (model->last_retire > model->now + HORIZON / 2)
            cycle_wait(model, model->last_retire - HORIZON / 2, IDLE_BACK);
        else if (model->in_rob >= model->p->rob || scheduler_full(model))
            cycle_finish(model, IDLE_BACK);
        else if (model->now < delivered)
            cycle_wait(model, delivered, IDLE_FRONT);
        else if (!buffers) {
            wait_for_buffers(model, flow);
            buffers = true;
        } else
            break;
    }
    model->resteering = false;
    model->issued++;
    model->in_rob++;
    model->slot_allocated[model->slot_count % SLOT_RING] = model->now;
    model->slot_count++;
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

/* Stores leave the store buffer in order once retired; their lines are asked for when they retire.
 */
static void commit_stores(struct model *model, struct flow *flow)
{
    for (unsigned i = 0; i < flow->store_total; i++) {
        const struct access *access = flow->stores[i];
        const struct reach reach =
            memory_store(model->memory, access->address, access->size, model->last_retire);

        if (listened(model))
            listen_store(model, access, flow->decoded->locked,
                         flow->retiring->flags & RETIRE_STORE_WALK, reach.level);
        if (reach.level != LEVEL_L1)
            model->store_miss = later(model->store_miss, reach.done);
        model->last_commit = later(later(reach.done, model->last_commit + model->p->store_drain),
                                   model->last_retire + 1);
        remember_store(model, access, flow->data_begun, model->last_commit);
        model->store_freed[model->store_count++ % SLOT_RING] = model->last_commit;
    }
}

/* All slots of a round of a string instruction that is not its last are beyond the first. */
static void account_slots(struct model *model, const struct decoded *decoded, unsigned slots,
                          struct retiring *retiring)
{
    const bool retires = retiring->flags & RETIRE_INSTRUCTION;
    const bool all_heavy = (model->p->heavy_is_microcode && decoded->microcoded) || !retires;
    const unsigned light = all_heavy || slots == 0 ? 0 : 1;

    model->truth.slots[CAUSE_LIGHT_OPERATIONS] += light;
    model->truth.slots[CAUSE_HEAVY_OPERATIONS] += slots - light;
    retiring->heavy = (uint16_t)(slots - light);
}

static void before(struct model *model, const struct decoded *decoded)
{
    if (decoded->serialising || decoded->fence)
        cycle_wait(model, model->last_retire + 1, IDLE_BACK);
    if (decoded->drains_stores || decoded->serialising || decoded->locked)
        cycle_wait(model, model->last_commit, IDLE_STORES);
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

/* Where it is kept that the instruction at this address is the first of a fused pair. What follows
 * it is not known when it executes; the code says it the same way every time. */
static uint64_t *fused_first(struct model *model, uint64_t rip)
{
    return &model->fused_first[(rip ^ rip >> 12) % FUSED_ENTRIES];
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
    flow.complete = flow.data_begun = 0;
    flow.with_branch = decoded->fuses_first && *fused_first(model, executed->rip) == executed->rip;
    flow.load_total = flow.store_total = flow.loads_begun = 0;
    sort_accesses(&flow);
    before(model, decoded);
    if (fused) {
        flow.complete = model->previous_complete;
        *fused_first(model, model->previous_rip) = model->previous_rip;
    } else {
        front_begin(model, decoded);
        slots = run_uops(model, &flow);
    }
    account_slots(model, decoded, slots, retiring);
    for (unsigned i = 0; i < flow.load_total; i++)
        model->load_freed[model->load_count++ % SLOT_RING] = model->last_retire;
    commit_stores(model, &flow);
    if (decoded->flush)
        for (unsigned i = 0; i < executed->accesses; i++)
            memory_flush_line(model->memory, executed->access[i].address);
    retiring->cycle = later(model->last_retire, model->now + fused);
    retiring->uops = (uint16_t)(fused ? 0 : decoded->uop_count + decoded->extra);
    model->retire_tail++;
    if (decoded->serialising)
        cycle_wait(model, model->last_retire + 1, IDLE_BACK);
    if (decoded->pause)
        cycle_wait(model, model->now + model->p->pause_latency, IDLE_BACK);
    return flow.complete;
}

/* --- clears --- */

void back_clear(struct model *model, uint64_t resolved, enum slot_cause cause, unsigned resteer)
{
    unsigned in_flight = 0; /* wrong-path slots in the re-order buffer */

    if (resolved <= model->now)
        resolved = model->now + 1;
    model->wrong_cause = cause;
    while (model->now < resolved) {
        const unsigned room = model->p->rob > model->in_rob + in_flight
                                  ? model->p->rob - model->in_rob - in_flight
                                  : 0;
        const unsigned free = (unsigned)model->p->width - model->issued;

        model->wrong = free < room ? free : room;
        in_flight += model->wrong;
        cycle_finish(model, IDLE_BACK);
    }
    model->pending_clears = 1;
    if (cause == CAUSE_MACHINE_CLEARS)
        model->pending_machine_clears = 1;
    if (model->p->clear_cycle_is_backend)
        cycle_finish(model, IDLE_CLEAR);
    cycle_wait(model,
               resolved +
                   (cause == CAUSE_MACHINE_CLEARS ? model->p->clear_recovery : model->p->recovery),
               IDLE_RECOVERY);
    model->resteering = true;
    front_restart(model, resolved + resteer - (DISPATCH_DELAY - 1));
}
