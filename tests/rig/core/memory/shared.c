/* The last-level cache, and what cores do to each other's lines. */
#include "shared.h"

#include <stdlib.h>

/* A core counts as using memory for this many cycles after its last transfer: several turns of the
 * machine's scheduler, so that every core that still streams has had its turn. */
#define SHARING 16384u

struct shared_cache *shared_cache_new(const struct model_parameters *parameters, unsigned cores)
{
    const struct cache_geometry *slice = &parameters->l3_slice;
    uint64_t sets = slice->ways ? (uint64_t)slice->bytes * cores >> LINE_SHIFT : 0;
    struct shared_cache *shared = calloc(1, sizeof(*shared));

    if (shared == NULL)
        return NULL;
    if (slice->ways)
        sets /= slice->ways;
    shared->parameters = parameters;
    if (!cache_init(&shared->l3, sets, slice->ways)) {
        free(shared);
        return NULL;
    }
    return shared;
}

void shared_cache_free(struct shared_cache *shared)
{
    if (shared == NULL)
        return;
    cache_free(&shared->l3);
    free(shared);
}

bool shared_join(struct shared_cache *shared, unsigned cpu, struct private_caches *caches)
{
    if (cpu >= PROCESSORS_MAX || shared->processor[cpu] != NULL)
        return false;
    shared->processor[cpu] = caches;
    if (cpu >= shared->processors)
        shared->processors = cpu + 1;
    return true;
}

void shared_leave(struct shared_cache *shared, unsigned cpu)
{
    if (cpu < shared->processors)
        shared->processor[cpu] = NULL;
}

static unsigned sharers(const struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    unsigned count = 1;

    for (unsigned i = 0; i < shared->processors; i++) {
        const struct private_caches *caches = shared->processor[i];

        count +=
            caches != NULL && i != cpu && caches->bus.last && caches->bus.last + SHARING > cycle;
    }
    return count;
}

static uint64_t book(struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    return bus_book(&shared->processor[cpu]->bus, cycle, sharers(shared, cpu, cycle));
}

/* Gives the flags of the dropped copies. */
static uint64_t drop_everywhere(struct shared_cache *shared, uint64_t line)
{
    uint64_t flags = 0;

    for (unsigned i = 0; i < shared->processors; i++) {
        struct private_caches *caches = shared->processor[i];

        if (caches != NULL) {
            flags |= cache_remove(&caches->l1d, line, line);
            flags |= cache_remove(&caches->l2, line, line);
            cache_remove(&caches->l1i, line, line);
        }
    }
    return flags;
}

static void insert(struct shared_cache *shared, unsigned cpu, uint64_t line, uint64_t flags,
                   uint64_t cycle)
{
    uint64_t victim = cache_insert(&shared->l3, line, line, flags);

    if (!victim)
        return;
    if (shared->parameters->l3_inclusive)
        victim |= drop_everywhere(shared, entry_tag(victim)) & ENTRY_DIRTY;
    if (victim & ENTRY_DIRTY)
        book(shared, cpu, cycle);
}

/* Which other cores have the line. A line that the write of this very access took away from a core
 * counts as still there. */
static enum shared_found others(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    struct handed *handed = &shared->handed[line % HANDED_LINES];
    unsigned holders = 0;
    bool modified = false;

    for (unsigned i = 0; i < shared->processors; i++) {
        const struct private_caches *caches = shared->processor[i];
        uint64_t entry;

        if (caches == NULL || i == cpu)
            continue;
        entry = cache_entry(&caches->l1d, line, line) | cache_entry(&caches->l2, line, line);
        holders += entry != 0;
        modified |= (entry & ENTRY_DIRTY) != 0;
    }
    if (handed->line == line + 1) {
        modified |= handed->cpu != cpu && handed->modified;
        holders += handed->cpu != cpu;
        handed->line = 0;
    }
    if (modified)
        return SHARED_MODIFIED;
    return holders == 0 ? SHARED_NOWHERE : holders == 1 ? SHARED_CLEAN : SHARED_L3;
}

/* The core that wrote to the line gives the data back and keeps a clean copy. */
static void write_back(struct shared_cache *shared, unsigned cpu, uint64_t line, uint64_t cycle)
{
    for (unsigned i = 0; i < shared->processors; i++) {
        struct private_caches *caches = shared->processor[i];

        if (caches == NULL || i == cpu)
            continue;
        cache_clean(&caches->l1d, line, line);
        cache_clean(&caches->l2, line, line);
    }
    if (shared->l3.sets)
        insert(shared, cpu, line, ENTRY_DIRTY, cycle);
    else
        book(shared, cpu, cycle);
}

enum shared_found shared_take(struct shared_cache *shared, unsigned cpu, uint64_t line,
                              uint64_t *flags, uint64_t cycle)
{
    const bool inclusive = shared->parameters->l3_inclusive;
    const enum shared_found found = others(shared, cpu, line);
    const bool here =
        inclusive ? cache_touch(&shared->l3, line, line, 0) : cache_has(&shared->l3, line, line);

    *flags = 0;
    if (found == SHARED_MODIFIED) {
        write_back(shared, cpu, line, cycle);
        return found;
    }
    if (found == SHARED_NOWHERE) {
        if (here && !inclusive)
            *flags = cache_remove(&shared->l3, line, line) & ENTRY_DIRTY;
        return here ? SHARED_L3 : SHARED_NOWHERE;
    }
    if (inclusive)
        return found;
    if (here)
        return SHARED_L3; /* L3 has it because cores share it: none of them has to be asked */
    insert(shared, cpu, line, 0, cycle);
    return SHARED_CLEAN;
}

enum shared_found shared_own(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    return shared->processors > 1 ? others(shared, cpu, line) : SHARED_NOWHERE;
}

void shared_take_away(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    struct private_caches *caches = shared->processor[cpu];
    const uint64_t entry =
        cache_remove(&caches->l1d, line, line) | cache_remove(&caches->l2, line, line);

    cache_remove(&caches->l1i, line, line);
    if (entry)
        shared->handed[line % HANDED_LINES] =
            (struct handed){.line = line + 1, .cpu = cpu, .modified = (entry & ENTRY_DIRTY) != 0};
}

uint64_t shared_read_memory(struct shared_cache *shared, unsigned cpu, uint64_t line,
                            uint64_t cycle)
{
    uint64_t begin = book(shared, cpu, cycle);

    if (shared->parameters->l3_inclusive)
        insert(shared, cpu, line, 0, cycle);
    return begin;
}

uint64_t shared_write_memory(struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    return book(shared, cpu, cycle);
}

void shared_put_victim(struct shared_cache *shared, unsigned cpu, uint64_t entry, uint64_t cycle)
{
    uint64_t line = entry_tag(entry), flags = entry & ENTRY_DIRTY;

    if (!shared->l3.sets) {
        if (flags)
            book(shared, cpu, cycle);
        return;
    }
    insert(shared, cpu, line, flags, cycle);
}

void shared_flush(struct shared_cache *shared, uint64_t line)
{
    drop_everywhere(shared, line);
    if (shared->handed[line % HANDED_LINES].line == line + 1)
        shared->handed[line % HANDED_LINES].line = 0;
    cache_remove(&shared->l3, line, line);
}
