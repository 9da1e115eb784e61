/* The front end: uop cache, decoders, microcode sequencer, instruction fetch. It says in which
 * cycle a slot is in the uop queue, and runs ahead of the allocator by at most the length of the
 * queue. */
#include "front.h"

#include "core/cycle/access_events.h"
#include "core/cycle/notes.h"
#include "core/cycle/smt.h"
#include "dsb.h"
#include "loop.h"

static uint8_t shift_of(unsigned size)
{
    return (uint8_t)(size ? __builtin_ctz(size) : 0);
}

bool front_start(const struct model_parameters *p, struct front *front)
{
    /* windows and fetch blocks are powers of two */
    front->window_shift = shift_of(p->dsb_window);
    front->fetch_shift = shift_of(p->fetch_bytes);
    front->line = NOWHERE;
    front->block = NOWHERE;
    front->redirected = true;
    return dsb_start(p, front);
}

bool front_wrote_code(const struct model_parameters *p, struct memory_hierarchy *memory,
                      struct front *front, const struct executed *executed)
{
    for (unsigned i = 0; i < executed->accesses; i++) {
        const uint64_t address = executed->access[i].address;
        bool code;

        if (!executed->access[i].write || !memory_fetched(memory, address))
            continue;
        code = memory_in_code_cache(memory, address);
        code |= dsb_drop_line(p, front, address);
        if (!code)
            continue;
        memory_drop_code(memory, address);
        return true;
    }
    return false;
}

/* --- time --- */

/* Every slot is in the queue as soon as there is room. What the front end holds is looked after all
 * the same, since code that is written to while it is held means a clear. */
static bool is_ideal(const struct model_parameters *p)
{
    return rarely(p->ideal & IDEAL_FRONTEND);
}

static void note_stall(struct timeline *time, struct front_notes *notes, uint64_t from,
                       uint64_t cycles, enum front_flag flag, unsigned more)
{
    for (uint64_t i = 0; i < cycles; i++) {
        struct cycle *cycle = front_note(time, notes, from + i);

        cycle->front = (uint8_t)(cycle->front | flag);
        cycle->more = (uint8_t)(cycle->more | more);
    }
}

void front_late(struct front *front, uint64_t until, enum truth_node node)
{
    if (front->delays == FRONT_DELAYS)
        front->delays--;
    front->delay[front->delays++] = (struct front_delay){until, node};
}

void front_next_cycle(struct model *model, uint64_t cycle)
{
    struct front *front = &model->front;

    if (cycle <= front->cycle)
        cycle = front->cycle + 1;
    if (is_shared(model->smt) && front->source != SOURCE_LOOP && !is_ideal(model->p))
        cycle = smt_delivery(model->smt, model->thread, cycle);
    if (cycle < front->slow_until && !is_ideal(model->p))
        cycle = ((cycle + model->skipping.skipped + 3) & ~UINT64_C(3)) - model->skipping.skipped;
    front->cycle = cycle;
    front->decoded = 0;
    front->alone = false;
    front->room = front->source == SOURCE_DSB    ? model->p->dsb_uops
                  : front->source == SOURCE_MS   ? model->p->ms_uops
                  : front->source == SOURCE_LOOP ? model->p->width
                                                 : model->p->decode_uops;
}

void front_restart(const struct model_parameters *p, struct front *front, uint64_t cycle)
{
    front->redirected = true;
    if (is_ideal(p))
        return;
    if (cycle > front->cycle)
        front->cycle = cycle - 1;
    front->room = 0;
    front->block = NOWHERE;
    front->fetched = front->cycle;
    loop_end(&front->loop);
}

/* --- where uops come from --- */

/* Cycles lost between the decoders and the sequencer, each way ("uiCA", A. Abel, J. Reineke;
 * between the uop cache and the sequencer its figure is ms_switch). The decoders then go on with
 * the bytes that they have fetched. */
#define MS_AND_DECODERS 1u

