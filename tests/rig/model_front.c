/* The front end: uop cache, legacy decode, microcode sequencer, instruction fetch. It answers in
 * which cycle a slot is in the uop queue and runs ahead of the allocator by at most the queue. */
#include <stdlib.h>
#include <string.h>

#include "model_state.h"

#define NO_WINDOW UINT64_MAX

bool front_start(struct model *model)
{
    const size_t lines = (size_t)model->p->dsb_sets * model->p->dsb_ways;

    model->front.dsb = calloc(lines, sizeof(*model->front.dsb));
    if (!model->front.dsb)
        return false;
    for (size_t i = 0; i < lines; i++)
        model->front.dsb[i].window = NO_WINDOW;
    model->front.line = NO_WINDOW;
    model->front.block = NO_WINDOW;
    model->front.redirected = true;
    return true;
}

void front_free(struct model *model)
{
    free(model->front.dsb);
}

/* --- the uop cache --- */

static struct dsb_line *dsb_set(struct model *model, uint64_t window)
{
    return &model->front.dsb[window % model->p->dsb_sets * model->p->dsb_ways];
}

static struct dsb_line *dsb_find(struct model *model, uint64_t rip)
{
    const uint64_t window = rip / model->p->dsb_window;
    const uint64_t start = 1ull << (rip % model->p->dsb_window);
    struct dsb_line *line = model->front.dsb_last;

    if (line && line->window == window && (line->starts & start))
        return line;
    line = dsb_set(model, window);
    for (unsigned way = 0; way < model->p->dsb_ways; way++, line++)
        if (line->window == window && (line->starts & start)) {
            line->used = ++model->front.dsb_clock;
            return line;
        }
    return NULL;
}

/* The uop cache is virtually included in the instruction TLB ("Decoded ICache", Intel's
 * optimization manual): what its page lost, it has lost. */
static struct dsb_line *dsb_lookup(struct model *model, uint64_t rip)
{
    const uint64_t page = rip >> 12;

    if (page != model->front.page) {
        model->front.page = page;
        if (!memory_code_translated(model->memory, rip)) {
            model->front.line = NO_WINDOW;
            return NULL;
        }
    }
    return dsb_find(model, rip);
}

/* Keeps what the decoders made. A window that needs more lines than it may have stays with the
 * decoders. */
static void dsb_insert(struct model *model, uint64_t rip, const struct decoded *decoded)
{
    const uint64_t window = rip / model->p->dsb_window;
    const uint64_t start = 1ull << (rip % model->p->dsb_window);
    const unsigned uops = decoded->microcoded ? model->p->dsb_line_uops : decoded->slots;
    struct dsb_line *set = dsb_set(model, window), *oldest = set, *open = NULL;
    unsigned lines = 0;

    for (unsigned way = 0; way < model->p->dsb_ways; way++) {
        struct dsb_line *line = &set[way];

        if (line->window == window) {
            lines++;
            if (line->starts & start)
                return;
            if (line->uops + uops <= model->p->dsb_line_uops)
                open = line;
        }
        if (line->window == NO_WINDOW || (oldest->window != NO_WINDOW && line->used < oldest->used))
            oldest = line;
    }
    if (!open) {
        if (lines >= model->p->dsb_lines_window || uops > model->p->dsb_line_uops)
            return;
        open = oldest;
        open->window = window;
        open->starts = 0;
        open->uops = 0;
        if (model->front.dsb_last == open)
            model->front.dsb_last = NULL;
    }
    open->starts |= start;
    open->uops = (uint8_t)(open->uops + uops);
    open->used = ++model->front.dsb_clock;
}

bool front_drop_line(struct model *model, uint64_t address)
{
    const uint64_t first = (address & ~63ull) / model->p->dsb_window;
    const uint64_t last = (address | 63) / model->p->dsb_window;
    bool any = false;

    for (uint64_t window = first; window <= last; window++) {
        struct dsb_line *line = dsb_set(model, window);

        for (unsigned way = 0; way < model->p->dsb_ways; way++, line++)
            if (line->window == window) {
                line->window = NO_WINDOW;
                any = true;
            }
    }
    model->front.dsb_last = NULL;
    return any;
}

/* --- time --- */

/* The ring cycle for something the front end does in `at`: never before the allocator's cycle,
 * which is final, and things of different cycles stay in different cycles. */
static struct cycle *note(struct model *model, uint64_t at)
{
    struct front *front = &model->front;

    if (at != front->noted_for) {
        front->noted_for = at;
        front->noted++;
    }
    if (front->noted < at)
        front->noted = at;
    if (front->noted < model->now)
        front->noted = model->now;
    return cycle_at(model, front->noted);
}

static void note_stall(struct model *model, uint64_t from, uint64_t cycles, enum front_flag flag)
{
    for (uint64_t i = 0; i < cycles; i++) {
        struct cycle *cycle = note(model, from + i);

        cycle->front = (uint8_t)(cycle->front | flag);
    }
}

static void next_cycle(struct model *model, uint64_t cycle)
{
    struct front *front = &model->front;

    if (cycle <= front->cycle)
        cycle = front->cycle + 1;
    front->cycle = cycle;
    front->decoded = 0;
    front->room = front->source == SOURCE_DSB    ? model->p->dsb_uops
                  : front->source == SOURCE_MS   ? model->p->ms_uops
                  : front->source == SOURCE_LOOP ? model->p->width
                                                 : model->p->decode_uops;
}

void front_restart(struct model *model, uint64_t cycle)
{
    struct front *front = &model->front;

    if (cycle > front->cycle)
        front->cycle = cycle - 1;
    front->room = 0;
    front->block = NO_WINDOW;
    front->fetched = front->cycle;
    front->redirected = true;
    loop_end(model);
}

