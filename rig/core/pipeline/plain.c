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
    return (model->upper_used && decoded->upper) | (model->high_written != 0) |
           (executed->accesses != 0) | (executed->end != END_NEXT) | executed->repeat |
           executed->assist | model->snooped | is_subscribed(model) | is_shared(model);
}

/* Its slot is in the queue in that cycle. */
static inline uint64_t deliver(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;

    if (front_goes_on(model, decoded))
        front->redirected = false;
    else
        front_begin(model, decoded);
    if (front->source != SOURCE_DSB)
        return front_slot(model, decoded, true);
    front_take_room(model);
    front_note(model, &front->delivered, front->cycle)->dsb++;
    return front->cycle;
}

/* Returns when its result is there. */
static inline uint64_t execute(struct model *model, const struct uop *uop, enum uop_class_id id)
{
    uint64_t complete = sources_ready(model, uop);

    if (id == CLASS_NONE)
        id = class_of(model, uop);
    if (id != CLASS_NONE) {
        model->in_scheduler++;
        complete = take_port(model, id, later(complete, model->now + DISPATCH_DELAY)) +
                   model->p->classes[id].latency;
    }
    write_registers(model, uop, complete);
    if (id == CLASS_NONE)
        copy_register(model, uop);
    return complete;
}

static inline void retire(struct model *model, const struct decoded *decoded, uint64_t complete)
{
    struct retiring *entry = &model->retiring[model->retire_tail % RETIRING];

    *entry = (struct retiring){
        .cycle = model->last_retire, .flags = decoded->retire, .uops = 1, .complete = complete};
    retire_push_sum(model, entry->cycle,
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
    if (fused_known(model, decoded)) {
        node = NODE_FUSED_INSTRUCTIONS;
        if (id == CLASS_ALU)
            id = CLASS_BRANCH;
    }
    delivered = deliver(model, decoded);
    if (!slot_is_free(model, delivered))
        wait_for_slot(model, &flow, delivered, true);
    take_slot(model);
    complete = execute(model, &decoded->uops[0], id);
    retire_slot(model, complete);
    charge(model, node, 1);
    model->previous_node = node;
    retire(model, decoded, complete);
    sequence_remember(model, decoded, executed->rip + executed->length);
    model->previous_complete = complete;
    return true;
}
