/* The life of a model, and what the machine asks of it (core/model.h). */
#include "core/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/cycle/access_events.h"
#include "core/cycle/smt.h"
#include "core/cycle/spans.h"
#include "core/cycle/truth.h"
#include "account.h"
#include "back.h"
#include "dsb.h"
#include "front.h"
#include "functional_warming.h"
#include "order.h"
#include "pair.h"
#include "period.h"

struct model *model_new(const struct model_parameters *parameters, unsigned cpu,
                        struct shared_cache *shared, struct model_world world,
                        struct model_sink sink)
{
    struct model *model = calloc(1, sizeof(*model));

    if (model == NULL)
        return NULL;
    model->p = parameters;
    model->output.sink = sink;
    model->output.span = model->output.last = &model->output.spans[0];
    model->output.older = &model->output.spans[1];
    model->output.coming = &model->output.spans[2];
    model->output.unobserved.value[SIG_UNHALTED] = model->output.unobserved.value[SIG_ALONE] = 1;
    model->time.ring = calloc(HORIZON, sizeof(*model->time.ring));
    model->time.notes = calloc(HORIZON, sizeof(*model->time.notes));
    model->retirement.retiring = calloc(RETIRING, sizeof(*model->retirement.retiring));
    model->events.notes = calloc(RETIRING, sizeof(*model->events.notes));
    model->retirement.groups = calloc(RETIRING, sizeof(*model->retirement.groups));
    model->output.memos = calloc(CYCLE_MEMOS, sizeof(*model->output.memos));
    model->output.memo = model->output.memos;
    model->decoder = decoder_new(parameters);
    model->memory = model->translations = hierarchy_new(parameters, cpu, shared, world);
    model->window.rob = parameters->rob;
    model->loads.room = parameters->load_buffer;
    model->stores.room = parameters->store_buffer;
    model->queue.room = parameters->idq;
    model->window.room_slots = parameters->allocates_groups ? parameters->width : 1;
    model->window.room_uops = parameters->allocates_groups ? parameters->width : 2;
    model->predictor = predictor_new(parameters);
    model->stores.commit_alone = NOWHERE;
    for (unsigned i = 0; i < FORWARD_ENTRIES; i++)
        for (unsigned j = 0; j < FORWARD_STORES; j++)
            model->stores.seen[i][j].granule = NOWHERE;
    if (model->time.ring == NULL || model->time.notes == NULL ||
        model->retirement.retiring == NULL || model->events.notes == NULL ||
        model->retirement.groups == NULL || model->output.memos == NULL || model->decoder == NULL ||
        model->memory == NULL || model->predictor == NULL ||
        !front_start(model->p, &model->front)) {
        model_free(model);
        return NULL;
    }
    if (sink.quiet != NULL)
        model->skipping.period = period_new(model);
    return model;
}

void model_free(struct model *model)
{
    if (model == NULL)
        return;
    if (model->smt != NULL)
        pair_free(model);
    period_free(model->memory, &model->skipping);
    dsb_free(&model->front);
    if (model->predictor != NULL)
        predictor_free(model->predictor);
    if (model->memory != NULL)
        hierarchy_free(model->memory);
    if (model->decoder != NULL)
        decoder_free(model->decoder);
    spans_free(&model->output);
    free(model->output.memos);
    free(model->retirement.groups);
    free(model->events.notes);
    free(model->retirement.retiring);
    free(model->time.notes);
    free(model->time.ring);
    free(model);
}

void model_observed(struct model *model, const enum observation *observation)
{
    model->warming.observed = observation;
}

void model_at_length(struct model *model, bool at_length)
{
    period_settle(model);
    model->at_length = at_length;
}

RIG_RARE static void begin_warming(struct model *model)
{
    period_settle(model);
    model_sync(model); /* what waits since both threads ran */
    warming_begin(model);
}

static void execute(struct model *model, const struct executed *executed)
{
    if (model->warming.goes_on)
        warming_end(model);
    if (model->skipping.period != NULL && !model->at_length)
        period_execute(model, executed);
    else if (model->smt == NULL || !pair_put_aside(model, executed))
        account(model, executed);
}

static void train(struct model *model, const struct executed *executed)
{
    if (!model->warming.goes_on)
        begin_warming(model);
    memory_select(model->memory, model->translations);
    if (*model->warming.observed == OBSERVED_NEVER)
        fast_forward(model, executed);
    else
        functional_warming(model, executed);
}

void model_execute(struct model *model, const struct executed *executed)
{
    if (is_unobserved(model->smt, &model->events, &model->warming))
        train(model, executed);
    else if (!period_skips(model, executed))
        execute(model, executed);
}

