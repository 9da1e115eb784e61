/* One instruction through the whole pipeline: prediction, back end, and what it throws away. */
#include "account.h"

#include <string.h>

#include "core/cycle/access_events.h"
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
static struct branch_outcome resolve_branch(struct model *model, const struct decoded *decoded,
                                            const struct executed *executed,
                                            struct retiring *retiring)
{
    const uint64_t fallthrough = executed->rip + executed->length;
    const uint64_t next = executed_flow(executed);
    const bool taken = !decoded->conditional || next != fallthrough;
    struct branch_outcome outcome;

    outcome =
        predictor_resolve(model->predictor, executed->rip, next, fallthrough, decoded->kind, taken);
    retiring->from = executed->rip;
    retiring->to = next;
    retiring->kind = (uint8_t)decoded->kind;
    if (taken)
        retiring->flags |= RETIRE_TAKEN;
    if (outcome.mispredicted)
        retiring->flags |= RETIRE_MISPREDICTED;
    return outcome;
}

static void account_any(struct model *model, const struct decoded *decoded,
                        const struct executed *executed)
{
    const bool fused = sequence_fuses(model, decoded, executed);
    /* filled in place; part of the ring once back_execute has pushed it */
    struct retiring *retiring = &model->retiring[model->retire_tail % RETIRING];
    struct branch_outcome outcome = {false, false};
    bool taken;
    uint64_t complete;

    if (model->snooped) {
        model->snooped = false;
        back_clear(model, model->last_retire + 1, CLEAR_ORDERING);
    }
    memset(retiring, 0, sizeof(*retiring));
    if (is_subscribed(model))
        access_events_begin(model);
    describe(retiring, decoded, executed, fused);
    if (decoded->branch && executed->end != END_FAULT)
        outcome = resolve_branch(model, decoded, executed, retiring);
    taken = retiring->flags & RETIRE_TAKEN;
    complete = back_execute(model, decoded, executed, retiring, fused);
    sequence_remember(model, decoded, executed->rip + executed->length);
    model->previous_complete = complete;
    model->holds = decoded->serialising || decoded->mfence || decoded->pause;
    if (executed->assist && model->p->assist_uops > 0) {
        model->holds = true;
        back_assist(model);
    }
    if (model->passed_wrongly) {
        model->passed_wrongly = false;
        model->holds = true;
        back_clear(model, model->last_retire + 1, CLEAR_DISAMBIGUATION);
    }
    model->holds |= outcome.mispredicted;
    if (outcome.mispredicted)
        back_clear(model, complete, CLEAR_MISPREDICT);
    else if (decoded->branch)
        front_branch(model, taken, outcome.unknown);
    if (executed->end != END_NEXT) {
        back_drain(model);
        back_interrupt(model);
    } else if (executed->accesses && front_wrote_code(model, executed)) {
        model->holds = true;
        back_clear(model, model->last_retire + 1, CLEAR_CODE);
    }
}

void account(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = sequence_decode(model, executed);

    model->first_slot = model->slot_count;
    model->holds = false;
    if (!decoded->plain || model->at_length || !model_plain(model, decoded, executed))
        account_any(model, decoded, executed);
}