static void enter(struct model *model, enum source source)
{
    struct front *front = &model->front;
    const bool back = front->source == SOURCE_MS && front->ms_from_decoders;

    if (front->source == source)
        return;
    if (front->source == SOURCE_DSB && source == SOURCE_MITE) {
        note_stall(&model->time, &front->delivered, front->cycle + 1, model->p->dsb_to_mite,
                   FRONT_SWITCH, 0);
        front->cycle += model->p->dsb_to_mite;
        front_late(front, front->cycle + 1, NODE_DSB_SWITCHES);
    }
    if (source == SOURCE_MS) {
        front->ms_from_decoders = front->source == SOURCE_MITE;
        note_stall(&model->time, &front->delivered, front->cycle + 1, 1, FRONT_MS_SWITCH, 0);
        front->cycle += front->ms_from_decoders ? MS_AND_DECODERS : model->p->ms_switch;
        front_late(front, front->cycle + 1, NODE_MS_SWITCHES);
    }
    if (source == SOURCE_MITE && !back && model->p->trace_cache)
        notes_trace_miss(&model->time, later(front->cycle, model->time.now));
    if (back)
        front->cycle += MS_AND_DECODERS;
    if (source == SOURCE_MITE && !back) {
        front->block = NOWHERE;
        front->fetched = front->cycle;
    }
    front->source = source;
    front_next_cycle(model, front->cycle + 1);
}

/* To the sequencer. Of most instructions the decoders are taken to emit some uops meanwhile; of one
 * of which they emit none the first decoder takes a cycle (as above). */
static void leave_decoders(struct model *model, const struct decoded *decoded)
{
    if (decoded->only_microcode && model->front.decoded > 0)
        front_next_cycle(model, model->front.cycle + 1);
    enter(model, SOURCE_MS);
}

static void drop_evicted(const struct model_parameters *p, struct front *front,
                         const struct reach *reach)
{
    if (reach->evicted)
        dsb_lose_line(p, front, reach->evicted_line);
}

/* Looks the line up in the instruction cache; a miss delays the fetch. */
static void fetch_line(struct model *model, uint64_t line)
{
    struct front *front = &model->front;
    const struct reach reach = memory_code(model->memory, line * 64, front->fetched);

    front->line = line;
    notes_line_reads(model->memory, &model->time);
    if (is_subscribed(&model->events))
        access_event_fetch(&model->retirement, &model->events, &reach);
    drop_evicted(model->p, front, &reach);
    if (reach.translated > front->fetched) {
        if (reach.walk || reach.second_level)
            note_stall(&model->time, &front->fetching, front->fetched, 1,
                       reach.walk ? FRONT_ITLB_WALK : FRONT_ITLB_HIT, 0);
        note_stall(&model->time, &front->fetching, front->fetched,
                   reach.translated - front->fetched, FRONT_ITLB, reach.walk ? MORE_WALK : 0);
        front_late(front, reach.translated,
                   reach.second_level ? NODE_CODE_STLB_HIT : NODE_CODE_STLB_MISS);
        front->fetched = reach.translated;
    }
    if (reach.done > front->fetched) {
        note_stall(&model->time, &front->fetching, front->fetched, reach.done - front->fetched,
                   FRONT_ICACHE, reach.level > LEVEL_L2 ? MORE_CODE_READ : 0);
        front_late(front, reach.done,
                   reach.level == LEVEL_L2 ? NODE_CODE_L2_HIT : NODE_CODE_L2_MISS);
        front->fetched = reach.done;
    }
}

static uint64_t warm_line(const struct model_parameters *p, struct memory_hierarchy *memory,
                          struct front *front, uint64_t now, uint64_t line)
{
    const struct reach reach = memory_code(memory, line * 64, now);

    front->line = line;
    drop_evicted(p, front, &reach);
    return reach.done - now;
}

/* Cycles from the pre-decoder to the decoders ("uiCA", A. Abel, J. Reineke). */
#define PREDECODE_DELAY 3u

/* The first cycle in which the decoders can have what is pre-decoded next: the pre-decoder waits
 * until the instruction queue has room for all that it could find in a cycle (as above). */
static uint64_t after_queue(const struct model_parameters *p, const struct front *front)
{
    const unsigned back = p->instruction_queue - p->predecoded + 1u;

    if (p->instruction_queue == 0 || front->decoded_count < back)
        return 0;
    return front->decoded_at[(front->decoded_count - back) % DECODED_REMEMBERED] + 1 +
           PREDECODE_DELAY;
}

/* The next block is fetched in `cycle`. */
static void fetch_at(const struct model_parameters *p, struct smt *smt, struct front *front,
                     unsigned thread, uint64_t cycle)
{
    cycle = later(cycle, after_queue(p, front));
    front->slow_block = false;
    front->lengths = 0;
    front->fetched = is_shared(smt) ? smt_fetch(smt, thread, cycle) : cycle;
}

