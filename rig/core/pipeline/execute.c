/* The execution of uops: ports, the divider, loads and the addresses of stores. */
#include "execute.h"

#include "core/cycle/access_events.h"
#include "core/cycle/notes.h"
#include "core/cycle/smt.h"
#include "order.h"

/* A port that is taken stays taken. So cycles in which none was found to be free are not looked at
 * again: many uops may wait for one port. */
uint64_t next_free_port(struct timeline *time, uint16_t ports, struct full_cycles *full,
                        uint64_t ready)
{
    const bool known = full->from <= ready && ready < full->to;
    uint64_t cycle = known ? full->to : ready + 1;

    while (!(ports & ~cycle_at(time, cycle)->ports))
        cycle++;
    if (!known)
        full->from = ready;
    full->to = cycle;
    return cycle;
}

uint64_t take_this_port(struct model *model, uint16_t port, uint64_t ready)
{
    struct cycle *note = cycle_at(&model->time, ready);

    if (is_shared(model->smt))
        return smt_take_port(model, port, ready);
    if (note->ports & port) {
        ready = next_free_port(&model->time, port, &model->dispatch.full_port[__builtin_ctz(port)],
                               ready);
        note = cycle_at(&model->time, ready);
    }
    note->ports |= port;
    note->executed++;
    return ready;
}

uint64_t take_bound_port(struct model *model, uint16_t ports, uint64_t ready)
{
    return take_this_port(model, bind_port(model, ports), ready);
}

/* A load that has begun uses a port a second time: no further uop begins there. Where loads take
 * ports by turns, it is no turn. `same`: its own port, and not the other one. */
static void hold_load_port(struct model *model, bool same, uint64_t ready)
{
    const uint16_t port = model->loads.second_port == same ? PORT(2) : PORT(3);
    const uint64_t held = model->p->binds_ports == BINDS_LOADS
                              ? take_this_port(model, port, ready)
                              : take_port(model, CLASS_LOAD, ready);

    cycle_at(&model->time, held)->executed--;
}

/* The same of another uop, on one of its class's ports. */
static void hold_port(struct model *model, enum uop_class_id id, uint64_t ready)
{
    cycle_at(&model->time, take_port(model, id, ready))->executed--;
}

/* The notes of loads that are done in `cycle`. More loads may wait for one line than a note can
 * hold: the rest is noted in the next cycle. */
static int8_t *loads_ending(struct timeline *time, uint64_t cycle)
{
    for (;; cycle++) {
        int8_t *loads = cycle_at(time, cycle)->loads;
        bool room = true;

        for (unsigned i = 0; i < OUT_COUNT; i++)
            room = room && loads[i] > INT8_MIN;
        if (room)
            return loads;
    }
}

static void note_load(const struct model_parameters *p, struct timeline *time, uint64_t begun,
                      bool locked, const struct reach *reach)
{
    static const uint8_t missed[] = {
        [LEVEL_L1] = 1, [LEVEL_FILL_BUFFER] = 2, [LEVEL_L2] = 2, [LEVEL_L3] = 3, [LEVEL_MEMORY] = 4,
    };
    const uint64_t asked = reach->translated > begun ? reach->translated : begun;
    int8_t *last = loads_ending(time, reach->done);
    const unsigned count = missed[reach->level] & 7u;

    /* The load is outstanding at once; that L1 lacks its line is known after the translation. */
    cycle_at(time, begun)->loads[OUT_ANY]++;
    last[OUT_ANY]--;
    if (reach->level > LEVEL_FILL_BUFFER || asked > begun)
        notes_load(p, time, begun, locked, reach);
    for (unsigned i = OUT_L1_MISS; i < count; i++) {
        cycle_at(time, asked)->loads[i]++;
        last[i]--;
    }
}

/* Keeps in the retiring entry how its first load went. */
static void note_arrival(struct retiring *retiring, const struct reach *reach)
{
    const uint64_t translating = reach->translated - reach->begun;

    retiring->level = (uint8_t)reach->level;
    retiring->late = (uint8_t)reach->late;
    retiring->served = (uint8_t)reach->served;
    retiring->translated = reach->translated;
    retiring->translating = (uint16_t)(translating < UINT16_MAX ? translating : UINT16_MAX);
    retiring->flags |= RETIRE_LEVELLED;
}