/* --- the three sources --- */

static void enter(struct model *model, enum source source)
{
    struct front *front = &model->front;

    if (front->source == source)
        return;
    if (front->source == SOURCE_DSB && source == SOURCE_MITE) {
        note_stall(model, front->cycle + 1, model->p->dsb_to_mite, FRONT_SWITCH);
        front->cycle += model->p->dsb_to_mite;
    }
    if (source == SOURCE_MS) {
        note_stall(model, front->cycle + 1, 1, FRONT_MS_SWITCH);
        front->cycle += model->p->ms_switch;
    }
    if (source == SOURCE_MITE) {
        front->block = NO_WINDOW;
        front->fetched = front->cycle;
    }
    front->source = source;
    next_cycle(model, front->cycle + 1);
}

/* Looks the line up in the instruction cache; a miss holds the fetch. */
static void fetch_line(struct model *model, uint64_t line)
{
    struct front *front = &model->front;
    const struct reach reach = memory_code(model->memory, line * 64, front->fetched);

    front->line = line;
    if (listened(model))
        listen_fetch(model, &reach);
    if (reach.evicted)
        front_drop_line(model, reach.evicted_line);
    if (reach.done > front->fetched) {
        const bool translation = reach.walk || reach.second_level;

        if (translation)
            note_stall(model, front->fetched, 1, reach.walk ? FRONT_ITLB_WALK : FRONT_ITLB_HIT);
        note_stall(model, front->fetched, reach.done - front->fetched,
                   translation ? FRONT_ITLB : FRONT_ICACHE);
        front->fetched = reach.done;
    }
}

/* 16 bytes a cycle into the decoders, an aligned block at a time; a length-changing prefix holds
 * the pre-decoder. */
static void fetch_legacy(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;
    const uint64_t first = decoded->rip / model->p->fetch_bytes;
    const uint64_t last = (decoded->rip + decoded->length - 1) / model->p->fetch_bytes;

    if (front->redirected || front->block == NO_WINDOW || front->block > last ||
        front->block + 1 < first) {
        front->block = first;
        front->fetched = front->fetched < front->cycle ? front->cycle : front->fetched + 1;
    }
    while (front->block < last) {
        front->block++;
        front->fetched++;
    }
    for (uint64_t line = decoded->rip / 64; line <= (decoded->rip + decoded->length - 1) / 64;
         line++)
        if (line != front->line)
            fetch_line(model, line);
    if (decoded->lcp) {
        note_stall(model, front->fetched, model->p->lcp_stall, FRONT_LCP);
        front->fetched += model->p->lcp_stall;
    }
    /* The decoders lag the fetch by an instruction queue at most; the fetch does not run further
     * ahead. */
    if (front->fetched + 8 < front->cycle)
        front->fetched = front->cycle - 8;
}

void front_begin(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;
    const bool repeated = loop_begin(model, decoded);
    struct dsb_line *line = repeated ? NULL : dsb_lookup(model, decoded->rip);
    /* From the decoders back to the uop cache only where a fetch starts: at a target or a new
     * window. */
    const bool may_switch = front->source != SOURCE_MITE || front->redirected ||
                            decoded->rip / model->p->dsb_window != front->window;

    if (repeated) {
        enter(model, SOURCE_LOOP);
        front->dsb_last = NULL;
    } else if (line && may_switch) {
        enter(model, decoded->microcoded ? SOURCE_MS : SOURCE_DSB);
        front->dsb_last = line;
    } else {
        if (front->source != SOURCE_MITE)
            enter(model, SOURCE_MITE);
        fetch_legacy(model, decoded);
        if (listened(model))
            listen_fetch(model, NULL);
        if (front->fetched > front->cycle)
            next_cycle(model, front->fetched);
        dsb_insert(model, decoded->rip, decoded);
        front->dsb_last = NULL;
        if (decoded->microcoded)
            enter(model, SOURCE_MS);
    }
    front->redirected = false;
    front->window = decoded->rip / model->p->dsb_window;
}

/* Decoder limits: a group of `decoders` instructions, several uops only from the first decoder. */
static void decode_first(struct model *model, const struct decoded *decoded)
{
    struct front *front = &model->front;

    if (front->decoded >= model->p->decoders || (decoded->slots > 1 && front->decoded > 0) ||
        front->room < decoded->slots)
        next_cycle(model, front->cycle + 1);
    front->decoded++;
}

uint64_t front_slot(struct model *model, const struct decoded *decoded, bool first)
{
    struct front *front = &model->front;
    const uint64_t behind =
        model->slot_count < model->p->idq
            ? 0
            : model->slot_allocated[(model->slot_count - model->p->idq) % SLOT_RING];
    struct cycle *cycle;

    if (front->source == SOURCE_MITE && first)
        decode_first(model, decoded);
    if (front->cycle < behind)
        next_cycle(model, behind);
    if (front->room == 0)
        next_cycle(model, front->cycle + 1);
    front->room--;
    cycle = note(model, front->cycle);
    if (front->source == SOURCE_LOOP)
        cycle->loop++;
    else if (front->source == SOURCE_MS)
        cycle->ms++;
    else if (front->source == SOURCE_DSB)
        cycle->dsb++;
    else {
        cycle->mite++;
        if (front->decoded == 1)
            cycle->decoder0++;
    }
    return front->cycle;
}

void front_branch(struct model *model, bool taken, bool unknown)
{
    struct front *front = &model->front;

    if (unknown) {
        note_stall(model, front->cycle + 1, 1, FRONT_BACLEAR);
        front_restart(model, front->cycle + 1u + model->p->btb_miss_resteer);
    } else if (taken) {
        front->room = 0;
        front->redirected = true;
        front->block = NO_WINDOW;
        loop_taken(model, model->previous_rip);
    }
}
