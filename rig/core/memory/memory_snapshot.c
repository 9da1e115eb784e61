/* What hits leave behind: the order in which lines and pages were used, and what the prefetchers of
 * L1 have seen. */
#include "core/cache.h"
#include "lines.h"
#include "memory.h"

void memory_skips(struct memory_hierarchy *memory, uint64_t cycles)
{
    memory->caches.skipped = cycles;
}

void memory_announce(struct memory_hierarchy *memory, void (*changes)(void *context), void *context)
{
    memory->caches.changes = changes;
    memory->caches.context = context;
}

uint64_t memory_beyond(const struct memory_hierarchy *memory)
{
    return memory->beyond + memory->translation->beyond;
}

static bool is_quiet(const struct memory_hierarchy *memory, uint64_t now)
{
    return memory->fills.last_ready <= now && memory->queue.last_ready <= now &&
           memory->prefetcher.last_ready <= now && memory->streams.count == 0 &&
           memory->streams.gone <= now && memory->translation->last_end <= now &&
           memory->read_count == 0;
}

static void add_cache(const struct cache *cache, struct snapshot *snapshot)
{
    snapshot_bytes(snapshot, cache->entry,
                   (size_t)cache->sets * cache->ways * sizeof(*cache->entry));
}

static void add_tlb(const struct tlb *tlb, struct snapshot *snapshot)
{
    add_cache(&tlb->small, snapshot);
    add_cache(&tlb->large, snapshot);
    snapshot_add(snapshot, tlb->last);
    snapshot_add(snapshot, tlb->last_shift);
}

bool memory_snapshot(const struct memory_hierarchy *memory, uint64_t now, struct snapshot *snapshot)
{
    if (!is_quiet(memory, now))
        return false;
    add_cache(&memory->caches.l1d, snapshot);
    add_cache(&memory->caches.l1i, snapshot);
    add_tlb(&memory->translation->data, snapshot);
    add_tlb(&memory->translation->code, snapshot);
    if (memory->prefetcher_l1.next_line || memory->prefetcher_l1.stride)
        snapshot_bytes(snapshot, &memory->prefetcher_l1, sizeof(memory->prefetcher_l1));
    return true;
}
