/* The last-level caches, and what cores do to each other's lines. */
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
    shared->packages = (struct model_packages){1, PROCESSORS_MAX, UINT64_MAX, 100};
    if (!cache_init(&shared->l3[0], sets, slice->ways)) {
        free(shared);
        return NULL;
    }
    return shared;
}

bool shared_cache_packages(struct shared_cache *shared, const struct model_packages *packages)
{
    const struct cache *first = &shared->l3[0];

    if (packages->count > PACKAGES_MAX || !packages->processors || !packages->node_bytes)
        return false;
    shared->packages = *packages;
    for (unsigned i = 1; i < packages->count; i++)
        if (!cache_init(&shared->l3[i], first->sets, first->ways))
            return false;
    return true;
}

void shared_cache_free(struct shared_cache *shared)
{
    if (shared == NULL)
        return;
    for (unsigned i = 0; i < PACKAGES_MAX; i++)
        cache_free(&shared->l3[i]);
    free(shared);
}

static unsigned package_of(const struct shared_cache *shared, unsigned cpu)
{
    return cpu / shared->packages.processors;
}

static struct cache *l3_of(struct shared_cache *shared, unsigned cpu)
{
    return &shared->l3[package_of(shared, cpu)];
}

/* The end of the package's numbers of cores that are in use. */
static unsigned end_of(const struct shared_cache *shared, unsigned package)
{
    const unsigned end = (package + 1) * shared->packages.processors;

    return end < shared->processors ? end : shared->processors;
}

bool shared_is_remote(const struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    const uint64_t node = (line << LINE_SHIFT) / shared->packages.node_bytes;
    const unsigned last = shared->packages.count - 1; /* also of what is behind all memory */

    return (node < last ? node : last) != package_of(shared, cpu);
}