bool crosses_line(const struct access *access)
{
    return (access->address ^ (access->address + access->size - 1)) / 64 != 0;
}

void note_ownership(struct flow *flow, const struct reach *reach)
{
    if (reach->level < LEVEL_L2)
        return;
    flow->retiring->flags |= reach->level == LEVEL_L2 ? RETIRE_RFO_L2_HIT : RETIRE_RFO_L2_MISS;
    if (reach->served == LATE_CONTESTED)
        flow->retiring->flags |= RETIRE_RFO_HITM;
    if (reach->served == LATE_FAR_CONTESTED)
        flow->retiring->flags |= RETIRE_RFO_REMOTE;
}

/* The load of a locked instruction has its line, and the lock costs its penalty. */
static void lock_line(const struct model_parameters *p, struct flow *flow, struct reach *reach)
{
    flow->locked = reach->done;
    note_ownership(flow, reach);
    reach->done += p->lock_penalty;
    if (!(p->ideal & IDEAL_MEMORY))
        reach->late = LATE_LOCK;
}

/* Whether the load may be one cycle faster: its address is one register, which a load wrote, or an
 * eliminated move of 64 bits from such a register, and a small displacement ("uiCA", A. Abel, J.
 * Reineke, "Accurate Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures", ICS
 * 2022). A load whose value a store gave is none of these: measured (BHive), not published. */
static bool is_pointer_chase(const struct renamer *renamer, const struct flow *flow,
                             const struct uop *uop)
{
    return flow->decoded->simple_load && renamer->loaded >> uop->sources[0] & 1;
}

static uint64_t execute_load(struct model *model, struct flow *flow, const struct uop *uop,
                             uint64_t begun)
{
    const struct access *access;
    struct reach reach;

    model->loads.forwarded = false;
    if (flow->load_total == 0)
        return begun + model->p->l1d.latency;
    access = flow->loads[flow->loads_begun < flow->load_total ? flow->loads_begun
                                                              : flow->load_total - 1];
    flow->loads_begun++;
    if (flow->decoded->prefetch) {
        memory_prefetch(model->memory, access->address, begun);
        notes_line_reads(model->memory, &model->time);
        return begun + 1;
    }
    if (model->p->banks.conflict)
        begun = banks_turn(model, access, begun);
    reach = order_load(model, flow->executed->rip, access, flow->decoded->locked, begun,
                       &flow->retiring->flags);
    model->loads.forwarded = reach.begun == 0; /* memory was not asked */
    if (crosses_line(access)) {
        /* The second half is read through another port in the next cycle. */
        if (!(model->p->ideal & IDEAL_MEMORY))
            hold_load_port(model, false, begun + 1);
        flow->retiring->flags |= RETIRE_SPLIT_LOAD;
    }
    if (model->p->wide_accesses_twice && access->size == 32)
        hold_load_port(model, true, begun + 1);
    if (flow->decoded->locked)
        lock_line(model->p, flow, &reach);
    if (is_pointer_chase(&model->renamer, flow, uop) && reach.done == begun + model->p->l1d.latency)
        reach.done -= model->p->simple_load_saves;
    memory_train(model->memory, flow->executed->rip, access->address, begun);
    notes_line_reads(model->memory, &model->time);
    note_load(model->p, &model->time, begun, flow->decoded->locked, &reach);
    if (crosses_line(access))
        notes_split(&model->time, reach.done, false);
    if (is_subscribed(&model->events))
        access_event_load(model, access,
                          flow->retiring->flags | (flow->decoded->locked ? RETIRE_LOCK : 0u), begun,
                          &reach);
    if (flow->loads_begun == 1)
        note_arrival(flow->retiring, &reach);
    flow->retiring->loaded = later(flow->retiring->loaded, reach.done);
    if (reach.walk)
        flow->retiring->flags |= RETIRE_LOAD_WALK;
    if (reach.second_level)
        flow->retiring->flags |= RETIRE_LOAD_STLB_HIT;
    return reach.done;
}

