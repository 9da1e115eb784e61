/* A set-associative array of tags with true LRU replacement: caches, TLBs and the BTB are made of
 * it.
 *
 * A set keeps its entries in order of use, the latest first: the entry that an access most likely
 * finds is compared first, and no age has to be stored. */
#ifndef RIG_CORE_CACHE_H
#define RIG_CORE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_SHIFT 6
#define PAGE_SHIFT 12

/* The low bits of an entry, below its tag. An entry of 0 is empty. */
#define ENTRY_VALID     UINT64_C(1)
#define ENTRY_DIRTY     UINT64_C(2)
#define ENTRY_REUSED    UINT64_C(4) /* of L2: asked for again, or had from L3 */
#define ENTRY_FLAGS     (ENTRY_DIRTY | ENTRY_REUSED)
#define ENTRY_TAG_SHIFT 3

struct cache {
    uint64_t *entry; /* sets * ways */
    uint32_t sets, ways;
    uint32_t mask; /* sets - 1, or 0 when sets is not a power of two */
};

/* False when memory ran out. Zero sets or ways make a cache that never holds anything. */
bool cache_init(struct cache *cache, uint64_t sets, uint32_t ways);
void cache_free(struct cache *cache);
void cache_clear(struct cache *cache);

/* The part of cache_touch for an entry that is not the latest of its set: moves it to the front. */
bool cache_touch_older(uint64_t *set, uint32_t ways, uint64_t wanted);
/* Puts the tag in front, with `flags` added to its flags. Gives the entry that had to go, or 0. */
uint64_t cache_insert(struct cache *cache, uint64_t index, uint64_t tag, uint64_t flags);
/* Gives the entry that was removed, or 0. */
uint64_t cache_remove(struct cache *cache, uint64_t index, uint64_t tag);
/* The entry, or 0. Not a use: the order stays. */
uint64_t cache_entry(const struct cache *cache, uint64_t index, uint64_t tag);
/* The entry is no longer dirty. */
void cache_clean(struct cache *cache, uint64_t index, uint64_t tag);
/* Whether the tag is there. Not a use. */
bool cache_has(const struct cache *cache, uint64_t index, uint64_t tag);

static inline uint64_t *cache_set(const struct cache *cache, uint64_t index)
{
    uint64_t set = cache->mask ? index & cache->mask : index % cache->sets;

    return cache->entry + set * cache->ways;
}

static inline uint64_t entry_tag(uint64_t entry)
{
    return entry >> ENTRY_TAG_SHIFT;
}

/* Whether the tag is there; if so it becomes the latest of its set and gets `flags`. `index`
 * chooses the set. */
static inline bool cache_touch(struct cache *cache, uint64_t index, uint64_t tag, uint64_t flags)
{
    uint64_t wanted = tag << ENTRY_TAG_SHIFT | ENTRY_VALID;
    uint64_t *set;

    if (!cache->sets)
        return false;
    set = cache_set(cache, index);
    if ((set[0] & ~ENTRY_FLAGS) != wanted && !cache_touch_older(set, cache->ways, wanted))
        return false;
    set[0] |= flags;
    return true;
}

#endif
