/* The core model's door: instructions in, in program order. */
#include "core/model.h"

#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct model *model_new(const struct model_parameters *parameters, unsigned cpu,
                        struct shared_cache *shared, struct model_world world,
                        struct model_sink sink)
{
    struct model *model = calloc(1, sizeof(*model));

    if (model == NULL)
        return NULL;
    model->p = parameters;
    model->sink = sink;
    model->span = model->last = &model->spans[0];
    model->older = &model->spans[1];
    model->coming = &model->spans[2];
    model->unobserved.value[SIG_UNHALTED] = 1;
    model->ring = calloc(HORIZON, sizeof(*model->ring));
    model->notes = calloc(HORIZON, sizeof(*model->notes));
    model->retiring = calloc(RETIRING, sizeof(*model->retiring));
    model->access_events = calloc(RETIRING, sizeof(*model->access_events));
    model->groups = calloc(RETIRING, sizeof(*model->groups));
    model->memos = calloc(CYCLE_MEMOS, sizeof(*model->memos));
    model->memo = model->memos;
    model->decoder = decoder_new(parameters);
    model->memory = model->translations = memory_new(parameters, cpu, shared, world);
    model->rob = parameters->rob;
    model->load_buffer = parameters->load_buffer;
    model->store_buffer = parameters->store_buffer;
    model->idq = parameters->idq;
    model->predictor = predictor_new(parameters);
    for (unsigned i = 0; i < FORWARD_ENTRIES; i++)
        model->stores[i].granule = UINT64_MAX;
    if (model->ring == NULL || model->notes == NULL || model->retiring == NULL ||
        model->access_events == NULL || model->groups == NULL || model->memos == NULL ||
        model->decoder == NULL || model->memory == NULL || model->predictor == NULL ||
        !front_start(model)) {
        model_free(model);
        return NULL;
    }
    return model;
}

void model_free(struct model *model)
{
    if (model == NULL)
        return;
    if (model->smt != NULL)
        smt_free(model);
    front_free(model);
    if (model->predictor != NULL)
        predictor_free(model->predictor);
    if (model->memory != NULL)
        memory_free(model->memory);
    if (model->decoder != NULL)
        decoder_free(model->decoder);
    free(model->memos);
    free(model->groups);
    free(model->access_events);
    free(model->retiring);
    free(model->notes);
    free(model->ring);
    free(model);
}

void model_observed(struct model *model, const bool *observed)
{
    model->observed = observed;
}

void model_at_length(struct model *model, bool at_length)
{
    model->at_length = at_length;
}

const struct decoded *model_decode_anew(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded;

    decoded = decoder_get(model->decoder, executed->rip, executed->bytes, executed->length);
    if (executed->kept != NULL)
        *executed->kept = decoded;
    return decoded;
}

bool model_fuses(const struct model *model, const struct decoded *decoded,
                 const struct executed *executed)
{
    return decoded->fuses_with != 0 && model->previous_fuses &&
           model->previous_end == executed->rip && (decoded->fuses_with & model->previous_class);
}

static void describe(struct retiring *retiring, const struct decoded *decoded,
                     const struct executed *executed, bool fused)
{
    if (executed->end == END_FAULT || executed->repeat)
        return;
    retiring->flags = decoded->retire | (fused ? RETIRE_FUSED : 0u);
    retiring->flops = decoded->flops;
}

/* Predicts and learns; what retires is told. */
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

bool model_wrote_code(struct model *model, const struct executed *executed)
{
    for (unsigned i = 0; i < executed->accesses; i++) {
        const uint64_t address = executed->access[i].address;
        bool code;

        if (!executed->access[i].write || !memory_fetched(model->memory, address))
            continue;
        code = memory_in_code_cache(model->memory, address);
        code |= front_drop_line(model, address);
        if (!code)
            continue;
        memory_drop_code(model->memory, address);
        return true;
    }
    return false;
}

void settle(struct model *model)
{
    const uint64_t retired = model->last_retire + 1;
    const uint64_t noted = model->front.noted + 1;

    if (model->issued + model->wrong > 0)
        cycle_finish(model, IDLE_BACK);
    cycle_wait(model, retired, IDLE_BACK);
    cycle_wait(model, noted, IDLE_BACK);
    /* The second of a fused pair that was drained apart retires without a slot of its own. */
    if (model->retire_head != model->retire_tail)
        cycle_wait(model, model->retiring[(model->retire_tail - 1) % RETIRING].cycle + 1,
                   IDLE_BACK);
    if (model->dividers > 0)
        cycle_wait(model, model->divider_free + 1, IDLE_BACK);
    span_flush(model);
    if (model->front.cycle < model->now)
        front_restart(model, model->now);
}

