#include "model_memory.h"

#include <stdlib.h>
#include <string.h>

#include "model_cache.h"
#include "model_fill.h"
#include "model_prefetch.h"
#include "model_prefetch_l1.h"
#include "model_shared.h"
#include "model_stream.h"
#include "model_tlb.h"

#define PAGE_SHIFT 12
#define LINE_READS 16 /* more than a load that is split makes its core ask for */

struct memory {
    const struct model_parameters *parameters;
    struct shared_cache *shared;
    unsigned cpu;
    struct private_caches caches;
    struct translation own;          /* of this thread */
    struct translation *translation; /* of the thread that asks */
    struct memory *asker;            /* that thread's memory: who is told */
    enum request asking;             /* on whose behalf lines are asked for now */
    void (*request)(void *context, enum request request, enum origin origin); /* or NULL */
    void *request_context;
    struct prefetcher prefetcher;
    struct prefetcher_l1 prefetcher_l1;
    struct fills fills;
    struct fills queue; /* of L2: all lines on their way to it */
    struct streams streams;
    bool reading; /* what is asked for now is asked for by a load */
    unsigned read_count;
    struct line_read reads[LINE_READS];
};

/* Where and when a line was found. */
struct found {
    uint64_t ready;
    uint64_t longest;  /* cycles of the wait that `late` names */
    uint64_t buffered; /* when it had a fill buffer; 0: it needed none */
    enum level level;
    enum late late, served;
};

static bool private_init(struct private_caches *caches, const struct model_parameters *parameters)
{
    const struct cache_geometry *geometry[] = {&parameters->l1d, &parameters->l1i, &parameters->l2};
    struct cache *cache[] = {&caches->l1d, &caches->l1i, &caches->l2};

    bus_init(&caches->bus, parameters->memory_interval);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t ways = geometry[i]->ways;

        if (!cache_init(cache[i], ways ? (geometry[i]->bytes >> LINE_SHIFT) / ways : 0, ways))
            return false;
    }
    return true;
}

struct memory *memory_model_new(const struct model_parameters *parameters, unsigned cpu,
                                struct shared_cache *shared, struct model_world world)
{
    struct memory *memory = calloc(1, sizeof *memory);

    if (!memory)
        return NULL;
    memory->parameters = parameters;
    memory->shared = shared;
    memory->cpu = PROCESSORS_MAX; /* not joined */
    memory_select(memory, memory);
    memory_prefetchers(memory, ~0u);
    if (!fills_init(&memory->fills, parameters->fill_buffers) ||
        !fills_init(&memory->queue, parameters->superqueue) ||
        !private_init(&memory->caches, parameters) ||
        !translation_init(&memory->own, parameters, world) ||
        !shared_join(shared, cpu, &memory->caches)) {
        memory_model_free(memory);
        return NULL;
    }
    memory->cpu = cpu;
    return memory;
}

void memory_model_free(struct memory *memory)
{
    if (!memory)
        return;
    shared_leave(memory->shared, memory->cpu);
    translation_free(&memory->own);
    cache_free(&memory->caches.l1d);
    cache_free(&memory->caches.l1i);
    cache_free(&memory->caches.l2);
    free(memory);
}

void memory_pair(struct memory *memory)
{
    shared_leave(memory->shared, memory->cpu);
    memory->cpu = PROCESSORS_MAX;
    cache_free(&memory->caches.l1d);
    cache_free(&memory->caches.l1i);
    cache_free(&memory->caches.l2);
}

void memory_select(struct memory *memory, struct memory *whose)
{
    memory->translation = &whose->own;
    memory->asker = whose;
}

void memory_tell(struct memory *memory, void (*request)(void *, enum request, enum origin),
                 void *context)
{
    memory->request = request;
    memory->request_context = context;
}

static void tell(struct memory *memory, enum level level)
{
    const struct memory *asker = memory->asker;

    if (asker->request)
        asker->request(asker->request_context, memory->asking,
                       level == LEVEL_L3 ? ORIGIN_L3 : ORIGIN_MEMORY);
}

/* Where there is no private L2, what was written goes on to the shared cache. */
static void put_in_l2(struct memory *memory, uint64_t line, uint64_t flags, uint64_t cycle)
{
    uint64_t victim = memory->caches.l2.sets ? cache_insert(&memory->caches.l2, line, line, flags)
                      : flags & ENTRY_DIRTY  ? line << ENTRY_TAG_SHIFT | ENTRY_VALID | ENTRY_DIRTY
                                             : 0;

    if (victim)
        shared_put_victim(memory->shared, memory->cpu, victim, cycle);
}

