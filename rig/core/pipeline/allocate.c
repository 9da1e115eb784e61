/* The allocator: what a slot waits for, and for how long. */
#include "allocate.h"

#include "core/cycle/cycles.h"

/* Waits for a place in the load and store buffers, which are taken in order, at allocation. */
static void wait_for_buffers(struct model *model, const struct flow *flow)
{
    if (flow->load_total > 0 && model->loads.count >= model->loads.room) {
        const uint64_t freed =
            model->loads.freed[(model->loads.count - model->loads.room) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_MEMORY);
    }
    if (flow->store_total > 0 && model->stores.count >= model->stores.room) {
        const uint64_t freed =
            model->stores.freed[(model->stores.count - model->stores.room) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_STORES);
    }
}

/* Whether the load and store buffers have room for the instruction. */
static bool buffers_free(const struct loads *loads, const struct stores *stores, uint64_t now,
                         const struct flow *flow)
{
    return (flow->load_total == 0 || loads->count < loads->room ||
            loads->freed[(loads->count - loads->room) % SLOT_RING] < now) &&
           (flow->store_total == 0 || stores->count < stores->room ||
            stores->freed[(stores->count - stores->room) % SLOT_RING] < now);
}

static void wait_for_front(struct model *model, uint64_t delivered)
{
    const struct front *front = &model->front;

    for (unsigned i = 0; i < front->delays && model->time.now < delivered; i++) {
        const struct front_delay *delay = &front->delay[i];

        model->allocator.starved = delay->node;
        if (model->time.now < delay->until)
            cycle_wait(model, delay->until < delivered ? delay->until : delivered, IDLE_FRONT);
    }
    model->allocator.starved = NODE_FETCH_LATENCY;
    cycle_wait(model, delivered, IDLE_FRONT);
}

static bool back_is_full(const struct model *model)
{
    return !back_has_room(model->p, &model->allocator, &model->window,
                          is_shared(model->smt)
                              ? smt_scheduler(model->p, model->smt, model->thread, model->time.now)
                              : model->p->scheduler);
}

/* What the back end has no room in for the instruction. */
static enum idle full_part(const struct window *window, const struct flow *flow)
{
    if (window->in_rob + window->room_slots > window->rob)
        return IDLE_ROB;
    return flow->load_total + flow->store_total > 0 ? IDLE_MEMORY : IDLE_SCHEDULER;
}

/* Waits for the re-order buffer and the scheduler, then for the front end, then (the first slot of
 * an instruction) for the load and store buffers. */
void wait_for_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first)
{
    for (;;) {
        if (model->allocator.issued + model->allocator.wrong >= model->p->width)
            cycle_finish(model, IDLE_BACK); /* the cycle is full: the reason does not matter */
        if (model->retirement.last > model->time.now + HORIZON / 2)
            cycle_wait(model, model->retirement.last - HORIZON / 2, IDLE_ROB);
        while (back_is_full(model)) {
            cycle_finish(model, full_part(&model->window, flow));
            model->mechanisms.moves.full_cycles++;
        }
        if (model->time.now < delivered) {
            if (is_shared(model->smt))
                smt_starves(model->smt, model->thread, delivered);
            wait_for_front(model, delivered);
        } else if (first && !buffers_free(&model->loads, &model->stores, model->time.now, flow))
            wait_for_buffers(model, flow);
        else if (is_shared(model->smt) &&
                 !smt_may_allocate(model->smt, model->thread, model->time.now))
            cycle_finish(model, IDLE_SIBLING);
        else
            break;
    }
}

void allocate_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first)
{
    /* Nearly always there is nothing to wait for, so that is asked first. */
    if (!slot_is_free(model, delivered) ||
        (first && !buffers_free(&model->loads, &model->stores, model->time.now, flow)))
        wait_for_slot(model, flow, delivered, first);
    take_slot(model);
}
