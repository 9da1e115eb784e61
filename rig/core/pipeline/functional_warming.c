/* Functional warming (the name is from R. E. Wunderlich and others, "SMARTS: Accelerating
 * Microarchitecture Simulation via Rigorous Statistical Sampling", ISCA 2003): while the signals
 * are not observed, instructions do not go through the pipeline. Caches, TLBs, prefetchers, branch
 * predictors and the uop cache learn from every instruction in program order, as they would from
 * the pipeline, so that windows counted later find them warm; the time that passes is an estimate.
 *
 * Not learned: which loads may pass older stores, what the loop buffer repeats, which registers
 * loads wrote last, whether the stack engine has moved RSP, and which high bytes were written.
 *
 * Before anybody observed for the first time nothing is learned at all (fast-forwarding, as the
 * same paper calls it): a program measures what it has warmed up, and its start warms up nothing.
 */
#include "functional_warming.h"

#include "core/cycle/notes.h"
#include "core/cycle/spans.h"
#include "back.h"
#include "front.h"
#include "sequence.h"

/* A program that waits for nothing uses one slot in so many. */
#define PART_USED 2u

void warming_begin(struct model *model)
{
    back_drain(model);
    model->warming = true;
    model->high_written = 0;
    model->warmed_slots = 0;
}

void warming_end(struct model *model)
{
    const struct line_read *ignored;

    memory_line_reads(model->memory, &ignored);
    span_flush(model);
    model->warming = false;
    model->previous_node = NODE_NONE;
    front_restart(model, model->now);
}

static void warm_time(struct model *model, uint64_t cycles)
{
    if (cycles == 0)
        return;
    if (model->noted_until >= model->now) /* the line of a store may still be on its way */
        notes_skip(model, model->now + cycles);
    model->now += cycles;
    model->unobserved.cycles += cycles;
}

/* Cycles that the slots since the last call take, once they fill one. */
static uint64_t slots_time(struct model *model)
{
    const unsigned used = model->warmed_slots * PART_USED, width = model->p->width;

    if (used < width)
        return 0;
    model->warmed_slots = 0;
    return used < 2 * width ? 1 : used / width; /* few instructions need the division */
}

/* Cycles that the instruction waits because of a store. A store waits for its line in the store
 * buffer, and nothing else waits for it; only a line that takes longer than memory's latency waits
 * for other lines, and then the store buffer is full. */
static uint64_t warm_store(struct model *model, const struct access *access, bool streaming)
{
    const struct reach reach = (streaming ? memory_stream : memory_store)(
        model->memory, access->address, access->size, model->now);
    const uint64_t near = model->now + model->p->memory_latency;

    return reach.done > near ? reach.done - near : 0;
}

/* Cycles that the instruction waits for memory. */
static uint64_t warm_accesses(struct model *model, const struct decoded *decoded,
                              const struct executed *executed)
{
    const uint64_t hit = model->now + model->p->l1d.latency;
    uint64_t longest = hit;
    uint64_t crowded = 0;
    bool translated = false;

    for (unsigned i = 0; i < executed->accesses; i++) {
        const struct access *access = &executed->access[i];
        struct reach reach;

        if (access->write) {
            if (!translated)
                memory_translate_store(model->memory, access->address, model->now);
            translated = true;
            crowded += warm_store(model, access, decoded->streaming);
        } else if (decoded->prefetch) {
            memory_prefetch(model->memory, access->address, model->now);
        } else {
            reach = memory_load(model->memory, access->address, access->size, model->now);
            memory_train(model->memory, executed->rip, access->address, model->now);
            if (reach.done > longest)
                longest = reach.done;
        }
        if (decoded->flush)
            memory_flush_line(model->memory, access->address);
    }
    return longest - hit + crowded;
}

/* Cycles of fetching on the wrong path. */
static uint64_t warm_branch(struct model *model, const struct decoded *decoded,
                            const struct executed *executed)
{
    const uint64_t fallthrough = executed->rip + executed->length;
    const uint64_t next = executed_flow(executed);
    const bool taken = !decoded->conditional || next != fallthrough;
    const struct branch_outcome outcome =
        predictor_resolve(model->predictor, executed->rip, next, fallthrough, decoded->kind, taken);

    if (taken || outcome.mispredicted)
        front_warm_redirect(model);
    return outcome.mispredicted ? model->p->resteer
           : outcome.unknown    ? model->p->btb_miss_resteer
                                : 0;
}

void functional_warming(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = sequence_decode(model, executed);
    uint64_t cycles = 0;

    if (sequence_fuses(model, decoded, executed)) {
        fused_remember(model, model->previous_rip, executed->rip + executed->length);
    } else {
        cycles = front_warm(model, decoded);
        model->warmed_slots += decoded->slots;
    }
    if (decoded->upper)
        model->warmed_slots += upper_note(model, decoded);
    if (executed->accesses)
        cycles += warm_accesses(model, decoded, executed);
    if (decoded->branch && executed->end != END_FAULT)
        cycles += warm_branch(model, decoded, executed);
    sequence_remember(model, decoded, executed->rip + executed->length);
    if (executed->assist && model->p->assist_uops > 0) {
        cycles += model->p->clear_resteer;
        model->warmed_slots += model->p->assist_uops;
    }
    if (decoded->pause)
        cycles += model->p->pause_latency;
    if (executed->end != END_NEXT) {
        cycles += model->p->clear_resteer;
        front_warm_redirect(model);
    } else if (executed->accesses && front_wrote_code(model, executed)) {
        cycles += model->p->clear_recovery;
        front_warm_redirect(model);
    }
    warm_time(model, cycles + slots_time(model));
}

void fast_forward(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = sequence_decode(model, executed);

    model->warmed_slots += decoded->slots;
    sequence_remember(model, decoded, executed->rip + executed->length);
    warm_time(model, (decoded->pause ? model->p->pause_latency : 0) + slots_time(model));
}
