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

/* A loop of at most so many instructions that has paused so often waits for something. */
#define WAITING_LOOP   64u
#define WAITING_PAUSES 1000u
/* Then so many cycles pass with each PAUSE: about a microsecond, which is how late the loop may see
 * what it waits for. */
#define WAITING_CYCLES 2000u
/* A loop that waits for long, some 30 ms, is as late by a thousandth of that at most: seconds of
 * waiting take the host no longer than that. */
#define LONG_WAIT      (UINT64_C(1) << 26)
#define LONG_WAIT_PART 1024u

void warming_begin(struct model *model)
{
    back_drain(model);
    model->warming.goes_on = true;
    mechanisms_unobserved(&model->mechanisms);
    model->warming.slots = 0;
}

void warming_end(struct model *model)
{
    const struct line_read *ignored;

    memory_line_reads(model->memory, &ignored);
    span_flush(&model->output);
    model->warming.goes_on = false;
    model->previous.node = NODE_NONE;
    front_restart(model->p, &model->front, model->time.now);
}

static void warm_time(struct timeline *time, struct output *output, uint64_t cycles)
{
    if (cycles == 0)
        return;
    if (time->noted_until >= time->now) /* the line of a store may still be on its way */
        notes_skip(time, time->now + cycles);
    time->now += cycles;
    output->unobserved.cycles += cycles;
}

/* Cycles that the slots since the last call take, once they fill one. */
static uint64_t slots_time(const struct model_parameters *p, struct warming *warming)
{
    const unsigned used = warming->slots * PART_USED, width = p->width;

    if (used < width)
        return 0;
    warming->slots = 0;
    return used < 2 * width ? 1 : used / width; /* few instructions need the division */
}

/* Cycles that the instruction waits because of a store. A store waits for its line in the store
 * buffer, and nothing else waits for it; only a line that takes longer than memory's latency waits
 * for other lines, and then the store buffer is full. */
static uint64_t warm_store(const struct model_parameters *p, struct memory_hierarchy *memory,
                           uint64_t now, const struct access *access, bool streaming)
{
    const struct reach reach =
        (streaming ? memory_stream : memory_store)(memory, access->address, access->size, now);
    const uint64_t near = now + p->memory_latency;

    return reach.done > near ? reach.done - near : 0;
}

/* Cycles that the instruction waits for memory. */
static uint64_t warm_accesses(const struct model_parameters *p, struct memory_hierarchy *memory,
                              uint64_t now, const struct decoded *decoded,
                              const struct executed *executed)
{
    const uint64_t hit = now + p->l1d.latency;
    uint64_t longest = hit;
    uint64_t crowded = 0;
    bool translated = false;

    for (unsigned i = 0; i < executed->accesses; i++) {
        const struct access *access = &executed->access[i];
        struct reach reach;

        if (access->write) {
            if (!translated)
                memory_translate_store(memory, access->address, now);
            translated = true;
            crowded += warm_store(p, memory, now, access, decoded->streaming);
        } else if (decoded->prefetch) {
            memory_prefetch(memory, access->address, now);
        } else {
            reach = memory_load(memory, access->address, access->size, now);
            memory_train(memory, executed->rip, access->address, now);
            if (reach.done > longest)
                longest = reach.done;
        }
    }
    return longest - hit + crowded;
}

/* Cycles of fetching on the wrong path. */
static uint64_t warm_branch(const struct model_parameters *p, struct predictor *predictor,
                            struct front *front, const struct decoded *decoded,
                            const struct executed *executed)
{
    const uint64_t fallthrough = executed->rip + executed->length;
    const uint64_t next = executed_flow(executed);
    const bool taken = !decoded->conditional || next != fallthrough;
    const struct branch_outcome outcome =
        predictor_resolve(predictor, executed->rip, next, fallthrough, decoded->kind, taken);

    if (taken || outcome.mispredicted)
        front_warm_redirect(front);
    return outcome.mispredicted ? p->resteer : outcome.unknown ? p->btb_miss_resteer : 0;
}

/* Cycles that pass with a PAUSE, and 0 with another instruction. A second of waiting would be some
 * 15 million turns of a loop otherwise. */
static uint64_t pause_time(const struct model_parameters *p, struct warming *warming,
                           const struct decoded *decoded, uint64_t at)
{
    if (!decoded->pause) {
        warming->pausing.behind++;
        return 0;
    }
    if (warming->pausing.at != at || warming->pausing.behind >= WAITING_LOOP)
        warming->pausing.count = 0;
    warming->pausing.at = at;
    warming->pausing.behind = 0;
    if (warming->pausing.count >= WAITING_PAUSES && p->pause_latency < WAITING_CYCLES) {
        const uint64_t cycles = warming->pausing.waited < LONG_WAIT
                                    ? WAITING_CYCLES
                                    : warming->pausing.waited / LONG_WAIT_PART;

        warming->pausing.waited += cycles;
        return cycles;
    }
    warming->pausing.waited = 0;
    warming->pausing.count++;
    return p->pause_latency;
}

void functional_warming(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = sequence_decode(model->decoder, executed);
    uint64_t cycles = 0;

    if (sequence_fuses(&model->previous, decoded, executed)) {
        fused_remember(model->p, &model->front, &model->previous, model->previous.rip,
                       executed->rip + executed->length);
    } else {
        cycles = front_warm(model, decoded);
        model->warming.slots += decoded->slots;
    }
    if (decoded->upper)
        model->warming.slots += upper_note(model->p, &model->renamer, decoded);
    if (executed->accesses)
        cycles += warm_accesses(model->p, model->memory, model->time.now, decoded, executed);
    if (decoded->flush)
        back_flush(model, executed);
    if (decoded->branch && executed->end != END_FAULT)
        cycles += warm_branch(model->p, model->predictor, &model->front, decoded, executed);
    sequence_remember(&model->previous, decoded, executed->rip + executed->length);
    if (executed->assist && model->p->assist_uops > 0) {
        cycles += model->p->clear_resteer;
        model->warming.slots += model->p->assist_uops;
    }
    cycles += pause_time(model->p, &model->warming, decoded, executed->rip);
    if (executed->end != END_NEXT) {
        cycles += model->p->clear_resteer;
        front_warm_redirect(&model->front);
    } else if (executed->accesses &&
               front_wrote_code(model->p, model->memory, &model->front, executed)) {
        cycles += model->p->clear_recovery;
        front_warm_redirect(&model->front);
    }
    warm_time(&model->time, &model->output, cycles + slots_time(model->p, &model->warming));
}

void fast_forward(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded = sequence_decode(model->decoder, executed);

    model->warming.slots += decoded->slots;
    sequence_remember(&model->previous, decoded, executed->rip + executed->length);
    warm_time(&model->time, &model->output,
              pause_time(model->p, &model->warming, decoded, executed->rip) +
                  slots_time(model->p, &model->warming));
}
