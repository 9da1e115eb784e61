/* One instruction through the whole pipeline: prediction, back end, and what it throws away. */
#include "account.h"

#include <string.h>

#include "core/cycle/access_events.h"
#include "core/cycle/notes.h"
#include "back.h"
#include "front.h"
#include "plain.h"
#include "sequence.h"

/* What is known of the entry before the instruction flows. */
static void describe(struct retiring *retiring, const struct decoded *decoded,
                     const struct executed *executed, bool fused)
{
    if (executed->end == END_FAULT || executed->repeat)
        return;
    retiring->flags = decoded->retire | (fused ? RETIRE_FUSED : 0u);
    retiring->flops = decoded->flops;
}

/* Predicts the branch and learns; sets what the entry says of it. */
static struct branch_outcome resolve_branch(struct predictor *predictor,
                                            const struct decoded *decoded,
                                            const struct executed *executed,
                                            struct retiring *retiring)
{
    const uint64_t fallthrough = executed->rip + executed->length;
    const uint64_t next = executed_flow(executed);
    const bool taken = !decoded->conditional || next != fallthrough;
    struct branch_outcome outcome;

    outcome = predictor_resolve(predictor, executed->rip, next, fallthrough, decoded->kind, taken);
    retiring->from = executed->rip;
    retiring->to = next;
    retiring->kind = (uint8_t)decoded->kind;
    if (taken)
        retiring->flags |= RETIRE_TAKEN;
    if (outcome.mispredicted)
        retiring->flags |= RETIRE_MISPREDICTED;
    return outcome;
}

/* A branch is executed when all its uops are. */
static void note_executed(struct model *model, const struct retiring *branch, uint64_t complete)
{
    if (model->p->notes_executed && branch->flags & RETIRE_TAKEN && branch->kind != BRANCH_FAR)
        notes_taken(&model->time, complete, branch->flags & RETIRE_MISPREDICTED);
}

static void account_any(struct model *model, const struct decoded *decoded,
                        const struct executed *executed)
{
    const bool fused = sequence_fuses(&model->previous, decoded, executed);
    /* filled in place; part of the ring once back_execute has pushed it */
    struct retiring *retiring = &model->retirement.retiring[model->retirement.tail % RETIRING];
    struct branch_outcome outcome = {false, false};
    bool taken;
    uint64_t complete;

    if (model->loads.snooped) {
        model->loads.snooped = false;
        back_clear(model, model->retirement.last + 1, CLEAR_ORDERING);
    }
    memset(retiring, 0, sizeof(*retiring));
    if (is_subscribed(&model->events))
        access_events_begin(&model->retirement, &model->events);
    describe(retiring, decoded, executed, fused);
    if (decoded->branch && executed->end != END_FAULT)
        outcome = resolve_branch(model->predictor, decoded, executed, retiring);
    taken = retiring->flags & RETIRE_TAKEN;
    complete = back_execute(model, decoded, executed, retiring, fused);
    if (decoded->branch)
        note_executed(model, retiring, complete);
    sequence_remember(&model->previous, decoded, executed->rip + executed->length);
    model->previous.complete = complete;
    model->previous.holds = decoded->serialising || decoded->mfence || decoded->pause;
    if (executed->assist && model->p->assist_uops > 0) {
        model->previous.holds = true;
        back_assist(model);
    }
    if (model->loads.passed_wrongly) {
        model->loads.passed_wrongly = false;
        model->previous.holds = true;
        back_clear(model, model->retirement.last + 1, CLEAR_DISAMBIGUATION);
    }
    model->previous.holds |= outcome.mispredicted;
    if (outcome.mispredicted)
        back_clear(model, complete, CLEAR_MISPREDICT);
    else if (decoded->branch)
        front_branch(model, taken, outcome.unknown);
    if (executed->end != END_NEXT) {
        back_drain(model);
        back_interrupt(model->p, &model->front, &model->mechanisms, model->time.now);
    } else if (executed->accesses &&
               front_wrote_code(model->p, model->memory, &model->front, executed)) {
        model->previous.holds = true;
        back_clear(model, model->retirement.last + 1, CLEAR_CODE);
    }
}

void account(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = sequence_decode(model->decoder, executed);

    model->previous.first_slot = model->queue.slot_count;
    model->previous.holds = false;
    if (!decoded->plain || model->at_length || !model_plain(model, decoded, executed))
        account_any(model, decoded, executed);
}