void model_drain(struct model *model)
{
    period_settle(model);
    model_sync(model);
    back_drain(model);
    if (model->smt != NULL)
        smt_emit(model->smt);
}

bool model_report(struct model *model)
{
    if (model_is_shared(model))
        return false;
    period_settle(model);
    span_flush(&model->output);
    return true;
}

void model_subscribe(struct model *model, struct model_subscriber subscriber)
{
    period_settle(model);
    access_events_subscribe(model->translations, &model->events, subscriber);
}

void model_truth_reset(struct model *model)
{
    period_settle(model);
    truth_reset(&model->previous, &model->output, &model->truth);
}

void model_truth(struct model *model, struct model_truth *truth)
{
    period_settle(model);
    truth_get(model, truth);
}

void model_idle(struct model *model, uint64_t cycles)
{
    model_drain(model);
    back_idle(model->p, &model->front, &model->time, cycles);
    if (model->smt != NULL)
        smt_emit(model->smt);
}

uint64_t model_now(const struct model *model)
{
    return model->time.now + period_ahead(&model->skipping);
}

uint64_t model_allocated(struct model *model)
{
    period_settle(model);
    return model->queue.slot_allocated[(model->queue.slot_count - 1) % SLOT_RING] +
           model->skipping.skipped;
}

uint64_t model_retired(const struct model *model)
{
    return period_retired(&model->retirement, &model->skipping, model->time.now);
}

/* One of more slots than are remembered has the oldest that is. */
struct model_passage model_passage(struct model *model)
{
    const struct uop_queue *queue = &model->queue;
    const struct retirement *retirement = &model->retirement;
    uint64_t slot, remembered;

    period_settle(model);
    remembered = queue->slot_count > SLOT_RING ? queue->slot_count - SLOT_RING : 0;
    slot = later(model->previous.first_slot, remembered);
    if (slot == queue->slot_count && slot > 0)
        slot--;
    return (struct model_passage){
        .entered = queue->slot_allocated[slot % SLOT_RING] + model->skipping.skipped,
        .retired = model_retired(model),
        .fused = retirement->retiring[(retirement->tail - 1) % RETIRING].flags & RETIRE_FUSED,
        .holds = model->previous.holds,
    };
}

bool model_can_interrupt(struct model *model)
{
    period_settle(model);
    return !model->previous.fuses || !fused_remembered(&model->previous, model->previous.rip);
}

void model_interrupt(struct model *model)
{
    period_settle(model);
    model_drain(model);
    if (!is_unobserved(model->smt, &model->events, &model->warming))
        back_interrupt(model->p, &model->front, &model->mechanisms, model->time.now);
}

void model_snoop_write(struct model *model, uint64_t address, unsigned size)
{
    period_settle(model);
    for (uint64_t line = address / 64; line <= (address + size - 1) / 64; line++) {
        order_snoop(&model->loads, model->time.now, line);
        memory_invalidate(model->memory, line * 64);
        dsb_drop_line(model->p, &model->front, line * 64);
    }
}

void model_snoop_sibling(struct model *model, uint64_t address, unsigned size)
{
    period_settle(model);
    for (uint64_t line = address / 64; line <= (address + size - 1) / 64; line++)
        dsb_drop_line(model->p, &model->front, line * 64);
}

void model_flush_tlb(struct model *model)
{
    period_settle(model);
    model_sync(model);
    memory_select(model->memory, model->translations);
    memory_flush_tlb(model->memory);
}

void model_flush_first_tlb(struct model *model)
{
    period_settle(model);
    model_sync(model);
    memory_select(model->memory, model->translations);
    memory_flush_first_tlb(model->memory);
}

void model_trust_loads(struct model *model)
{
    period_settle(model);
    order_trust_loads(&model->loads);
}

void model_linear_above(struct model *model, uint64_t bytes)
{
    period_settle(model);
    memory_linear_above(model->translations, bytes);
}

void model_clock(struct model *model, unsigned mhz, unsigned first_mhz)
{
    period_settle(model);
    memory_clock(model->memory, mhz, first_mhz);
}

void model_slow(struct model *model, uint64_t until)
{
    period_settle(model);
    model->front.slow_until = until > model->skipping.skipped ? until - model->skipping.skipped : 0;
}

void model_ends_by_chance(struct model *model, uint32_t seed)
{
    period_settle(model);
    predictor_ends_by_chance(model->predictor, seed);
}

void model_wrong_paths(struct model *model, uint32_t seed)
{
    period_settle(model);
    model->allocator.wrong_chance = seed;
}

void model_prefetch(struct model *model, uint64_t off)
{
    period_settle(model);
    memory_prefetchers(model->memory, (unsigned)(off & 0xff));
}

uint64_t model_skipped(const struct model *model)
{
    return period_skipped(&model->skipping);
}
