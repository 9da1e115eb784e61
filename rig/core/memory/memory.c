/* Accesses: loads, stores, streaming stores, code and prefetches, each as the lines it touches. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"

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

struct memory_hierarchy *hierarchy_new(const struct model_parameters *parameters, unsigned cpu,
                                       struct shared_cache *shared, struct model_world world)
{
    struct memory_hierarchy *memory = calloc(1, sizeof(*memory));

    if (memory == NULL)
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
        hierarchy_free(memory);
        return NULL;
    }
    memory->cpu = cpu;
    return memory;
}

void hierarchy_free(struct memory_hierarchy *memory)
{
    if (memory == NULL)
        return;
    shared_leave(memory->shared, memory->cpu);
    translation_free(&memory->own);
    cache_free(&memory->caches.l1d);
    cache_free(&memory->caches.l1i);
    cache_free(&memory->caches.l2);
    free(memory);
}

void memory_pair(struct memory_hierarchy *memory)
{
    shared_leave(memory->shared, memory->cpu);
    memory->cpu = PROCESSORS_MAX;
    cache_free(&memory->caches.l1d);
    cache_free(&memory->caches.l1i);
    cache_free(&memory->caches.l2);
}

void memory_select(struct memory_hierarchy *memory, struct memory_hierarchy *whose)
{
    memory->translation = &whose->own;
    memory->asker = whose;
}

void memory_subscribe(struct memory_hierarchy *memory,
                      void (*request)(void *, enum request, enum origin), void *context)
{
    memory->request = request;
    memory->request_context = context;
}

/* Every access to data is a hit. */
static bool always_hits(const struct memory_hierarchy *memory)
{
    return memory->parameters->ideal & IDEAL_MEMORY;
}

static uint64_t last_line(uint64_t address, unsigned size)
{
    return (address + (size ? size - 1 : 0)) >> LINE_SHIFT;
}

static struct translated translate_data(struct memory_hierarchy *memory, uint64_t address,
                                        uint64_t cycle)
{
    struct translation *translation = memory->translation;

    return translate(translation, &translation->data, address + translation->linear_above, cycle);
}

/* An access that takes no time leaves lines and translations where others would: code may find them
 * there. */
static void keep(struct memory_hierarchy *memory, uint64_t address, unsigned size, uint64_t flags,
                 uint64_t cycle)
{
    for (uint64_t line = address >> LINE_SHIFT; line <= last_line(address, size); line++) {
        translation_keep(memory->translation, &memory->translation->data,
                         (line << LINE_SHIFT) + memory->translation->linear_above);
        keep_line(memory, line, flags, cycle);
    }
}

void memory_train(struct memory_hierarchy *memory, uint64_t rip, uint64_t address, uint64_t cycle)
{
    struct prefetcher_l1 *prefetcher = &memory->prefetcher_l1;
    uint64_t lines[PREFETCH_L1_LINES];
    unsigned count;

    if ((!prefetcher->next_line && !prefetcher->stride) || always_hits(memory))
        return;
    count = prefetch_l1_lines(prefetcher, rip, address, lines);
    for (unsigned i = 0; i < count; i++)
        prefetch_to_l1(memory, lines[i], cycle);
}

