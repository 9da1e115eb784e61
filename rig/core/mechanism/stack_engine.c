#include "stack_engine.h"

#include "core/cycle/retire.h"
#include "core/pipeline/allocate.h"
#include "core/pipeline/execute.h"

static void synchronise(struct model *model, struct flow *flow)
{
    static const struct uop uop = {.class_id = CLASS_ALU,
                                   .sources = {STACK_POINTER, REG_NONE, REG_NONE, REG_NONE},
                                   .destinations = {STACK_POINTER, REG_NONE}};

    allocate_slot(model, flow, model->time.now, false);
    retire_slot(model->p, &model->time, &model->retirement, execute_uop(model, flow, &uop));
}

unsigned stack_engine_uops(struct model *model, struct flow *flow)
{
    struct stack_engine_state *state = &model->mechanisms.stack_engine;
    const struct decoded *decoded = flow->decoded;
    const bool late = decoded->stack_reads && state->moved;

    if (late || decoded->stack_writes)
        state->moved = false;
    state->moved |= decoded->stack_moves;
    if (late)
        synchronise(model, flow);
    return late;
}

/* A [guess]: RSP is brought up to date to push the frame. */
static void forget(struct stack_engine_state *state)
{
    state->moved = false;
}

const struct stack_engine_rules stack_engine_rules = {.interrupted = forget};
