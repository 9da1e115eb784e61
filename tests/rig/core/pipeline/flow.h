/* An instruction on its way through the back end, shared by model_back.c and model_execute.c. */
#ifndef RIG_MODEL_FLOW_H
#define RIG_MODEL_FLOW_H

#include "inside.h"

/* Cycles from a uop's allocation to the first in which it can begin: the issue-to-dispatch delay
 * of "uiCA" (A. Abel, J. Reineke), one figure for Skylake and Ice Lake alike. */
#define DISPATCH_DELAY 5u

struct flow { /* of one instruction */
    const struct decoded *decoded;
    const struct executed *executed;
    struct retiring *retiring;
    uint64_t complete;   /* of its uops so far */
    uint64_t data_begun; /* when the data uop of its store began */
    uint64_t known;      /* when the address of its store was */
    uint64_t locked;     /* when a locked load had its line */
    bool
        with_branch; /* fused with the conditional jump that follows: one uop, on a branch's port */
    const struct access *loads[EXECUTED_ACCESSES], *stores[EXECUTED_ACCESSES];
    unsigned load_total, store_total, loads_begun;
};

/* Takes one of the instruction's uops to a port. Returns when its result is there. */
uint64_t execute_uop(struct model *model, struct flow *flow, const struct uop *uop);
/* Waits until the allocator can take a slot that is in the queue in cycle `delivered`. `first`: it
 * is its instruction's first one. */
void wait_for_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first);
/* Whether the instruction at this address is known for the first of a fused pair. */
static inline bool fused_known(const struct model *model, const struct decoded *decoded)
{
    const uint64_t rip = decoded->rip;

    return decoded->fuses_first && model->fused_first[(rip ^ rip >> 12) % FUSED_ENTRIES] == rip;
}
/* How the line that a store or a locked load wants for itself was found. */
void note_ownership(struct flow *flow, const struct reach *reach);
/* Of the lines of 64 bytes. */
bool crosses_line(const struct access *access);

/* --- steps that most instructions take, where they are taken --- */

/* Whether nothing has to be waited for but perhaps a place in the load and store buffers. */
static inline bool slot_is_free(const struct model *model, uint64_t delivered)
{
    return !is_shared(model) & (model->issued + model->wrong < model->p->width) &
           (model->in_rob < model->rob) & (model->in_scheduler + 2 <= model->p->scheduler) &
           (delivered <= model->now) & (model->last_retire <= model->now + HORIZON / 2);
}

static inline void take_slot(struct model *model)
{
    model->resteering = false;
    model->front.delays = 0;
    model->taken_source = model->front.source;
    model->taken_alone = model->front.decoded == 1;
    model->issued++;
    model->in_rob++;
    model->slot_allocated[model->slot_count % SLOT_RING] = model->now;
    model->slot_count++;
}

/* The first cycle from `ready` on in which one of the class's ports is free; it is taken. */
static inline uint64_t take_port(struct model *model, enum uop_class_id id, uint64_t ready)
{
    const uint16_t ports = model->p->classes[id].ports;
    struct cycle *note;
    uint16_t free;

    if (is_shared(model))
        return smt_take_port(model, ports, ready);
    for (;; ready++) {
        note = cycle_at(model, ready);
        free = (uint16_t)(ports & ~note->ports);
        if (free)
            break;
    }
    note->ports = (uint16_t)(note->ports | (free & -free));
    note->executed++;
    return ready;
}

/* A slot retires in order, `retire_width` a cycle, not before `complete` + 1. */
static inline void retire_slot(struct model *model, uint64_t complete)
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

/* When the sources of a uop are there. Without asking how many there are: a host's branches would
 * often go wrong. REG_NONE is a register that is always ready. */
static inline uint64_t sources_ready(const struct model *model, const struct uop *uop)
{
    uint64_t ready = model->now;

    for (unsigned i = 0; i < UOP_SOURCES; i++)
        ready = later(ready, model->register_ready[uop->sources[i]]);
    return ready;
}

static inline void write_registers(struct model *model, const struct uop *uop, uint64_t complete)
{
    for (unsigned i = 0; i < 2; i++)
        model->register_ready[uop->destinations[i]] = complete;
    model->register_ready[REG_NONE] = 0;
}

#endif