/* Of several waits the longest gives its name, of equal ones the last. */
static void waited(struct found *found, enum late late, uint64_t cycles)
{
    if (cycles == 0 || cycles < found->longest)
        return;
    found->longest = cycles;
    found->late = late;
}

/* What the way through L3 to another core takes. Where nothing is published, what L3 takes, and
 * without an L3 what memory takes. */
static struct found from_other_core(const struct model_parameters *p, bool modified, uint64_t cycle)
{
    const enum late late = modified ? LATE_CONTESTED : LATE_SHARED;
    const uint64_t published = modified ? p->contested_latency : p->shared_latency;
    const uint64_t latency = published          ? published
                             : p->l3_slice.ways ? p->l3_slice.latency
                                                : p->memory_latency;

    return (struct found){.ready = cycle + latency,
                          .longest = latency,
                          .level = LEVEL_L3,
                          .late = late,
                          .served = late};
}

/* The line has, or had, an entry of L2's queue. */
static void note_read(struct memory *memory, uint64_t line, uint64_t begin,
                      const struct found *found, uint64_t cycle)
{
    const struct fill made = {.line = line, .begin = begin, .ready = found->ready};

    if (memory->parameters->superqueue)
        fill_note(&memory->queue, &made, cycle);
    if ((memory->reading || memory->parameters->superqueue) && memory->read_count < LINE_READS)
        memory->reads[memory->read_count++] =
            (struct line_read){begin, found->ready, memory->reading};
}

/* Finds the line below L2, as soon as L2's queue has an entry, and leaves it in L2. */
static struct found bring_to_l2(struct memory *memory, uint64_t line, uint64_t asked)
{
    const struct model_parameters *p = memory->parameters;
    const uint64_t cycle = p->superqueue ? fill_begin(&memory->queue, asked) : asked;
    struct found found = {.level = LEVEL_L3, .served = LATE_L3};
    uint64_t flags, begin;

    switch (shared_take(memory->shared, memory->cpu, line, &flags, cycle)) {
    case SHARED_L3:
        found.ready = cycle + p->l3_slice.latency;
        waited(&found, LATE_L3, p->l3_slice.latency);
        break;
    case SHARED_CLEAN:
        found = from_other_core(p, false, cycle);
        break;
    case SHARED_MODIFIED:
        found = from_other_core(p, true, cycle);
        break;
    case SHARED_NOWHERE:
        begin = shared_read_memory(memory->shared, memory->cpu, line, cycle);
        found.ready = begin + p->memory_latency;
        found.level = LEVEL_MEMORY;
        found.served = LATE_MEMORY;
        waited(&found, LATE_MEMORY, p->memory_latency);
        waited(&found, LATE_BANDWIDTH, begin - cycle);
        break;
    }
    tell(memory, found.level);
    put_in_l2(memory, line, flags, cycle);
    waited(&found, LATE_QUEUE, cycle - asked);
    note_read(memory, line, cycle, &found, asked);
    return found;
}

/* What the access to this line makes the prefetchers of L2 ask for. */
static void prefetch_from(struct memory *memory, uint64_t line, bool missed, uint64_t cycle)
{
    struct prefetcher *prefetcher = &memory->prefetcher;
    uint64_t lines[PREFETCH_LINES];
    const unsigned count = prefetch_lines(prefetcher, memory->parameters, line, missed, lines);

    memory->asking =
        memory->asking == REQUEST_OWNERSHIP ? REQUEST_PREFETCH_OWNERSHIP : REQUEST_PREFETCH_READ;
    for (unsigned i = 0; i < count; i++) {
        struct prefetch_flight *flight = prefetch_room(prefetcher, cycle);
        struct found found;

        if (!flight || (memory->parameters->superqueue &&
                        fills_busy(&memory->queue, cycle) >= memory->queue.limit))
            return;
        if (cache_has(&memory->caches.l2, lines[i], lines[i]))
            continue;
        found = bring_to_l2(memory, lines[i], cycle);
        *flight = (struct prefetch_flight){.line = lines[i],
                                           .ready = found.ready,
                                           .level = (uint8_t)found.level,
                                           .late = (uint8_t)found.late,
                                           .served = (uint8_t)found.served};
        if (found.ready > prefetcher->last_ready)
            prefetcher->last_ready = found.ready;
    }
}

/* Finds the line below L1 from `cycle` on and leaves it in L2. A line that a prefetch has on its
 * way counts as found where it comes from. */
