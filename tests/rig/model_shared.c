#include "model_shared.h"

#include <stdlib.h>

/* A core counts among those that share the bandwidth for so long after its last transfer: several
 * turns of the machine's scheduler, after which a core that still streams has had its turn. In
 * cycles. */
#define SHARING 16384u

struct shared_cache *shared_cache_new(const struct model_parameters *parameters, unsigned cores)
{
    const struct cache_geometry *slice = &parameters->l3_slice;
    uint64_t sets = slice->ways ? (uint64_t)slice->bytes * cores >> LINE_SHIFT : 0;
    struct shared_cache *shared = calloc(1, sizeof *shared);

    if (!shared)
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
    if (!shared)
        return;
    cache_free(&shared->l3);
    free(shared);
}

bool shared_join(struct shared_cache *shared, unsigned cpu, struct private_caches *caches)
{
    if (cpu >= PROCESSORS_MAX || shared->processor[cpu])
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

/* A line that another core holds comes from there, by way of L3, and stays there too. */
static bool another_has(const struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    for (unsigned i = 0; i < shared->processors; i++) {
        const struct private_caches *caches = shared->processor[i];

        if (caches && i != cpu &&
            (cache_has(&caches->l2, line, line) || cache_has(&caches->l1d, line, line)))
            return true;
    }
    return false;
}

bool shared_take(struct shared_cache *shared, unsigned cpu, uint64_t line, uint64_t *flags)
{
    *flags = 0;
    if (shared->parameters->l3_inclusive) {
        if (cache_touch(&shared->l3, line, line, 0))
            return true;
    } else {
        uint64_t entry = cache_remove(&shared->l3, line, line);

        if (entry) {
            *flags = entry & ENTRY_DIRTY;
            return true;
        }
    }
    return another_has(shared, cpu, line);
}

static unsigned sharers(const struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    unsigned count = 1;

    for (unsigned i = 0; i < shared->processors; i++) {
        const struct private_caches *caches = shared->processor[i];

        count += caches && i != cpu && caches->bus.last && caches->bus.last + SHARING > cycle;
    }
    return count;
}

static uint64_t book(struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    return bus_book(&shared->processor[cpu]->bus, cycle, sharers(shared, cpu, cycle));
}

/* Gives the flags of the copies that were dropped. */
static uint64_t drop_everywhere(struct shared_cache *shared, uint64_t line)
{
    uint64_t flags = 0;

    for (unsigned i = 0; i < shared->processors; i++) {
        struct private_caches *caches = shared->processor[i];

        if (caches) {
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

uint64_t shared_read_memory(struct shared_cache *shared, unsigned cpu, uint64_t line,
                            uint64_t cycle)
{
    uint64_t begin = book(shared, cpu, cycle);

    if (shared->parameters->l3_inclusive)
        insert(shared, cpu, line, 0, cycle);
    return begin;
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
    cache_remove(&shared->l3, line, line);
}