static uint64_t execute_divide(struct model *model, const struct uop_class *uop_class,
                               uint64_t ready, enum uop_class_id id)
{
    const uint64_t free =
        uop_class->occupies == 0 ? ready
        : is_shared(model->smt)
            ? smt_divider(model->smt, &model->time, uop_class->ports, ready, uop_class->occupies)
            : later(ready, model->dispatch.divider_free);
    const uint64_t begun = take_port(model, id, free);
    const int8_t one = divides(id) & RETIRE_FP_DIVIDES ? FP_DIVIDERS : 1;

    model->dispatch.divider_free = later(model->dispatch.divider_free, begun + uop_class->occupies);
    notes_division(&model->time, begun);
    cycle_at(&model->time, begun)->divider += one;
    cycle_at(&model->time, begun + uop_class->occupies)->divider -= one;
    return begun + uop_class->latency;
}

/* Translates the address of the instruction's store. Gives the cycles that this adds. */
static uint64_t translate_store(const struct model_parameters *p, struct memory_hierarchy *memory,
                                struct timeline *time, struct flow *flow, uint64_t begun)
{
    const struct reach reach = memory_translate_store(memory, flow->stores[0]->address, begun);

    if (reach.walk) {
        flow->retiring->flags |= RETIRE_STORE_WALK;
        notes_store_walk(p, time, reach.done);
    } else if (reach.second_level) {
        flow->retiring->flags |= RETIRE_STORE_STLB_HIT;
    }
    return reach.done - begun;
}

/* Takes one of the uop's ports; a uop that is not pipelined also keeps the unit of its class. Gives
 * the cycle in which the uop begins. */
static uint64_t begin_uop(struct model *model, const struct uop_class *uop_class, uint64_t ready,
                          enum uop_class_id id)
{
    uint64_t begun;

    if (uop_class->occupies < 2)
        return take_port(model, id, ready);
    begun = take_port(model, id, later(ready, model->dispatch.unit_free[id]));
    model->dispatch.unit_free[id] = begun + uop_class->occupies;
    return begun;
}

/* When the register was ready whose value the instruction loads; NOWHERE: there is none. The load
 * is executed all the same, and retires when it has been: a guess, a check of the renaming. */
static uint64_t renamed_load(struct stores *stores, uint64_t now, const struct flow *flow)
{
    if (!flow->decoded->spill || flow->load_total == 0)
        return NOWHERE;
    return order_renamed(stores, now, flow->loads[0], flow->decoded->spill);
}

uint64_t execute_uop(struct model *model, struct flow *flow, const struct uop *uop)
{
    const enum uop_class_id id =
        flow->with_branch && uop->class_id == CLASS_ALU
            ? CLASS_BRANCH
            : class_of(model->p, &model->mechanisms.moves, model->time.now, uop);
    const struct uop_class *uop_class = &model->p->classes[id];
    const uint64_t sources = sources_ready(&model->renamer, model->time.now, uop);
    const uint64_t ready = later(sources, model->time.now + DISPATCH_DELAY);
    uint64_t complete, renamed = NOWHERE;

    if (id == CLASS_NONE ||
        (flow->decoded->small_add && id == CLASS_ALU && small_adds_rename(model))) {
        complete = sources;
    } else {
        model->window.in_scheduler++;
        if (divides(id)) {
            flow->retiring->flags |= divides(id);
            complete = execute_divide(model, uop_class, ready, id);
        } else {
            const uint64_t begun = begin_uop(model, uop_class, ready, id);

            complete = begun + uop_class->latency;
            if (id == CLASS_LOAD) {
                renamed = renamed_load(&model->stores, model->time.now, flow);
                complete = execute_load(model, flow, uop, begun);
            } else if ((id == CLASS_STORE_ADDRESS || id == CLASS_STORE_INDEXED) &&
                       flow->store_total > 0) {
                complete += translate_store(model->p, model->memory, &model->time, flow, begun);
                flow->known = later(flow->known, complete);
            } else if (id == CLASS_STORE_DATA) {
                if (model->p->wide_accesses_twice && flow->store_total > 0 &&
                    flow->stores[0]->size == 32)
                    hold_port(model, CLASS_STORE_DATA, begun + 1);
                flow->data_begun = begun;
                flow->value = sources;
            } else if (id == CLASS_X87) {
                notes_x87(&model->time, begun);
            }
        }
    }
    write_registers(&model->renamer, &model->mechanisms.moves, model->time.now, uop,
                    renamed < complete ? later(model->time.now, renamed) : complete);
    if (id == CLASS_NONE)
        copy_register(&model->renamer, uop);
    else if (id == CLASS_LOAD && !model->loads.forwarded)
        model->renamer.loaded |= UINT64_C(1) << uop->destinations[0];
    return complete;
}
