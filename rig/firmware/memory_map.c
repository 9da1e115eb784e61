#include "memory_map.h"

#include <stdlib.h>
#include <string.h>

#include "device/guest_memory.h"

#define ARENA_PAGES 16u /* pages that the pool takes at once, at least */

bool memory_map_new(struct memory_map *map, uint64_t bytes)
{
    *map = (struct memory_map){.pages = bytes / PAGE_BYTES, .type = malloc(bytes / PAGE_BYTES)};
    if (map->type == NULL)
        return false;
    memset(map->type, EfiConventionalMemory, map->pages);
    /* Page 0 is never given out: a null pointer must not be a buffer. The last page below 640 KiB
     * is the extended BIOS data area of PC firmware. */
    map->type[0] = EfiBootServicesData;
    map->type[LEGACY_BEGIN / PAGE_BYTES - 1] = EfiReservedMemoryType;
    memset(map->type + LEGACY_BEGIN / PAGE_BYTES, MEMORY_ABSENT,
           (LEGACY_END - LEGACY_BEGIN) / PAGE_BYTES);
    return true;
}

void memory_map_free(struct memory_map *map)
{
    free(map->type);
    free(map->block);
}

static bool is_free(const struct memory_map *map, uint64_t page, uint64_t pages)
{
    for (uint64_t i = 0; i < pages; i++)
        if (map->type[page + i] != EfiConventionalMemory)
            return false;
    return true;
}

static uint64_t take(struct memory_map *map, uint8_t type, uint64_t page, uint64_t pages)
{
    memset(map->type + page, type, pages);
    map->key++;
    return page * PAGE_BYTES;
}

uint64_t memory_map_allocate(struct memory_map *map, EFI_ALLOCATE_TYPE where, uint8_t type,
                             uint64_t pages, uint64_t limit)
{
    uint64_t all = map->pages;
    uint64_t end = all, run = 0;

    if (pages == 0 || pages > all)
        return 0;
    if (where == AllocateAddress) {
        uint64_t page = limit / PAGE_BYTES;

        if (limit % PAGE_BYTES || page == 0 || page >= all || pages > all - page ||
            !is_free(map, page, pages))
            return 0;
        return take(map, type, page, pages);
    }
    if (where == AllocateMaxAddress && limit < map->pages * PAGE_BYTES - 1)
        end = (limit + 1) / PAGE_BYTES;
    for (uint64_t page = end; page-- > 1;) {
        run = map->type[page] == EfiConventionalMemory ? run + 1 : 0;
        if (run == pages)
            return take(map, type, page, pages);
    }
    return 0;
}

bool memory_map_release(struct memory_map *map, uint64_t address, uint64_t pages)
{
    uint64_t all = map->pages;
    uint64_t page = address / PAGE_BYTES;

    if (address % PAGE_BYTES || pages == 0 || page >= all || pages > all - page)
        return false;
    for (uint64_t i = 0; i < pages; i++)
        if (map->type[page + i] == EfiConventionalMemory || map->type[page + i] >= MEMORY_SPECIAL)
            return false;
    take(map, EfiConventionalMemory, page, pages);
    return true;
}

static bool block_insert(struct memory_map *map, size_t at, struct memory_block block)
{
    if (map->blocks == map->block_room) {
        size_t room = map->block_room ? map->block_room * 2 : 64;
        struct memory_block *grown = realloc(map->block, room * sizeof(*grown));

        if (grown == NULL)
            return false;
        map->block = grown;
        map->block_room = room;
    }
    memmove(map->block + at + 1, map->block + at, (map->blocks - at) * sizeof(*map->block));
    map->block[at] = block;
    map->blocks++;
    return true;
}

static uint64_t block_take(struct memory_map *map, size_t at, uint64_t bytes)
{
    struct memory_block *block = &map->block[at];
    struct memory_block rest = {block->address + bytes, block->size - bytes, block->type, false};

    block->size = bytes;
    block->used = true;
    if (rest.size && !block_insert(map, at + 1, rest))
        map->block[at].size += rest.size;
    return map->block[at].address;
}

uint64_t memory_map_pool(struct memory_map *map, uint8_t type, uint64_t bytes)
{
    size_t at;
    uint64_t pages, address;

    if (bytes > map->pages * PAGE_BYTES)
        return 0;
    bytes = bytes ? (bytes + 15) & ~UINT64_C(15) : 16;
    for (at = 0; at < map->blocks; at++)
        if (!map->block[at].used && map->block[at].type == type && map->block[at].size >= bytes)
            return block_take(map, at, bytes);
    pages = PAGES_OF(bytes) < ARENA_PAGES ? ARENA_PAGES : PAGES_OF(bytes);
    address = memory_map_allocate(map, AllocateAnyPages, type, pages, 0);
    if (!address)
        return 0;
    for (at = 0; at < map->blocks && map->block[at].address < address; at++)
        continue;
    if (!block_insert(map, at, (struct memory_block){address, pages * PAGE_BYTES, type, false}))
        return 0;
    return block_take(map, at, bytes);
}

static void block_merge(struct memory_map *map, size_t at)
{
    struct memory_block *low = &map->block[at], *high = low + 1;

    if (at + 1 >= map->blocks || low->used || high->used || low->type != high->type ||
        low->address + low->size != high->address)
        return;
    low->size += high->size;
    memmove(high, high + 1, (map->blocks - at - 2) * sizeof(*high));
    map->blocks--;
}

bool memory_map_pool_release(struct memory_map *map, uint64_t address)
{
    for (size_t at = 0; at < map->blocks; at++) {
        if (map->block[at].address != address || !map->block[at].used)
            continue;
        map->block[at].used = false;
        block_merge(map, at);
        if (at > 0)
            block_merge(map, at - 1);
        return true;
    }
    return false;
}

bool memory_map_next(const struct memory_map *map, uint64_t *page, struct memory_run *run)
{
    uint64_t first = *page, end;

    while (first < map->pages && map->type[first] == MEMORY_ABSENT)
        first++;
    if (first >= map->pages)
        return false;
    for (end = first + 1; end < map->pages && map->type[end] == map->type[first]; end++)
        continue;
    *page = end;
    *run = (struct memory_run){first * PAGE_BYTES, end - first, map->type[first]};
    return true;
}
