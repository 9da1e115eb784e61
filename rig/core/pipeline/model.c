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
    model->sink = sink;
    model->span = model->last = &model->spans[0];
    model->older = &model->spans[1];
    model->coming = &model->spans[2];
    model->unobserved.value[SIG_UNHALTED] = model->unobserved.value[SIG_ALONE] = 1;
    model->ring = calloc(HORIZON, sizeof(*model->ring));
    model->notes = calloc(HORIZON, sizeof(*model->notes));
    model->retiring = calloc(RETIRING, sizeof(*model->retiring));
    model->access_events = calloc(RETIRING, sizeof(*model->access_events));
    model->groups = calloc(RETIRING, sizeof(*model->groups));
    model->memos = calloc(CYCLE_MEMOS, sizeof(*model->memos));
    model->memo = model->memos;
    model->decoder = decoder_new(parameters);
    model->memory = model->translations = hierarchy_new(parameters, cpu, shared, world);
    model->rob = parameters->rob;
    model->load_buffer = parameters->load_buffer;
    model->store_buffer = parameters->store_buffer;
    model->idq = parameters->idq;
    model->room_slots = parameters->allocates_groups ? parameters->width : 1;
    model->room_uops = parameters->allocates_groups ? parameters->width : 2;
    model->predictor = predictor_new(parameters);
    model->commit_alone = NOWHERE;
    for (unsigned i = 0; i < FORWARD_ENTRIES; i++)
        for (unsigned j = 0; j < FORWARD_STORES; j++)
            model->stores[i][j].granule = NOWHERE;
    if (model->ring == NULL || model->notes == NULL || model->retiring == NULL ||
        model->access_events == NULL || model->groups == NULL || model->memos == NULL ||
        model->decoder == NULL || model->memory == NULL || model->predictor == NULL ||
        !front_start(model)) {
        model_free(model);
        return NULL;
    }
    if (sink.quiet != NULL)
        model->period = period_new(model);
    return model;
}

void model_free(struct model *model)
{
    if (model == NULL)
        return;
    if (model->smt != NULL)
        pair_free(model);
    period_free(model);
    dsb_free(model);
    if (model->predictor != NULL)
        predictor_free(model->predictor);
    if (model->memory != NULL)
        hierarchy_free(model->memory);
    if (model->decoder != NULL)
        decoder_free(model->decoder);
    spans_free(model);
    free(model->memos);
    free(model->groups);
    free(model->access_events);
    free(model->retiring);
    free(model->notes);
    free(model->ring);
    free(model);
}

void model_observed(struct model *model, const enum observation *observation)
{
    model->observed = observation;
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
    if (model->warming)
        warming_end(model);
    if (model->period != NULL && !model->at_length)
        period_execute(model, executed);
    else if (model->smt == NULL || !pair_put_aside(model, executed))
        account(model, executed);
}

static void train(struct model *model, const struct executed *executed)
{
    if (!model->warming)
        begin_warming(model);
    memory_select(model->memory, model->translations);
    if (*model->observed == OBSERVED_NEVER)
        fast_forward(model, executed);
    else
        functional_warming(model, executed);
}

void model_execute(struct model *model, const struct executed *executed)
{
    if (is_unobserved(model))
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
    span_flush(model);
    return true;
}

void model_subscribe(struct model *model, struct model_subscriber subscriber)
{
    period_settle(model);
    access_events_subscribe(model, subscriber);
}

void model_truth_reset(struct model *model)
{
    period_settle(model);
    truth_reset(model);
}

void model_truth(struct model *model, struct model_truth *truth)
{
    period_settle(model);
    truth_get(model, truth);
}

void model_idle(struct model *model, uint64_t cycles)
{
    model_drain(model);
    back_idle(model, cycles);
    if (model->smt != NULL)
        smt_emit(model->smt);
}

uint64_t model_now(const struct model *model)
{
    return model->now + period_ahead(model);
}

uint64_t model_allocated(struct model *model)
{
    period_settle(model);
    return model->slot_allocated[(model->slot_count - 1) % SLOT_RING] + model->skipped;
}

uint64_t model_retired(const struct model *model)
{
    return period_retired(model);
}

/* One of more slots than are remembered has the oldest that is. */
struct model_passage model_passage(struct model *model)
{
    uint64_t slot, remembered;

    period_settle(model);
    remembered = model->slot_count > SLOT_RING ? model->slot_count - SLOT_RING : 0;
    slot = later(model->first_slot, remembered);
    if (slot == model->slot_count && slot > 0)
        slot--;
    return (struct model_passage){
        .entered = model->slot_allocated[slot % SLOT_RING] + model->skipped,
        .retired = model_retired(model),
        .fused = model->retiring[(model->retire_tail - 1) % RETIRING].flags & RETIRE_FUSED,
        .holds = model->holds,
    };
}

bool model_can_interrupt(struct model *model)
{
    period_settle(model);
    return !model->previous_fuses || !fused_remembered(model, model->previous_rip);
}

void model_interrupt(struct model *model)
{
    period_settle(model);
    model_drain(model);
    if (!is_unobserved(model))
        back_interrupt(model);
}

void model_snoop_write(struct model *model, uint64_t address, unsigned size)
{
    period_settle(model);
    for (uint64_t line = address / 64; line <= (address + size - 1) / 64; line++) {
        order_snoop(model, line);
        memory_invalidate(model->memory, line * 64);
        dsb_drop_line(model, line * 64);
    }
}

void model_snoop_sibling(struct model *model, uint64_t address, unsigned size)
{
    period_settle(model);
    for (uint64_t line = address / 64; line <= (address + size - 1) / 64; line++)
        dsb_drop_line(model, line * 64);
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
    order_trust_loads(model);
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
    model->front.slow_until = until > model->skipped ? until - model->skipped : 0;
}

void model_ends_by_chance(struct model *model, uint32_t seed)
{
    period_settle(model);
    predictor_ends_by_chance(model->predictor, seed);
}

void model_wrong_paths(struct model *model, uint32_t seed)
{
    period_settle(model);
    model->wrong_chance = seed;
}

void model_prefetch(struct model *model, uint64_t off)
{
    period_settle(model);
    memory_prefetchers(model->memory, (unsigned)(off & 0xff));
}

uint64_t model_skipped(const struct model *model)
{
    return period_skipped(model);
}