static void account(struct model *model, const struct decoded *decoded,
                    const struct executed *executed)
{
    const bool fused = model_fuses(model, decoded, executed);
    /* Filled in place; it counts once back_execute has pushed it. */
    struct retiring *retiring = &model->retiring[model->retire_tail % RETIRING];
    struct branch_outcome outcome = {false, false};
    bool taken;
    uint64_t complete;

    if (model->snooped) {
        model->snooped = false;
        back_clear(model, model->last_retire + 1, CLEAR_ORDERING);
    }
    memset(retiring, 0, sizeof(*retiring));
    if (subscribed(model))
        access_events_begin(model);
    describe(retiring, decoded, executed, fused);
    if (decoded->branch && executed->end != END_FAULT)
        outcome = resolve_branch(model, decoded, executed, retiring);
    taken = retiring->flags & RETIRE_TAKEN;
    complete = back_execute(model, decoded, executed, retiring, fused);
    model_remember(model, decoded, executed->rip + executed->length, complete);
    if (executed->assist && model->p->assist_uops > 0)
        back_assist(model);
    if (model->passed_wrongly) {
        model->passed_wrongly = false;
        back_clear(model, model->last_retire + 1, CLEAR_DISAMBIGUATION);
    }
    if (outcome.mispredicted)
        back_clear(model, complete, CLEAR_MISPREDICT);
    else if (decoded->branch)
        front_branch(model, taken, outcome.unknown);
    if (executed->end != END_NEXT) {
        settle(model);
        front_restart(model, model->now + model->p->clear_resteer);
        front_late(model, model->now + model->p->clear_resteer, NODE_CLEARS_RESTEERS);
    } else if (executed->accesses && model_wrote_code(model, executed)) {
        back_clear(model, model->last_retire + 1, CLEAR_CODE);
    }
}

void model_account(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = model_decode(model, executed);

    if (!decoded->plain || model->at_length || !model_plain(model, decoded, executed))
        account(model, decoded, executed);
}

void model_execute(struct model *model, const struct executed *executed)
{
    if (is_unobserved(model)) {
        if (!model->passing)
            pass_begin(model);
        functional_warming(model, executed);
        return;
    }
    if (model->passing)
        pass_end(model);
    if (model->smt == NULL || !smt_put_aside(model, executed))
        model_account(model, executed);
}

void model_drain(struct model *model)
{
    model_sync(model);
    settle(model);
    if (model->smt != NULL)
        smt_emit(model->smt);
}

void model_idle(struct model *model, uint64_t cycles)
{
    model_drain(model);
    /* Nothing is noted ahead of a drained pipeline but the ends of store misses. */
    notes_skip(model, model->now + cycles);
    model->now += cycles;
    front_restart(model, model->now);
    if (model->smt != NULL)
        smt_emit(model->smt);
}

uint64_t model_now(const struct model *model)
{
    return model->now;
}

uint64_t model_allocated(const struct model *model)
{
    return model->slot_allocated[(model->slot_count - 1) % SLOT_RING];
}

uint64_t model_retired(const struct model *model)
{
    return model->last_retire;
}

void model_snoop_write(struct model *model, uint64_t address, unsigned size)
{
    for (uint64_t line = address / 64; line <= (address + size - 1) / 64; line++) {
        order_snoop(model, line);
        memory_invalidate(model->memory, line * 64);
        front_drop_line(model, line * 64);
    }
}

void model_snoop_sibling(struct model *model, uint64_t address, unsigned size)
{
    for (uint64_t line = address / 64; line <= (address + size - 1) / 64; line++)
        front_drop_line(model, line * 64);
}

void model_flush_tlb(struct model *model)
{
    model_sync(model);
    memory_select(model->memory, model->translations);
    memory_flush_tlb(model->memory);
}

void model_prefetch(struct model *model, uint64_t off)
{
    memory_prefetchers(model->memory, (unsigned)(off & 0xff));
}
