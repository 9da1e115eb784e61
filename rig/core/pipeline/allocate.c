/* The allocator: what a slot waits for, and for how long. */
#include "allocate.h"

#include "core/cycle/cycles.h"

/* Waits for a place in the load and store buffers, which are taken in order, at allocation. */
static void wait_for_buffers(struct model *model, const struct flow *flow)
{
    if (flow->load_total > 0 && model->load_count >= model->load_buffer) {
        const uint64_t freed =
            model->load_freed[(model->load_count - model->load_buffer) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_MEMORY);
    }
    if (flow->store_total > 0 && model->store_count >= model->store_buffer) {
        const uint64_t freed =
            model->store_freed[(model->store_count - model->store_buffer) % SLOT_RING];

        cycle_wait(model, freed + 1, IDLE_STORES);
    }
}

/* Whether the load and store buffers have room for the instruction. */
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

static bool back_is_full(const struct model *model)
{
    return !back_has_room(model, is_shared(model) ? smt_scheduler(model) : model->p->scheduler);
}

/* What the back end has no room in for the instruction. */
static enum idle full_part(const struct model *model, const struct flow *flow)
{
    if (model->in_rob + model->room_slots > model->rob)
        return IDLE_ROB;
    return flow->load_total + flow->store_total > 0 ? IDLE_MEMORY : IDLE_SCHEDULER;
}

/* Waits for the re-order buffer and the scheduler, then for the front end, then (the first slot of
 * an instruction) for the load and store buffers. */
void wait_for_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first)
{
    for (;;) {
        if (model->issued + model->wrong >= model->p->width)
            cycle_finish(model, IDLE_BACK); /* the cycle is full: the reason does not matter */
        if (model->last_retire > model->now + HORIZON / 2)
            cycle_wait(model, model->last_retire - HORIZON / 2, IDLE_ROB);
        while (back_is_full(model)) {
            cycle_finish(model, full_part(model, flow));
            model->moves.full_cycles++;
        }
        if (model->now < delivered) {
            if (is_shared(model))
                smt_starves(model, delivered);
            wait_for_front(model, delivered);
        } else if (first && !buffers_free(model, flow))
            wait_for_buffers(model, flow);
        else if (is_shared(model) && !smt_may_allocate(model))
            cycle_finish(model, IDLE_SIBLING);
        else
            break;
    }
}

void allocate_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first)
{
    /* Nearly always there is nothing to wait for, so that is asked first. */
    if (!slot_is_free(model, delivered) || (first && !buffers_free(model, flow)))
        wait_for_slot(model, flow, delivered, first);
    take_slot(model);
}