static struct found bring(struct memory *memory, uint64_t line, uint64_t cycle)
{
    const struct prefetch_flight *flight;
    struct found found = {
        .ready = cycle + memory->parameters->l2.latency, .level = LEVEL_L2, .served = LATE_L2};

    if (!cache_touch(&memory->caches.l2, line, line, 0))
        return bring_to_l2(memory, line, cycle);
    waited(&found, LATE_L2, memory->parameters->l2.latency);
    flight = prefetch_pending(&memory->prefetcher, line, cycle);
    if (!flight || flight->ready <= found.ready)
        return found;
    return (struct found){.ready = flight->ready,
                          .longest = flight->ready - cycle,
                          .level = (enum level)flight->level,
                          .late = (enum late)flight->late,
                          .served = (enum late)flight->served};
}

/* The line is here, and is about to be written to: it must be this core's alone. */
static void own_line(struct memory *memory, uint64_t line, struct found *found)
{
    const enum shared_found others = shared_own(memory->shared, memory->cpu, line);
    struct found asked;

    if (others == SHARED_NOWHERE)
        return;
    asked = from_other_core(memory->parameters, others == SHARED_MODIFIED, found->ready);
    tell(memory, asked.level);
    waited(&asked, found->late, found->longest);
    *found = asked;
}

/* A line that streaming stores wrote, all of it or not, is sent. How long its buffer is kept for
 * that is a guess: as long as a read takes. McCalpin (in Intel's forum, on streaming stores of one
 * core) names the buffers' time until memory has the line as what limits them. */
static void send_stream(struct memory *memory, const struct stream_line *open, uint64_t cycle)
{
    const uint64_t begin = shared_write_memory(memory->shared, memory->cpu,
                                               cycle > open->opened ? cycle : open->opened);
    const struct fill made = {.line = open->line,
                              .begin = open->opened,
                              .ready = begin + memory->parameters->memory_latency,
                              .level = LEVEL_MEMORY,
                              .late = LATE_MEMORY,
                              .served = LATE_MEMORY};

    fill_note(&memory->fills, &made, cycle);
    if (made.ready > memory->streams.gone)
        memory->streams.gone = made.ready;
    memory->asking = REQUEST_STREAMING;
    tell(memory, LEVEL_MEMORY);
    stream_close(&memory->streams, open);
}

/* Below L1 from `cycle` on, and then in L1. */
static struct found fetch_line(struct memory *memory, uint64_t line, uint64_t flags, uint64_t cycle)
{
    struct fill made = {.line = line, .begin = fill_begin(&memory->fills, cycle)};
    const uint64_t l2_entry = flags ? cache_entry(&memory->caches.l2, line, line) : 0;
    struct found found;
    const enum request asking = memory->asking;
    struct stream_line *open = stream_find(&memory->streams, line);
    uint64_t victim;

    if (open)
        send_stream(memory, open, cycle);
    memory->asking = asking;
    memory->reading = flags == 0;
    found = bring(memory, line, made.begin);
    if (l2_entry && !(l2_entry & ENTRY_DIRTY))
        own_line(memory, line, &found);
    prefetch_from(memory, line, found.level > LEVEL_L2, made.begin);
    memory->reading = false;
    victim = cache_insert(&memory->caches.l1d, line, line, flags);
    if (victim & ENTRY_DIRTY)
        put_in_l2(memory, entry_tag(victim), ENTRY_DIRTY, made.begin);
    waited(&found, LATE_FILL_BUFFER, made.begin - cycle);
    made.ready = found.ready;
    made.level = found.level;
    made.late = found.late;
    made.served = found.served;
    found.buffered = made.begin;
    fill_note(&memory->fills, &made, cycle);
    return found;
}

/* L1D gets the line. `flags` is ENTRY_DIRTY for a store. On a hit in L1 it is ready at `cycle`. */
static struct found reach_line(struct memory *memory, uint64_t line, uint64_t flags, uint64_t cycle)
{
    struct found found = {.ready = cycle, .level = LEVEL_L1};
    struct fill *fill;
    bool owned;

    if (!cache_touch(&memory->caches.l1d, line, line, 0))
        return fetch_line(memory, line, flags, cycle);
    fill = fill_pending(&memory->fills, line, cycle);
    if (fill) {
        found.level = fill_join(&memory->fills, fill, cycle) ? fill->level : LEVEL_FILL_BUFFER;
        found.ready = fill->ready;
        found.served = fill->served;
        waited(&found, fill->late, fill->ready - cycle);
    }
    if (!flags)
        return found;
    owned = cache_set(&memory->caches.l1d, line)[0] & ENTRY_DIRTY;
    cache_set(&memory->caches.l1d, line)[0] |= flags;
    if (!owned)
        own_line(memory, line, &found);
    return found;
}

