/* The front end: in which cycle a slot is in the uop queue. */
#ifndef RIG_CORE_PIPELINE_FRONT_H
#define RIG_CORE_PIPELINE_FRONT_H

#include "core/cycle/state.h"

/* False: the host's memory ran out. */
bool front_start(const struct model_parameters *p, struct front *front);
/* Finds out where the instruction's slots come from; before its first front_slot. */
void front_begin(struct model *model, const struct decoded *decoded);
/* The cycle in which the next slot of this instruction is in the queue. `first`: its first slot. */
uint64_t front_slot(struct model *model, const struct decoded *decoded, bool first);
/* The next slot can reach the queue in `cycle` at the earliest, in which nothing is delivered yet.
 */
void front_next_cycle(struct model *model, uint64_t cycle);
/* Functional warming: the uop cache, the instruction cache and its TLB learn of the instruction.
 * Gives the cycles that fetch waits. */
uint64_t front_warm(struct model *model, const struct decoded *decoded);
/* Functional warming: the next instruction is fetched elsewhere. */
void front_warm_redirect(struct front *front);
/* The sequencer is entered for an assist. */
void front_assist(struct model *model);
/* After a branch: `taken` ends the fetch block; `unknown` to the BTB costs a resteer. */
void front_branch(struct model *model, bool taken, bool unknown);
/* Nothing reaches the queue before `cycle`; fetch starts anew. */
void front_restart(const struct model_parameters *p, struct front *front, uint64_t cycle);
/* Slots that stay empty before cycle `until` are charged to `node`, unless an earlier call names
 * another node for their cycle. */
void front_late(struct front *front, uint64_t until, enum truth_node node);
/* Whether the instruction stored into code that was fetched; if so, the caches forget that code. */
bool front_wrote_code(const struct model_parameters *p, struct memory_hierarchy *memory,
                      struct front *front, const struct executed *executed);

/* Whether the instruction is in the line of the uop cache that the last one came from. */
static inline bool front_goes_on(const struct model_parameters *p, const struct front *front,
                                 const struct decoded *decoded)
{
    const struct dsb_line *line = front->dsb_last;
    const uint64_t rip = decoded->rip;

    return front->source == SOURCE_DSB && line != NULL && p->loop_uops == 0 &&
           rip >> 12 == front->page && line->window == rip >> front->window_shift &&
           line->starts >> (rip & ((1u << front->window_shift) - 1)) & 1;
}
/* The ring cycle to note what the front end does in its cycle `of`: never before the allocator's
 * cycle, which is final, and different cycles stay different. */
static inline struct cycle *front_note(struct timeline *time, struct front_notes *notes,
                                       uint64_t of)
{
    if (of != notes->of) {
        notes->of = of;
        notes->at++;
    }
    if (notes->at < of)
        notes->at = of;
    if (notes->at < time->now)
        notes->at = time->now;
    return cycle_at(time, notes->at);
}
/* The first cycle in which the queue has room for the next slot. */
static inline uint64_t front_behind(const struct uop_queue *queue)
{
    return queue->slot_count < queue->room
               ? 0
               : queue->slot_allocated[(queue->slot_count - queue->room) % SLOT_RING];
}
/* The next slot takes room in front->cycle: the first in which the source has room left, and the
 * queue too. */
static inline void front_take_room(struct model *model)
{
    const uint64_t behind = front_behind(&model->queue);

    if (model->front.cycle < behind)
        front_next_cycle(model, behind);
    if (model->front.room == 0)
        front_next_cycle(model, model->front.cycle + 1);
    model->front.room--;
}

#endif
