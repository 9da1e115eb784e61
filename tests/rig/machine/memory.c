/* Guest RAM, the page map and the pool of the firmware. */
#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_PAGES 16u

static void *zeroed(uint64_t bytes)
{
    void *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return area == MAP_FAILED ? NULL : area;
}

bool memory_new(struct guest_memory *memory, uint64_t bytes)
{
    memset(memory, 0, sizeof(*memory));
    memory->size = bytes;
    memory->ram = zeroed(bytes);
    memory->framebuffer = zeroed(FRAMEBUFFER_BYTES);
    memory->type = malloc(bytes / PAGE_BYTES);
    if (memory->ram == NULL || memory->framebuffer == NULL || memory->type == NULL)
        return false;
    memset(memory->type, MEMORY_CONVENTIONAL, bytes / PAGE_BYTES);
    /* Page 0 is not given away (a null pointer must not be a buffer); the last page below 640 KiB
     * is the extended BIOS data area of PC firmware. */
    memory->type[0] = MEMORY_BOOT_DATA;
    memory->type[LEGACY_BEGIN / PAGE_BYTES - 1] = MEMORY_RESERVED;
    memset(memory->type + LEGACY_BEGIN / PAGE_BYTES, MEMORY_ABSENT,
           (LEGACY_END - LEGACY_BEGIN) / PAGE_BYTES);
    return true;
}

void memory_free(struct guest_memory *memory)
{
    if (memory->ram != NULL)
        munmap(memory->ram, memory->size);
    if (memory->framebuffer != NULL)
        munmap(memory->framebuffer, FRAMEBUFFER_BYTES);
    free(memory->type);
    free(memory->block);
}

void *memory_at(const struct guest_memory *memory, uint64_t address, uint64_t size)
{
    if (address >= memory->size || size > memory->size - address)
        return NULL;
    if (address < LEGACY_END && address + size > LEGACY_BEGIN)
        return NULL;
    return memory->ram + address;
}

static bool is_free(const struct guest_memory *memory, uint64_t page, uint64_t pages)
{
    for (uint64_t i = 0; i < pages; i++)
        if (memory->type[page + i] != MEMORY_CONVENTIONAL)
            return false;
    return true;
}

static uint64_t take(struct guest_memory *memory, uint8_t type, uint64_t page, uint64_t pages)
{
    memset(memory->type + page, type, pages);
    memory->key++;
    return page * PAGE_BYTES;
}

uint64_t memory_allocate(struct guest_memory *memory, enum memory_where where, uint8_t type,
                         uint64_t pages, uint64_t limit)
{
    uint64_t all = memory->size / PAGE_BYTES;
    uint64_t end = all, run = 0;

    if (pages == 0 || pages > all)
        return 0;
    if (where == MEMORY_EXACTLY) {
        uint64_t page = limit / PAGE_BYTES;

        if (limit % PAGE_BYTES || page == 0 || page >= all || pages > all - page ||
            !is_free(memory, page, pages))
            return 0;
        return take(memory, type, page, pages);
    }
    if (where == MEMORY_BELOW && limit < memory->size - 1)
        end = (limit + 1) / PAGE_BYTES;
    for (uint64_t page = end; page-- > 1;) {
        run = memory->type[page] == MEMORY_CONVENTIONAL ? run + 1 : 0;
        if (run == pages)
            return take(memory, type, page, pages);
    }
    return 0;
}

bool memory_release(struct guest_memory *memory, uint64_t address, uint64_t pages)
{
    uint64_t all = memory->size / PAGE_BYTES;
    uint64_t page = address / PAGE_BYTES;

    if (address % PAGE_BYTES || pages == 0 || page >= all || pages > all - page)
        return false;
    for (uint64_t i = 0; i < pages; i++)
        if (memory->type[page + i] == MEMORY_CONVENTIONAL ||
            memory->type[page + i] == MEMORY_ABSENT)
            return false;
    take(memory, MEMORY_CONVENTIONAL, page, pages);
    return true;
}

static bool block_insert(struct guest_memory *memory, size_t at, struct memory_block block)
{
    if (memory->blocks == memory->block_room) {
        size_t room = memory->block_room ? memory->block_room * 2 : 64;
        struct memory_block *grown = realloc(memory->block, room * sizeof(*grown));

        if (grown == NULL)
            return false;
        memory->block = grown;
        memory->block_room = room;
    }
    memmove(memory->block + at + 1, memory->block + at,
            (memory->blocks - at) * sizeof(*memory->block));
    memory->block[at] = block;
    memory->blocks++;
    return true;
}

static uint64_t block_take(struct guest_memory *memory, size_t at, uint64_t bytes)
{
    struct memory_block *block = &memory->block[at];
    struct memory_block rest = {block->address + bytes, block->size - bytes, block->type, false};

    block->size = bytes;
    block->used = true;
    if (rest.size && !block_insert(memory, at + 1, rest))
        memory->block[at].size += rest.size;
    return memory->block[at].address;
}

uint64_t memory_pool(struct guest_memory *memory, uint8_t type, uint64_t bytes)
{
    size_t at;
    uint64_t pages, address;

    if (bytes > memory->size)
        return 0;
    bytes = bytes ? (bytes + 15) & ~UINT64_C(15) : 16;
    for (at = 0; at < memory->blocks; at++)
        if (!memory->block[at].used && memory->block[at].type == type &&
            memory->block[at].size >= bytes)
            return block_take(memory, at, bytes);
    pages = PAGES_OF(bytes) < ARENA_PAGES ? ARENA_PAGES : PAGES_OF(bytes);
    address = memory_allocate(memory, MEMORY_ANYWHERE, type, pages, 0);
    if (!address)
        return 0;
    for (at = 0; at < memory->blocks && memory->block[at].address < address; at++)
        continue;
    if (!block_insert(memory, at, (struct memory_block){address, pages * PAGE_BYTES, type, false}))
        return 0;
    return block_take(memory, at, bytes);
}

static void block_merge(struct guest_memory *memory, size_t at)
{
    struct memory_block *low = &memory->block[at], *high = low + 1;

    if (at + 1 >= memory->blocks || low->used || high->used || low->type != high->type ||
        low->address + low->size != high->address)
        return;
    low->size += high->size;
    memmove(high, high + 1, (memory->blocks - at - 2) * sizeof(*high));
    memory->blocks--;
}

bool memory_pool_release(struct guest_memory *memory, uint64_t address)
{
    for (size_t at = 0; at < memory->blocks; at++) {
        if (memory->block[at].address != address || !memory->block[at].used)
            continue;
        memory->block[at].used = false;
        block_merge(memory, at);
        if (at > 0)
            block_merge(memory, at - 1);
        return true;
    }
    return false;
}

bool memory_run(const struct guest_memory *memory, uint64_t *next_page, uint64_t *address,
                uint64_t *pages, uint8_t *type)
{
    uint64_t all = memory->size / PAGE_BYTES;
    uint64_t page = *next_page, end;

    while (page < all && memory->type[page] == MEMORY_ABSENT)
        page++;
    if (page >= all)
        return false;
    for (end = page + 1; end < all && memory->type[end] == memory->type[page]; end++)
        continue;
    *next_page = end;
    *address = page * PAGE_BYTES;
    *pages = end - page;
    *type = memory->type[page];
    return true;
}
