/* Most instructions are one uop that touches no memory and does not branch. They take the same
 * steps as all others (back.c), without the questions whose answer is known. */
#include "plain.h"

#include "core/cycle/access_events.h"
#include "core/cycle/retire.h"
#include "core/cycle/truth.h"
#include "allocate.h"
#include "back.h"
#include "flow.h"
#include "front.h"
#include "sequence.h"

static bool is_unusual(const struct model *model, const struct decoded *decoded,
                       const struct executed *executed)
{
    return (model->renamer.upper_used && decoded->upper) |
           (model->mechanisms.high_bytes.written != 0) | (executed->accesses != 0) |
           (executed->end != END_NEXT) | executed->repeat | executed->assist |
           model->loads.snooped | is_subscribed(&model->events) | is_shared(model->smt);
}

/* Its slot is in the queue in that cycle. */
static inline uint64_t deliver(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;

    if (front_goes_on(model->p, front, decoded))
        front->redirected = false;
    else
        front_begin(model, decoded);
    if (front->source != SOURCE_DSB)
        return front_slot(model, decoded, true);
    front_take_room(model);
    front_note(&model->time, &front->delivered, front->cycle)->dsb++;
    return front->cycle;
}

/* Returns when its result is there. */
static inline uint64_t execute(struct model *model, const struct uop *uop, enum uop_class_id id)
{
    uint64_t complete = sources_ready(&model->renamer, model->time.now, uop);

    if (id == CLASS_NONE)
        id = class_of(model->p, &model->mechanisms.moves, model->time.now, uop);
    if (id != CLASS_NONE) {
        model->window.in_scheduler++;
        complete = take_port(model, id, later(complete, model->time.now + DISPATCH_DELAY)) +
                   model->p->classes[id].latency;
    }
    write_registers(&model->renamer, &model->mechanisms.moves, model->time.now, uop, complete);
    if (id == CLASS_NONE)
        copy_register(&model->renamer, uop);
    return complete;
}

static inline void retire(struct retirement *retirement, const struct decoded *decoded,
                          uint64_t complete)
{
    struct retiring *entry = &retirement->retiring[retirement->tail % RETIRING];

    *entry = (struct retiring){
        .cycle = retirement->last, .flags = decoded->retire, .uops = 1, .complete = complete};
    retire_push_sum(retirement, entry->cycle,
                    RETIRE_SUM_ONE(0) + RETIRE_SUM_ONE(RETIRE_SUM_UOPS) +
                        decoded->nop * RETIRE_SUM_ONE(RETIRE_SUM_NOPS));
}

bool model_plain(struct model *model, const struct decoded *decoded,
                 const struct executed *executed)
{
    static const struct flow flow; /* no loads, no stores */
    enum uop_class_id id = decoded->uops[0].class_id;
    enum truth_node node = decoded->node;
    uint64_t delivered, complete;

    if (is_unusual(model, decoded, executed))
        return false;
    if (fused_known(&model->previous, decoded)) {
        node = NODE_FUSED_INSTRUCTIONS;
        if (id == CLASS_ALU)
            id = CLASS_BRANCH;
    }
    delivered = deliver(model, decoded);
    if (!slot_is_free(model, delivered))
        wait_for_slot(model, &flow, delivered, true);
    take_slot(model);
    complete = execute(model, &decoded->uops[0], id);
    retire_slot(model->p, &model->time, &model->retirement, complete);
    charge(&model->truth, node, 1);
    model->previous.node = node;
    retire(&model->retirement, decoded, complete);
    sequence_remember(&model->previous, decoded, executed->rip + executed->length);
    model->previous.complete = complete;
    return true;
}