/* A prefetch into L1. It is dropped when half of the fill buffers are busy: the manual says "not
 * many other load misses" and gives no number. */
static void prefetch_to_l1(struct memory *memory, uint64_t line, uint64_t cycle)
{
    if (cache_has(&memory->caches.l1d, line, line) ||
        fills_busy(&memory->fills, cycle) >= memory->fills.limit / 2)
        return;
    memory->asking = REQUEST_L1_PREFETCH;
    fetch_line(memory, line, 0, cycle);
}

void memory_train(struct memory *memory, uint64_t rip, uint64_t address, uint64_t cycle)
{
    struct prefetcher_l1 *prefetcher = &memory->prefetcher_l1;
    uint64_t lines[PREFETCH_L1_LINES];
    unsigned count;

    if (!prefetcher->next_line && !prefetcher->stride)
        return;
    count = prefetch_l1_lines(prefetcher, rip, address, lines);
    for (unsigned i = 0; i < count; i++)
        prefetch_to_l1(memory, lines[i], cycle);
}

static uint64_t last_line(uint64_t address, unsigned size)
{
    return (address + (size ? size - 1 : 0)) >> LINE_SHIFT;
}

/* `flags` as for reach_line: a locked load wants the line for itself. */
static void load_line(struct memory *memory, uint64_t address, uint64_t flags, uint64_t cycle,
                      struct reach *reach)
{
    const uint64_t latency = memory->parameters->l1d.latency;
    struct translated translated =
        translate(memory->translation, &memory->translation->data, address, cycle);
    struct found found;

    memory->asking = flags ? REQUEST_OWNERSHIP : REQUEST_DATA_READ;
    found = reach_line(memory, address >> LINE_SHIFT, flags, translated.ready);
    waited(&found, LATE_TRANSLATION, translated.ready - cycle);
    /* Data that arrive are passed on; even so nothing is faster than a hit. */
    if (found.ready < translated.ready + latency)
        found.ready = translated.ready + latency;
    if (found.ready > reach->done) {
        reach->done = found.ready;
        reach->late = found.late;
        reach->served = found.served;
    }
    if (found.level > reach->level)
        reach->level = found.level;
    reach->second_level |= translated.second_level;
    reach->walk |= translated.walk;
    if (translated.ready > reach->translated)
        reach->translated = translated.ready;
    if (found.buffered > reach->buffered)
        reach->buffered = found.buffered;
}

static struct reach load(struct memory *memory, uint64_t address, unsigned size, uint64_t flags,
                         uint64_t cycle)
{
    struct reach reach = {.level = LEVEL_L1, .begun = cycle};
    uint64_t line = address >> LINE_SHIFT, last = last_line(address, size);

    load_line(memory, address, flags, cycle, &reach);
    if (line == last)
        return reach;
    while (line++ != last)
        load_line(memory, line << LINE_SHIFT, flags, cycle, &reach);
    reach.done++;
    if ((address ^ (address + size - 1)) >> PAGE_SHIFT)
        reach.done += memory->parameters->page_split_penalty;
    if (reach.late == LATE_NOT)
        reach.late = LATE_SPLIT;
    return reach;
}

struct reach memory_load(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle)
{
    return load(memory, address, size, 0, cycle);
}

struct reach memory_load_locked(struct memory *memory, uint64_t address, unsigned size,
                                uint64_t cycle)
{
    return load(memory, address, size, ENTRY_DIRTY, cycle);
}

struct reach memory_store(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle)
{
    struct reach reach = {.level = LEVEL_L1};
    uint64_t first = address >> LINE_SHIFT, last = last_line(address, size);

    for (uint64_t line = first;; line++) {
        struct found found;

        memory->asking = REQUEST_OWNERSHIP;
        found = reach_line(memory, line, ENTRY_DIRTY, cycle);
        if (found.ready > reach.done) {
            reach.done = found.ready;
            reach.late = found.late;
            reach.served = found.served;
        }
        if (found.level > reach.level)
            reach.level = found.level;
        if (line == last)
            break;
    }
    reach.done += first != last;
    if (first != last && reach.late == LATE_NOT)
        reach.late = LATE_SPLIT;
    return reach;
}

/* The line's buffer: the one it has, or another one, as soon as one is free. */
static struct stream_line *stream_buffer(struct memory *memory, uint64_t line, uint64_t cycle)
{
    struct stream_line *open = stream_find(&memory->streams, line);