/* `flags` as for reach_line: a locked load wants to own the line. */
static void load_line(struct memory_hierarchy *memory, uint64_t address, uint64_t flags,
                      uint64_t cycle, struct reach *reach)
{
    const uint64_t latency = memory->parameters->l1d.latency;
    struct translated translated = translate_data(memory, address, cycle);
    struct found_line found;

    memory->asking = flags ? REQUEST_OWNERSHIP : REQUEST_DATA_READ;
    found = reach_line(memory, address >> LINE_SHIFT, flags, translated.ready);
    waited(&found, LATE_TRANSLATION, translated.ready - cycle);
    /* Arriving data are forwarded to the load; even so no load is faster than a hit. */
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

static struct reach load(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                         uint64_t flags, uint64_t cycle)
{
    struct reach reach = {.level = LEVEL_L1, .begun = cycle};
    uint64_t line = address >> LINE_SHIFT, last = last_line(address, size);

    if (always_hits(memory)) {
        keep(memory, address, size, flags, cycle);
        reach.translated = cycle;
        reach.done = cycle + memory->parameters->l1d.latency;
        return reach;
    }
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

struct reach memory_load(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                         uint64_t cycle)
{
    return load(memory, address, size, 0, cycle);
}

struct reach memory_load_locked(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                                uint64_t cycle)
{
    return load(memory, address, size, ENTRY_DIRTY, cycle);
}

struct reach memory_store(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                          uint64_t cycle)
{
    struct reach reach = {.level = LEVEL_L1};
    uint64_t first = address >> LINE_SHIFT, last = last_line(address, size);

    if (always_hits(memory)) {
        keep(memory, address, size, ENTRY_DIRTY, cycle);
        return (struct reach){.level = LEVEL_L1, .done = cycle};
    }
    for (uint64_t line = first;; line++) {
        struct found_line found;

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

/* The buffer that the line has already, else a new one as soon as a fill buffer is free. */
static struct stream_line *stream_buffer(struct memory_hierarchy *memory, uint64_t line,
                                         uint64_t cycle)
{
    struct stream_line *open = stream_find(&memory->streams, line);

    if (open != NULL)
        return open;
    if (memory->streams.count == STREAM_LINES)
        send_stream(memory, &memory->streams.open[0], cycle);
    shared_flush(memory->shared, line);
    return stream_open(&memory->streams, line, fill_begin(&memory->fills, cycle));
}

struct reach memory_stream(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                           uint64_t cycle)
{
    struct reach reach = {.done = cycle, .level = LEVEL_L1};

    memory->beyond++;
    if (always_hits(memory)) {
        for (uint64_t line = address >> LINE_SHIFT; line <= last_line(address, size); line++)
            shared_flush(memory->shared, line);
        return reach;
    }
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

uint64_t memory_stream_end(struct memory_hierarchy *memory, uint64_t cycle)
{
    while (memory->streams.count > 0)
        send_stream(memory, &memory->streams.open[0], cycle);
    return memory->streams.gone;
}

struct reach memory_translate_store(struct memory_hierarchy *memory, uint64_t address,
                                    uint64_t cycle)
{
    struct translated translated = {.ready = cycle};

    if (!always_hits(memory))
        translated = translate_data(memory, address, cycle);
    return (struct reach){
        .done = translated.ready, .second_level = translated.second_level, .walk = translated.walk};
}

struct reach memory_code(struct memory_hierarchy *memory, uint64_t address, uint64_t cycle)
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
    struct found_line found;

    memory->code[line % CODE_LINES / 8] |= (uint8_t)(1u << line % 8);
    if (cache_touch(&memory->caches.l1i, line, line, 0))
        return reach;
    memory->beyond++;
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

bool memory_code_translated(struct memory_hierarchy *memory, uint64_t address)
{
    return translation_held(&memory->translation->code, address);
}

void memory_prefetch(struct memory_hierarchy *memory, uint64_t address, uint64_t cycle)
{
    struct translated translated;

    if (always_hits(memory)) {
        keep(memory, address, 1, 0, cycle);
        return;
    }
    translated = translate_data(memory, address, cycle);
    memory->asking = REQUEST_SOFTWARE_PREFETCH;
    reach_line(memory, address >> LINE_SHIFT, 0, translated.ready);
}

unsigned memory_line_reads(struct memory_hierarchy *memory, const struct line_read **reads)
{
    const unsigned count = memory->read_count;

    memory->read_count = 0;
    *reads = memory->reads;
    return count;
}

void memory_flush_line(struct memory_hierarchy *memory, uint64_t address)
{
    memory->beyond++;
    shared_flush(memory->shared, address >> LINE_SHIFT);
}

void memory_invalidate(struct memory_hierarchy *memory, uint64_t address)
{
    shared_take_away(memory->shared, memory->cpu, address >> LINE_SHIFT);
}

void memory_drop_code(struct memory_hierarchy *memory, uint64_t address)
{
    uint64_t line = address >> LINE_SHIFT;

    memory->beyond++;
    cache_remove(&memory->caches.l1i, line, line);
}

bool memory_fetched(const struct memory_hierarchy *memory, uint64_t address)
{
    const uint64_t line = address >> LINE_SHIFT;

    return memory->code[line % CODE_LINES / 8] >> line % 8 & 1;
}

bool memory_in_code_cache(const struct memory_hierarchy *memory, uint64_t address)
{
    uint64_t line = address >> LINE_SHIFT;

    return cache_has(&memory->caches.l1i, line, line);
}

void memory_prefetchers(struct memory_hierarchy *memory, unsigned off)
{
    const struct model_parameters *p = memory->parameters;

    memory->prefetcher.off = (uint8_t)(off & (PREFETCH_STREAM_OFF | PREFETCH_ADJACENT_OFF));
    memory->prefetcher_l1.next_line = p->next_line_l1 && !(off & PREFETCH_NEXT_LINE_OFF);
    memory->prefetcher_l1.stride = p->stride_l1 && !(off & PREFETCH_STRIDE_OFF);
}

void memory_clock(struct memory_hierarchy *memory, unsigned mhz, unsigned first_mhz)
{
    memory->mhz = mhz;
    memory->first_mhz = first_mhz;
    bus_clock(&memory->caches.bus, mhz, first_mhz);
}

void memory_linear_above(struct memory_hierarchy *memory, uint64_t bytes)
{
    memory->translation->linear_above = bytes;
}

void memory_flush_first_tlb(struct memory_hierarchy *memory)
{
    translation_flush_first(memory->translation);
}

void memory_flush_tlb(struct memory_hierarchy *memory)
{
    translation_flush(memory->translation);
}
