/* The slower half of the tag array: searches, insertion, removal. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

bool cache_init(struct cache *cache, uint64_t sets, uint32_t ways)
{
    memset(cache, 0, sizeof(*cache));
    if (!sets || !ways)
        return true;
    if (sets > UINT32_MAX)
        return false;
    cache->entry = calloc((size_t)sets * ways, sizeof(*cache->entry));
    if (cache->entry == NULL)
        return false;
    cache->sets = (uint32_t)sets;
    cache->ways = ways;
    cache->mask = sets & (sets - 1) ? 0 : (uint32_t)sets - 1;
    return true;
}

void cache_free(struct cache *cache)
{
    free(cache->entry);
    memset(cache, 0, sizeof(*cache));
}

void cache_clear(struct cache *cache)
{
    if (cache->sets)
        memset(cache->entry, 0, (size_t)cache->sets * cache->ways * sizeof(*cache->entry));
}

/* The way that has `wanted`, or `ways`. */
static uint32_t find(const uint64_t *set, uint32_t ways, uint64_t wanted)
{
    uint32_t way = 0;

    while (way < ways && (set[way] & ~ENTRY_FLAGS) != wanted)
        way++;
    return way;
}

static void to_front(uint64_t *set, uint32_t way, uint64_t entry)
{
    memmove(set + 1, set, way * sizeof(*set));
    set[0] = entry;
}

bool cache_touch_older(uint64_t *set, uint32_t ways, uint64_t wanted)
{
    uint32_t way = find(set, ways, wanted);

    if (way == ways)
        return false;
    to_front(set, way, set[way]);
    return true;
}

uint64_t cache_insert(struct cache *cache, uint64_t index, uint64_t tag, uint64_t flags)
{
    uint64_t *set, victim;

    if (cache_touch(cache, index, tag, flags) || !cache->sets)
        return 0;
    set = cache_set(cache, index);
    victim = set[cache->ways - 1]; /* empty entries are always at the end */
    to_front(set, cache->ways - 1, tag << ENTRY_TAG_SHIFT | ENTRY_VALID | flags);
    return victim;
}

uint64_t cache_remove(struct cache *cache, uint64_t index, uint64_t tag)
{
    uint64_t *set, entry;
    uint32_t way;

    if (!cache->sets)
        return 0;
    set = cache_set(cache, index);
    way = find(set, cache->ways, tag << ENTRY_TAG_SHIFT | ENTRY_VALID);
    if (way == cache->ways)
        return 0;
    entry = set[way];
    memmove(set + way, set + way + 1, (cache->ways - way - 1) * sizeof(*set));
    set[cache->ways - 1] = 0;
    return entry;
}

uint64_t cache_entry(const struct cache *cache, uint64_t index, uint64_t tag)
{
    const uint64_t *set;
    uint32_t way;

    if (!cache->sets)
        return 0;
    set = cache_set(cache, index);
    way = find(set, cache->ways, tag << ENTRY_TAG_SHIFT | ENTRY_VALID);
    return way < cache->ways ? set[way] : 0;
}

void cache_clean(struct cache *cache, uint64_t index, uint64_t tag)
{
    uint64_t *set;
    uint32_t way;

    if (!cache->sets)
        return;
    set = cache_set(cache, index);
    way = find(set, cache->ways, tag << ENTRY_TAG_SHIFT | ENTRY_VALID);
    if (way < cache->ways)
        set[way] &= ~ENTRY_DIRTY;
}

bool cache_has(const struct cache *cache, uint64_t index, uint64_t tag)
{
    return cache_entry(cache, index, tag) != 0;
}