    if (open)
        return open;
    if (memory->streams.count == STREAM_LINES)
        send_stream(memory, &memory->streams.open[0], cycle);
    shared_flush(memory->shared, line);
    return stream_open(&memory->streams, line, fill_begin(&memory->fills, cycle));
}

struct reach memory_stream(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle)
{
    struct reach reach = {.done = cycle, .level = LEVEL_L1};

    while (size > 0) {
        const unsigned first = (unsigned)(address % 64);
        const unsigned bytes = size < 64 - first ? size : 64 - first;
        struct stream_line *open = stream_buffer(memory, address >> LINE_SHIFT, reach.done);

        if (open->opened > reach.done) {
            reach.done = open->opened;
            reach.late = LATE_STREAM;
        }
        if (stream_write(open, first, bytes))
            send_stream(memory, open, reach.done);
        address += bytes;
        size -= bytes;
    }
    return reach;
}

uint64_t memory_stream_end(struct memory *memory, uint64_t cycle)
{
    while (memory->streams.count > 0)
        send_stream(memory, &memory->streams.open[0], cycle);
    return memory->streams.gone;
}

struct reach memory_translate_store(struct memory *memory, uint64_t address, uint64_t cycle)
{
    const struct translated translated =
        translate(memory->translation, &memory->translation->data, address, cycle);

    return (struct reach){.done = translated.ready,
                          .second_level = translated.second_level,
                          .walk = translated.walk};
}

struct reach memory_code(struct memory *memory, uint64_t address, uint64_t cycle)
{
    uint64_t line = address >> LINE_SHIFT, victim;
    struct translated translated =
        translate(memory->translation, &memory->translation->code, address, cycle);
    struct reach reach = {.done = translated.ready,
                          .level = LEVEL_L1,
                          .second_level = translated.second_level,
                          .walk = translated.walk,
                          .translated = translated.ready,
                          .late = translated.ready > cycle ? LATE_TRANSLATION : LATE_NOT};
    struct found found;

    if (cache_touch(&memory->caches.l1i, line, line, 0))
        return reach;
    memory->asking = REQUEST_CODE_READ;
    found = bring(memory, line, translated.ready);
    reach.done = found.ready;
    reach.level = found.level;
    waited(&found, LATE_TRANSLATION, translated.ready - cycle);
    reach.late = found.late;
    victim = cache_insert(&memory->caches.l1i, line, line, 0);
    reach.evicted = victim != 0;
    reach.evicted_line = entry_tag(victim) << LINE_SHIFT;
    return reach;
}

bool memory_code_translated(struct memory *memory, uint64_t address)
{
    return translation_held(&memory->translation->code, address);
}

void memory_prefetch(struct memory *memory, uint64_t address, uint64_t cycle)
{
    struct translated translated =
        translate(memory->translation, &memory->translation->data, address, cycle);

    memory->asking = REQUEST_SOFTWARE_PREFETCH;
    reach_line(memory, address >> LINE_SHIFT, 0, translated.ready);
}

unsigned memory_line_reads(struct memory *memory, const struct line_read **reads)
{
    const unsigned count = memory->read_count;

    memory->read_count = 0;
    *reads = memory->reads;
    return count;
}

void memory_flush_line(struct memory *memory, uint64_t address)
{
    shared_flush(memory->shared, address >> LINE_SHIFT);
}

void memory_invalidate(struct memory *memory, uint64_t address)
{
    shared_take_away(memory->shared, memory->cpu, address >> LINE_SHIFT);
}

void memory_drop_code(struct memory *memory, uint64_t address)
{
    uint64_t line = address >> LINE_SHIFT;

    cache_remove(&memory->caches.l1i, line, line);
}

bool memory_in_code_cache(const struct memory *memory, uint64_t address)
{
    uint64_t line = address >> LINE_SHIFT;

    return cache_has(&memory->caches.l1i, line, line);
}

void memory_prefetchers(struct memory *memory, unsigned off)
{
    const struct model_parameters *p = memory->parameters;

    memory->prefetcher.off = (uint8_t)(off & (PREFETCH_STREAM_OFF | PREFETCH_ADJACENT_OFF));
    memory->prefetcher_l1.next_line = p->next_line_l1 && !(off & PREFETCH_NEXT_LINE_OFF);
    memory->prefetcher_l1.stride = p->stride_l1 && !(off & PREFETCH_STRIDE_OFF);
}

void memory_flush_tlb(struct memory *memory)
{
    translation_flush(memory->translation);
}