/* A length-changing prefix stalls the pre-decoder: every one, or (lcp_block) the first of a block,
 * where the slow length decoder then goes through the whole block. */
static void find_length_slowly(const struct model_parameters *p, struct front *front,
                               struct timeline *time)
{
    if (p->lcp_block && front->slow_block)
        return;
    front->slow_block = true;
    note_stall(time, &front->fetching, front->fetched, p->lcp_stall, FRONT_LCP, 0);
    front->fetched += p->lcp_stall;
    front_late(front, front->fetched, NODE_LCP);
}

/* The pre-decoder finds the length of one more instruction ("uiCA", A. Abel, J. Reineke, "Accurate
 * Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures", ICS 2022). */
static void find_length(const struct model_parameters *p, struct smt *smt, struct front *front,
                        unsigned thread)
{
    if (p->predecoded && front->lengths == p->predecoded)
        fetch_at(p, smt, front, thread, front->fetched + 1);
    front->lengths++;
}

/* Fetches for the decoders: an aligned block of fetch_bytes in a cycle. */
static void fetch_legacy(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;
    const uint64_t first = decoded->rip >> front->fetch_shift;
    const uint64_t last = (decoded->rip + decoded->length - 1) >> front->fetch_shift;

    if (front->redirected || front->block == NOWHERE || front->block > last ||
        front->block + 1 < first) {
        front->block = first;
        fetch_at(model->p, model->smt, front, model->thread,
                 front->fetched < front->cycle ? front->cycle : front->fetched + 1);
    }
    while (front->block < first) {
        front->block++;
        fetch_at(model->p, model->smt, front, model->thread, front->fetched + 1);
    }
    /* it takes a place in both blocks (as above) */
    if ((decoded->rip + decoded->opcode_at) >> front->fetch_shift < last)
        find_length(model->p, model->smt, front, model->thread);
    while (front->block < last) {
        front->block++;
        fetch_at(model->p, model->smt, front, model->thread, front->fetched + 1);
    }
    find_length(model->p, model->smt, front, model->thread);
    for (uint64_t line = decoded->rip / 64; line <= (decoded->rip + decoded->length - 1) / 64;
         line++)
        if (line != front->line)
            fetch_line(model, line);
    if (decoded->lcp)
        find_length_slowly(model->p, front, &model->time);
    /* Fetch runs ahead of the decoders by no more than the instruction queue. */
    if (front->fetched + 8 < front->cycle)
        front->fetched = front->cycle - 8;
}

void front_begin(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;
    struct dsb_line *line;
    bool repeated, may_switch;

    if (front_goes_on(model->p, front, decoded) && !decoded->microcoded) {
        front->redirected = false; /* the window stays the same */
        return;
    }
    if (is_ideal(model->p)) {
        front_warm(model, decoded);
        front->source = decoded->microcoded ? SOURCE_MS : SOURCE_DSB;
        return;
    }
    repeated = loop_begin(model->p, &model->front.loop, decoded);
    line = repeated ? NULL : dsb_lookup(model->p, model->memory, front, decoded->rip);
    /* The front end goes from the decoders back to the uop cache only where a fetch starts: at a
     * target or in a new window. */
    may_switch = front->source != SOURCE_MITE || front->redirected ||
                 window_of(front, decoded->rip) != front->window;
    if (repeated) {
        enter(model, SOURCE_LOOP);
        front->dsb_last = NULL;
    } else if (line != NULL && may_switch) {
        enter(model, decoded->microcoded ? SOURCE_MS : SOURCE_DSB);
        front->dsb_last = line;
    } else {
        if (front->source != SOURCE_MITE)
            enter(model, SOURCE_MITE);
        loop_decoded(model->p, &model->front.loop);
        fetch_legacy(model, decoded);
        if (is_subscribed(&model->events))
            access_event_fetch(&model->retirement, &model->events, NULL);
        if (front->fetched > front->cycle)
            front_next_cycle(model, front->fetched);
        dsb_insert(model->p, front, decoded->rip, decoded);
        front->dsb_last = NULL;
        if (decoded->microcoded)
            leave_decoders(model, decoded);
    }
    front->redirected = false;
    front->window = window_of(front, decoded->rip);
}

void front_assist(struct model *model)
{
    model->front.source = is_ideal(model->p) ? SOURCE_MS : SOURCE_NONE;
    enter(model, SOURCE_MS);
}

