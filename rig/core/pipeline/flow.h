/* An instruction on its way through the back end, and the steps of that way. */
#ifndef RIG_CORE_PIPELINE_FLOW_H
#define RIG_CORE_PIPELINE_FLOW_H

#include "core/cycle/ports.h"
#include "core/cycle/smt.h"
#include "core/cycle/state.h"
#include "bind.h"

/* Cycles from a uop's allocation to the first in which it can begin: the issue-to-dispatch delay of
 * "uiCA" (A. Abel, J. Reineke), one figure for Skylake and Ice Lake alike. */
#define DISPATCH_DELAY 5u

struct flow {
    const struct decoded *decoded;
    const struct executed *executed;
    struct retiring *retiring;
    uint64_t complete;   /* when its uops so far are complete */
    uint64_t data_begun; /* when the data uop of its store began */
    uint64_t value;      /* when the register that this uop stores was ready */
    uint64_t known;      /* when the address of its store was known */
    uint64_t locked;     /* when its locked load had the line */
    bool
        with_branch; /* fused with the conditional jump that follows: one uop, on a branch's port */
    const struct access *loads[EXECUTED_ACCESSES], *stores[EXECUTED_ACCESSES];
    unsigned load_total, store_total, loads_begun;
};

/* --- the steps that most instructions take, inline --- */

/* Whether the re-order buffer and `scheduler` entries of the scheduler have room for a slot: two
 * uops. Where slots are allocated as a group, the first one of a cycle waits until there is room
 * for all that the cycle could have. */
static inline bool back_has_room(const struct model_parameters *p,
                                 const struct allocator *allocator, const struct window *window,
                                 unsigned scheduler)
{
    return (p->allocates_groups & (allocator->issued > 0)) |
           ((window->in_rob + window->room_slots <= window->rob) &
            (window->in_scheduler + window->room_uops <= scheduler));
}

/* Whether a slot can be taken now: nothing to wait for, except perhaps the load and store buffers.
 */
static inline bool slot_is_free(const struct model *model, uint64_t delivered)
{
    return !is_shared(model->smt) &
           (model->allocator.issued + model->allocator.wrong < model->p->width) &
           back_has_room(model->p, &model->allocator, &model->window, model->p->scheduler) &
           (delivered <= model->time.now) &
           (model->retirement.last <= model->time.now + HORIZON / 2);
}

/* The slot is taken in the current cycle. */
static inline void take_slot(struct model *model)
{
    model->allocator.resteering = false;
    model->front.delays = 0;
    model->allocator.taken_source = model->front.source;
    model->allocator.taken_alone = model->front.decoded == 1;
    model->allocator.issued++;
    model->window.in_rob++;
    model->queue.slot_allocated[model->queue.slot_count % SLOT_RING] = model->time.now;
    model->queue.slot_count++;
}

/* The first cycle behind `ready` in which one of these ports is free; in `ready` none is. `full`:
 * what is known of cycles in which they are taken. */
uint64_t next_free_port(struct timeline *time, uint16_t ports, struct full_cycles *full,
                        uint64_t ready);

/* The first cycle from `ready` on in which that port is free; it is taken. */
uint64_t take_this_port(struct model *model, uint16_t port, uint64_t ready);

/* Binds a uop to one of these ports. The first cycle from `ready` on in which that port is free; it
 * is taken. */
uint64_t take_bound_port(struct model *model, uint16_t ports, uint64_t ready);

/* The first cycle from `ready` on in which the port that the uop is bound to is free, or one of its
 * class's ports where uops are not bound; that port is taken. Where ports are without end, the port
 * of a uop that finds none free is not known. */
static inline uint64_t take_port(struct model *model, enum uop_class_id id, uint64_t ready)
{
    const uint16_t ports = model->p->classes[id].ports;
    struct cycle *note = cycle_at(&model->time, ready);
    uint16_t free = (uint16_t)(ports & ~note->ports);

    if (model->p->binds_ports != BINDS_NONE && binds(model->p, ports))
        return take_bound_port(model, ports, ready);
    if (is_shared(model->smt))
        return smt_take_port(model, ports, ready);
    if (!free && !(model->p->ideal & IDEAL_CORE)) {
        ready = next_free_port(&model->time, ports, &model->dispatch.full[id], ready);
        note = cycle_at(&model->time, ready);
        free = (uint16_t)(ports & ~note->ports);
    }
    note->ports = (uint16_t)(note->ports | ports_choose(model->p, &model->dispatch, free));
    note->executed++;
    return ready;
}

/* The class of a uop that is no move, or of a move that may be eliminated. */
static inline enum uop_class_id class_of(const struct model_parameters *p,
                                         struct moves_state *moves, uint64_t now,
                                         const struct uop *uop)
{
    if (!uop->moves || moves_eliminate(&p->moves, moves, now, uop))
        return uop->class_id;
    if (moves->sharing >> uop->destinations[0] & 1)
        moves_written(moves, now, uop->destinations[0]);
    if (uop->destinations[0] < REG_VECTOR)
        return CLASS_ALU;
    return p->classes[CLASS_VECTOR_MOVE].ports ? CLASS_VECTOR_MOVE : CLASS_VECTOR_ALU;
}

/* When the sources of a uop are ready. REG_NONE is always ready, so all UOP_SOURCES are asked: a
 * branch on their number would often go wrong on the host. */
static inline uint64_t sources_ready(const struct renamer *renamer, uint64_t now,
                                     const struct uop *uop)
{
    uint64_t ready = now;

    for (unsigned i = 0; i < UOP_SOURCES; i++)
        ready = later(ready, renamer->register_ready[uop->sources[i]]);
    return ready;
}

/* The results of the uop are there at `complete`. */
static inline void write_registers(struct renamer *renamer, struct moves_state *moves, uint64_t now,
                                   const struct uop *uop, uint64_t complete)
{
    const uint64_t registers = UINT64_C(1) << uop->destinations[0] | UINT64_C(1)
                                                                         << uop->destinations[1];

    for (unsigned i = 0; i < 2; i++)
        renamer->register_ready[uop->destinations[i]] = complete;
    if (rarely(moves->sharing & registers) && !uop->moves)
        moves_overwrite(moves, now, registers);
    renamer->loaded &= ~registers;
    renamer->register_ready[REG_NONE] = 0;
}

/* After an eliminated move: whether a load wrote the register is true of both registers. */
static inline void copy_register(struct renamer *renamer, const struct uop *uop)
{
    if (uop->copies)
        renamer->loaded |= (renamer->loaded >> uop->sources[0] & 1) << uop->destinations[0];
}

#endif
