#include "small_adds.h"

#include "core/cycle/cycles.h"

void small_adds_wait(struct model *model)
{
    const struct small_adds_state *state = &model->mechanisms.small_adds;

    if (state->cycle == model->time.now && state->made > model->p->small_adds.a_cycle)
        cycle_wait(model, model->time.now + 1, IDLE_BACK);
}

bool small_adds_rename(struct model *model)
{
    struct small_adds_state *state = &model->mechanisms.small_adds;

    if (state->cycle != model->time.now)
        *state = (struct small_adds_state){.cycle = model->time.now};
    return state->made++ < model->p->small_adds.a_cycle;
}

/* Those of an earlier cycle do not count any more. */
static void relative(struct small_adds_state *copy, uint64_t now)
{
    *copy = copy->cycle == now ? (struct small_adds_state){.cycle = 1, .made = copy->made}
                               : (struct small_adds_state){0};
}

/* An ideal core makes every such addition in the renamer, if it makes any there. */
const struct small_adds_rules small_adds_rules = {
    .ideals = IDEAL_CORE,
    .ideal = {.a_cycle = UINT8_MAX},
    .relative = relative,
};