uint64_t front_warm(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;
    const uint64_t window = window_of(front, decoded->rip);
    struct dsb_line *line;
    uint64_t cycles = 0;
    bool may_switch;

    if (front_goes_on(model->p, front, decoded) && !decoded->microcoded) {
        front->redirected = false;
        return 0;
    }
    line = dsb_lookup(model->p, model->memory, front, decoded->rip);
    may_switch = front->source != SOURCE_MITE || front->redirected || window != front->window;
    if (line != NULL && may_switch) {
        front->source = decoded->microcoded ? SOURCE_MS : SOURCE_DSB;
        front->dsb_last = line;
    } else {
        for (uint64_t code = decoded->rip / 64; code <= (decoded->rip + decoded->length - 1) / 64;
             code++)
            if (code != front->line)
                cycles += warm_line(model->p, model->memory, front, model->time.now, code);
        dsb_insert(model->p, front, decoded->rip, decoded);
        front->dsb_last = NULL;
        front->source = decoded->microcoded ? SOURCE_MS : SOURCE_MITE;
    }
    if (model->p->trace_cache && front->source != SOURCE_MS)
        model->allocator.builds = front->source == SOURCE_MITE;
    front->redirected = false;
    front->window = window;
    return is_ideal(model->p) ? 0 : cycles;
}

void front_warm_redirect(struct front *front)
{
    front->redirected = true;
}

/* Whether the instruction behind this one has its length found in a later cycle. What is known of
 * it is where it begins. */
static bool successor_later(const struct model_parameters *p, const struct front *front,
                            const struct decoded *decoded)
{
    return (decoded->rip + decoded->length) >> front->fetch_shift != front->block ||
           (p->predecoded && front->lengths == p->predecoded);
}

/* The decoders take `decoders` instructions in a cycle; only the first can make several uops. */
static void decode_first(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;
    const bool fusible = decoded->fuses_first;
    const bool first_only = decoded->slots > 1 || decoded->first_decoder;

    if (fusible && model->p->fusible_waits && successor_later(model->p, front, decoded) &&
        front->cycle <= front->fetched)
        front_next_cycle(model, front->fetched + 1);
    if (front->alone || front->decoded >= model->p->decoders ||
        (first_only && front->decoded > 0) || front->room < decoded->slots ||
        (fusible && model->p->fusible_not_last && front->decoded + 1u == model->p->decoders))
        front_next_cycle(model, front->cycle + 1);
    front->decoded++;
    front->alone = decoded->ends_decoding;
    front_note(&model->time, &front->delivered, front->cycle)->more++;
}

uint64_t front_slot(struct model *model, const struct decoded *decoded, bool first)
{
    struct front *front = &model->front;
    struct cycle *cycle;

    if (front->source == SOURCE_MITE && first)
        decode_first(model, decoded);
    front_take_room(model);
    if (front->source == SOURCE_MITE && first)
        front->decoded_at[front->decoded_count++ % DECODED_REMEMBERED] = front->cycle;
    cycle = front_note(&model->time, &front->delivered, front->cycle);
    if (front->source == SOURCE_LOOP)
        cycle->loop++;
    else if (front->source == SOURCE_MS)
        cycle->ms++;
    else if (front->source == SOURCE_DSB)
        cycle->dsb++;
    else {
        model->truth.decoded++;
        model->truth.decoded_beyond += !first;
        cycle->mite++;
        if (front->decoded == 1)
            cycle->decoder0++;
    }
    return front->cycle;
}

void front_branch(struct model *model, bool taken, bool unknown)
{
    struct front *front = &model->front;

    if (is_ideal(model->p)) {
        front->redirected |= taken;
    } else if (unknown) {
        note_stall(&model->time, &front->delivered, front->cycle + 1, 1, FRONT_BACLEAR, 0);
        note_stall(&model->time, &front->delivered, front->cycle + 1, model->p->btb_miss_resteer,
                   FRONT_NONE, MORE_UNKNOWN_BRANCH);
        front_restart(model->p, front, front->cycle + 1u + model->p->btb_miss_resteer);
        front_late(front, front->cycle + 1, NODE_UNKNOWN_BRANCHES);
    } else if (taken) {
        if (!loop_taken(model->p, front, &model->queue, model->previous.rip))
            front->room = 0;
        front->redirected = true;
        front->block = NOWHERE;
    }
}
