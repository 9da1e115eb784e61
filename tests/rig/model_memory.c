#include "model_memory.h"

#include <stdlib.h>
#include <string.h>

#include "model_cache.h"
#include "model_prefetch.h"
#include "model_shared.h"
#include "model_tlb.h"

#define FILLS_MAX    64u
#define NO_LINE      UINT64_MAX
#define HINTS        64u
#define HINT_SEVERAL 255u

/* A line on its way to L1D. The caches hold it from the moment it is asked for; until `ready` an
 * access to it waits. */
struct fill {
    uint64_t line; /* NO_LINE: a later request for the same line took over */
    uint64_t begin, ready;
    enum level level;
};

struct memory {
    const struct model_parameters *parameters;
    struct shared_cache *shared;
    unsigned cpu;
    struct private_caches caches;
    struct translation translation;
    struct prefetcher prefetcher;
    /* Accesses come in program order, not in the order of their cycles, so more fills are
     * remembered than can be under way at once: those of this access's past and of its future. */
    struct fill fill[FILLS_MAX];
    unsigned fills, fill_limit;
    uint64_t last_ready; /* nothing is under way at this cycle or later */
    enum request asking; /* on whose behalf lines are asked for now */
    void (*request)(void *context, enum request request, enum origin origin);
    void *request_context;
    uint8_t hint[HINTS]; /* by line: 0 no fill, n the fill n - 1, HINT_SEVERAL look at all */
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
    memory_prefetchers(memory, ~0u);
    memory->fill_limit = parameters->fill_buffers ? parameters->fill_buffers : 1;
    memory->fills = memory->fill_limit * 2;
    for (unsigned i = 0; i < FILLS_MAX; i++)
        memory->fill[i].line = NO_LINE;
    if (memory->fills > FILLS_MAX || !private_init(&memory->caches, parameters) ||
        !translation_init(&memory->translation, parameters, world) ||
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
    translation_free(&memory->translation);
    cache_free(&memory->caches.l1d);
    cache_free(&memory->caches.l1i);
    cache_free(&memory->caches.l2);
    free(memory);
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

/* Finds the line below L2 from `cycle` on and leaves it in L2. Gives in *ready when it is there. */
static enum level bring_to_l2(struct memory *memory, uint64_t line, uint64_t cycle, uint64_t *ready)
{
    const struct model_parameters *p = memory->parameters;
    enum level level = LEVEL_L3;
    uint64_t flags;

    if (shared_take(memory->shared, memory->cpu, line, &flags)) {
        *ready = cycle + p->l3_slice.latency;
    } else {
        *ready = shared_read_memory(memory->shared, memory->cpu, line, cycle) + p->memory_latency;
        level = LEVEL_MEMORY;
    }
    if (memory->request)
        memory->request(memory->request_context, memory->asking,
                        level == LEVEL_L3 ? ORIGIN_L3 : ORIGIN_MEMORY);
    put_in_l2(memory, line, flags, cycle);
    return level;
}

/* What the access to this line makes the prefetchers ask for. */
static void prefetch_from(struct memory *memory, uint64_t line, bool missed, uint64_t cycle)
{
    struct prefetcher *prefetcher = &memory->prefetcher;
    uint64_t lines[PREFETCH_LINES];
    const unsigned count = prefetch_lines(prefetcher, memory->parameters, line, missed, lines);

    memory->asking = memory->asking == REQUEST_OWNERSHIP ? REQUEST_PREFETCH_OWNERSHIP
                                                         : REQUEST_PREFETCH_READ;
    for (unsigned i = 0; i < count; i++) {
        struct prefetch_flight *flight = prefetch_room(prefetcher, cycle);

        if (!flight)
            return;
        if (cache_has(&memory->caches.l2, lines[i], lines[i]))
            continue;
        flight->line = lines[i];
        flight->level = (uint8_t)bring_to_l2(memory, lines[i], cycle, &flight->ready);
        if (flight->ready > prefetcher->last_ready)
            prefetcher->last_ready = flight->ready;
    }
}

/* Finds the line below L1 from `cycle` on and leaves it in L2. Gives in *ready when it is there. A
 * line that a prefetch has on its way counts as found where it comes from. */
static enum level bring(struct memory *memory, uint64_t line, uint64_t cycle, uint64_t *ready)
{
    const struct prefetch_flight *flight;

    if (!cache_touch(&memory->caches.l2, line, line, 0))
        return bring_to_l2(memory, line, cycle, ready);
    *ready = cycle + memory->parameters->l2.latency;
    flight = prefetch_pending(&memory->prefetcher, line, cycle);
    if (!flight || flight->ready <= *ready)
        return LEVEL_L2;
    *ready = flight->ready;
    return (enum level)flight->level;
}

/* The cycle, not before this one, in which fewer fills are under way than there are buffers. */
static uint64_t fill_begin(const struct memory *memory, uint64_t cycle)
{
    while (cycle < memory->last_ready) {
        uint64_t first = UINT64_MAX;
        unsigned busy = 0;

        for (unsigned i = 0; i < memory->fills; i++) {
            const struct fill *fill = &memory->fill[i];

            if (fill->begin <= cycle && cycle < fill->ready) {
                busy++;
                first = fill->ready < first ? fill->ready : first;
            }
        }
        if (busy < memory->fill_limit)
            break;
        cycle = first;
    }
    return cycle;
}

static void hints_renew(struct memory *memory)
{
    memset(memory->hint, 0, sizeof memory->hint);
    for (unsigned i = 0; i < memory->fills; i++) {
        uint8_t *hint = &memory->hint[memory->fill[i].line % HINTS];

        if (memory->fill[i].line != NO_LINE)
            *hint = (uint8_t)(*hint ? HINT_SEVERAL : i + 1);
    }
}

/* Remembers the fill in place of the one that was over first. */
static void fill_note(struct memory *memory, const struct fill *made)
{
    unsigned oldest = 0;
    uint64_t old;

    for (unsigned i = 0; i < memory->fills; i++) {
        if (memory->fill[i].line == made->line)
            memory->fill[i].line = NO_LINE;
        if (memory->fill[i].ready < memory->fill[oldest].ready)
            oldest = i;
    }
    old = memory->fill[oldest].line;
    memory->fill[oldest] = *made;
    if (memory->hint[old % HINTS] == oldest + 1)
        memory->hint[old % HINTS] = 0;
    if (memory->hint[old % HINTS] || memory->hint[made->line % HINTS])
        hints_renew(memory);
    else
        memory->hint[made->line % HINTS] = (uint8_t)(oldest + 1);
    if (made->ready > memory->last_ready)
        memory->last_ready = made->ready;
}

/* The fill that an access to the line at `cycle` has to wait for, or NULL. */
static struct fill *fill_pending(struct memory *memory, uint64_t line, uint64_t cycle)
{
    unsigned hint = memory->hint[line % HINTS], first = hint - 1, end = hint;

    if (cycle >= memory->last_ready || !hint)
        return NULL;
    if (hint == HINT_SEVERAL) {
        first = 0;
        end = memory->fills;
    }
    for (unsigned i = first; i < end; i++) {
        if (memory->fill[i].line == line)
            return cycle < memory->fill[i].ready ? &memory->fill[i] : NULL;
    }
    return NULL;
}

/* A line that L1D holds but that is still on its way. An access whose cycle is before the request
 * is the one that asks for the line, although it comes later in the program. */
static enum level fill_join(struct fill *fill, uint64_t cycle, uint64_t *ready)
{
    if (cycle >= fill->begin) {
        *ready = fill->ready;
        return LEVEL_FILL_BUFFER;
    }
    fill->ready -= fill->begin - cycle;
    fill->begin = cycle;
    *ready = fill->ready;
    return fill->level;
}

/* L1D gets the line. `flags` is ENTRY_DIRTY for a store. On a hit in L1 *ready is `cycle`. */
static enum level reach_line(struct memory *memory, uint64_t line, uint64_t flags, uint64_t cycle,
                             uint64_t *ready)
{
    struct fill made = {.line = line};
    uint64_t victim;

    if (cache_touch(&memory->caches.l1d, line, line, flags)) {
        struct fill *fill = fill_pending(memory, line, cycle);

        *ready = cycle;
        return fill ? fill_join(fill, cycle, ready) : LEVEL_L1;
    }
    made.begin = fill_begin(memory, cycle);
    made.level = bring(memory, line, made.begin, &made.ready);
    prefetch_from(memory, line, made.level > LEVEL_L2, made.begin);
    victim = cache_insert(&memory->caches.l1d, line, line, flags);
    if (victim & ENTRY_DIRTY)
        put_in_l2(memory, entry_tag(victim), ENTRY_DIRTY, made.begin);
    fill_note(memory, &made);
    *ready = made.ready;
    return made.level;
}

static uint64_t last_line(uint64_t address, unsigned size)
{
    return (address + (size ? size - 1 : 0)) >> LINE_SHIFT;
}

static void load_line(struct memory *memory, uint64_t address, uint64_t cycle, struct reach *reach)
{
    uint64_t latency = memory->parameters->l1d.latency, ready;
    struct translated translated =
        translate(&memory->translation, &memory->translation.data, address, cycle);
    enum level level = reach_line(memory, address >> LINE_SHIFT, 0, translated.ready, &ready);

    /* Data that arrive are passed on; even so nothing is faster than a hit. */
    if (ready < translated.ready + latency)
        ready = translated.ready + latency;
    if (ready > reach->done)
        reach->done = ready;
    if (level > reach->level)
        reach->level = level;
    reach->second_level |= translated.second_level;
    reach->walk |= translated.walk;
}

struct reach memory_load(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle)
{
    struct reach reach = {.level = LEVEL_L1};
    uint64_t line = address >> LINE_SHIFT, last = last_line(address, size);

    memory->asking = REQUEST_DATA_READ;
    load_line(memory, address, cycle, &reach);
    if (line == last)
        return reach;
    while (line++ != last) {
        memory->asking = REQUEST_DATA_READ;
        load_line(memory, line << LINE_SHIFT, cycle, &reach);
    }
    reach.done++;
    return reach;
}

struct reach memory_store(struct memory *memory, uint64_t address, unsigned size, uint64_t cycle)
{
    struct reach reach = {.level = LEVEL_L1};
    uint64_t first = address >> LINE_SHIFT, last = last_line(address, size);

    for (uint64_t line = first;; line++) {
        uint64_t ready;
        enum level level;

        memory->asking = REQUEST_OWNERSHIP;
        level = reach_line(memory, line, ENTRY_DIRTY, cycle, &ready);
        if (ready > reach.done)
            reach.done = ready;
        if (level > reach.level)
            reach.level = level;
        if (line == last)
            break;
    }
    reach.done += first != last;
    return reach;
}

unsigned memory_translate_store(struct memory *memory, uint64_t address, bool *walk)
{
    struct translated translated =
        translate_untimed(&memory->translation, &memory->translation.data, address);

    *walk = translated.walk;
    return (unsigned)translated.ready;
}

struct reach memory_code(struct memory *memory, uint64_t address, uint64_t cycle)
{
    uint64_t line = address >> LINE_SHIFT, victim;
    struct translated translated =
        translate(&memory->translation, &memory->translation.code, address, cycle);
    struct reach reach = {.done = translated.ready,
                          .level = LEVEL_L1,
                          .second_level = translated.second_level,
                          .walk = translated.walk};

    if (cache_touch(&memory->caches.l1i, line, line, 0))
        return reach;
    memory->asking = REQUEST_CODE_READ;
    reach.level = bring(memory, line, translated.ready, &reach.done);
    victim = cache_insert(&memory->caches.l1i, line, line, 0);
    reach.evicted = victim != 0;
    reach.evicted_line = entry_tag(victim) << LINE_SHIFT;
    return reach;
}

bool memory_code_translated(struct memory *memory, uint64_t address)
{
    return translation_held(&memory->translation.code, address);
}

void memory_prefetch(struct memory *memory, uint64_t address, uint64_t cycle)
{
    struct translated translated =
        translate(&memory->translation, &memory->translation.data, address, cycle);
    uint64_t ready;

    memory->asking = REQUEST_SOFTWARE_PREFETCH;
    reach_line(memory, address >> LINE_SHIFT, 0, translated.ready, &ready);
}

void memory_flush_line(struct memory *memory, uint64_t address)
{
    shared_flush(memory->shared, address >> LINE_SHIFT);
}

void memory_invalidate(struct memory *memory, uint64_t address)
{
    uint64_t line = address >> LINE_SHIFT;

    cache_remove(&memory->caches.l1d, line, line);
    cache_remove(&memory->caches.l1i, line, line);
    cache_remove(&memory->caches.l2, line, line);
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
    memory->prefetcher.off = (uint8_t)(off & (PREFETCH_STREAM_OFF | PREFETCH_ADJACENT_OFF));
}

void memory_flush_tlb(struct memory *memory)
{
    translation_flush(&memory->translation);
}

void memory_tell(struct memory *memory, void (*request)(void *, enum request, enum origin),
                 void *context)
{
    memory->request = request;
    memory->request_context = context;
}