uint64_t shared_far(const struct shared_cache *shared, uint64_t cycles)
{
    return cycles * shared->packages.far_percent / 100;
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

/* How many cores of the package use memory: each package has a way to memory of its own. */
static unsigned sharers(const struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    const unsigned package = package_of(shared, cpu);
    unsigned count = 1;

    for (unsigned i = package * shared->packages.processors; i < end_of(shared, package); i++) {
        const struct private_caches *caches = shared->processor[i];

        count +=
            caches != NULL && i != cpu && caches->bus.last && caches->bus.last + SHARING > cycle;
    }
    return count;
}

static uint64_t book(struct shared_cache *shared, unsigned cpu, uint64_t cycle)
{
    struct private_caches *caches = shared->processor[cpu];
    const uint64_t clock = cycle + caches->skipped;

    return bus_book(&caches->bus, clock, sharers(shared, cpu, clock)) - caches->skipped;
}

static void announce(struct private_caches *caches)
{
    if (caches->changes != NULL)
        caches->changes(caches->context);
}

/* The line leaves the private caches of the package. Gives the flags of the dropped copies. */
static uint64_t drop_in(struct shared_cache *shared, unsigned package, uint64_t line)
{
    uint64_t flags = 0;

    for (unsigned i = package * shared->packages.processors; i < end_of(shared, package); i++) {
        struct private_caches *caches = shared->processor[i];

        if (caches != NULL) {
            announce(caches);
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
    uint64_t victim = cache_insert(l3_of(shared, cpu), line, line, flags);

    if (!victim)
        return;
    if (shared->parameters->l3_inclusive)
        victim |= drop_in(shared, package_of(shared, cpu), entry_tag(victim)) & ENTRY_DIRTY;
    if (victim & ENTRY_DIRTY)
        book(shared, cpu, cycle);
}

/* Which cores of the package, without `cpu`, have the line. A line that the write of this very
 * access took away from a core counts as still there. */
static enum shared_found others(struct shared_cache *shared, unsigned cpu, unsigned package,
                                uint64_t line)
{
    struct handed *handed = &shared->handed[line % HANDED_LINES];
    unsigned holders = 0;
    bool modified = false;

    for (unsigned i = package * shared->packages.processors; i < end_of(shared, package); i++) {
        const struct private_caches *caches = shared->processor[i];
        uint64_t entry;

        if (caches == NULL || i == cpu)
            continue;
        entry = cache_entry(&caches->l1d, line, line) | cache_entry(&caches->l2, line, line);
        holders += entry != 0;
        modified |= (entry & ENTRY_DIRTY) != 0;
    }
    if (handed->line == line + 1 && package_of(shared, handed->cpu) == package) {
        modified |= handed->cpu != cpu && handed->modified;
        holders += handed->cpu != cpu;
        handed->line = 0;
    }
    if (modified)
        return SHARED_MODIFIED;
    return holders == 0 ? SHARED_NOWHERE : holders == 1 ? SHARED_CLEAN : SHARED_L3;
}

/* The cores of the package, without `cpu`, keep clean copies of the line. */
static void clean_in(struct shared_cache *shared, unsigned cpu, unsigned package, uint64_t line)
{
    for (unsigned i = package * shared->packages.processors; i < end_of(shared, package); i++) {
        struct private_caches *caches = shared->processor[i];

        if (caches == NULL || i == cpu)
            continue;
        announce(caches);
        cache_clean(&caches->l1d, line, line);
        cache_clean(&caches->l2, line, line);
    }
}

/* The core that wrote to the line gives the data back and keeps a clean copy. */
static void write_back(struct shared_cache *shared, unsigned cpu, uint64_t line, uint64_t cycle)
{
    clean_in(shared, cpu, package_of(shared, cpu), line);
    if (l3_of(shared, cpu)->sets)
        insert(shared, cpu, line, ENTRY_DIRTY, cycle);
    else
        book(shared, cpu, cycle);
}

/* Whether another package has the line. */
static enum shared_found elsewhere(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    enum shared_found found = SHARED_NOWHERE;

    for (unsigned i = 0; i < shared->packages.count; i++) {
        const uint64_t entry = cache_entry(&shared->l3[i], line, line);
        enum shared_found here;

        if (i == package_of(shared, cpu))
            continue;
        here = others(shared, cpu, i, line);
        if (here == SHARED_MODIFIED || entry & ENTRY_DIRTY)
            return SHARED_REMOTE_MODIFIED;
        if (here != SHARED_NOWHERE || entry)
            found = SHARED_REMOTE_CLEAN;
    }
    return found;
}

/* Finds the line in another package, which keeps a clean copy and writes its data to memory. */
static enum shared_found take_from_afar(struct shared_cache *shared, unsigned cpu, uint64_t line,
                                        uint64_t cycle)
{
    const enum shared_found found = elsewhere(shared, cpu, line);

    if (found == SHARED_NOWHERE)
        return found;
    for (unsigned i = 0; found == SHARED_REMOTE_MODIFIED && i < shared->packages.count; i++) {
        clean_in(shared, cpu, i, line);
        cache_clean(&shared->l3[i], line, line);
    }
    book(shared, cpu, cycle);
    if (shared->parameters->l3_inclusive)
        insert(shared, cpu, line, 0, cycle);
    return found;
}

enum shared_found shared_take(struct shared_cache *shared, unsigned cpu, uint64_t line,
                              uint64_t *flags, uint64_t cycle)
{
    const bool inclusive = shared->parameters->l3_inclusive;
    struct cache *l3 = l3_of(shared, cpu);
    const enum shared_found found = others(shared, cpu, package_of(shared, cpu), line);
    const bool here = inclusive ? cache_touch(l3, line, line, 0) : cache_has(l3, line, line);

    *flags = 0;
    if (found == SHARED_MODIFIED) {
        write_back(shared, cpu, line, cycle);
        return found;
    }
    if (found == SHARED_NOWHERE) {
        if (here && !inclusive)
            *flags = cache_remove(l3, line, line) & ENTRY_DIRTY;
        return here ? SHARED_L3 : take_from_afar(shared, cpu, line, cycle);
    }
    if (inclusive)
        return found;
    if (here)
        return SHARED_L3; /* L3 has it because cores share it: none of them has to be asked */
    insert(shared, cpu, line, 0, cycle);
    return SHARED_CLEAN;
}

void shared_claim(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    for (unsigned i = 0; i < shared->packages.count; i++)
        if (i != package_of(shared, cpu))
            cache_remove(&shared->l3[i], line, line);
}

enum shared_found shared_own(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    enum shared_found here, far;

    if (shared->processors <= 1)
        return SHARED_NOWHERE;
    here = others(shared, cpu, package_of(shared, cpu), line);
    far = elsewhere(shared, cpu, line);
    shared_claim(shared, cpu, line);
    return far != SHARED_NOWHERE ? far : here; /* the later of the two answers */
}

void shared_take_away(struct shared_cache *shared, unsigned cpu, uint64_t line)
{
    struct private_caches *caches = shared->processor[cpu];
    uint64_t entry;

    announce(caches);
    entry = cache_remove(&caches->l1d, line, line) | cache_remove(&caches->l2, line, line);

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

    if (shared->parameters->l3_if_reused && !(entry & (ENTRY_DIRTY | ENTRY_REUSED)))
        return;
    if (!l3_of(shared, cpu)->sets) {
        if (flags)
            book(shared, cpu, cycle);
        return;
    }
    insert(shared, cpu, line, flags, cycle);
}

void shared_flush(struct shared_cache *shared, uint64_t line)
{
    for (unsigned i = 0; i < shared->packages.count; i++) {
        drop_in(shared, i, line);
        cache_remove(&shared->l3[i], line, line);
    }
    if (shared->handed[line % HANDED_LINES].line == line + 1)
        shared->handed[line % HANDED_LINES].line = 0;
}
