#include "arena.h"

#include "boot/firmware/memory.h"
#include "memory/paging.h"

#define ARENA_ALIGN (2ull << 20)

static uint64_t pages_of(uint32_t node, uint64_t count)
{
    struct acpi_memory memory;
    uint64_t start = 0;

    if (node == NODE_UNKNOWN)
        return memory_pages(count, 0);
    for (unsigned i = 0; !start && nodes_memory(node, i, &memory); i++)
        start = memory_pages_in(count, memory.start, memory.end);
    return start;
}

void *arena_alloc(size_t size, unsigned page_shift, uint32_t node)
{
    uint64_t start;

    if (!size || size > SIZE_MAX / 2 || (page_shift != 12 && page_shift != 21))
        return NULL;
    /* Whole large pages: none is shared with anything else. */
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    start = pages_of(node, (size + ARENA_ALIGN) / 4096 - 1);
    if (!start)
        return NULL;
    start = (start + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (paging_map(start, start + size, page_shift) != RC_OK)
        return NULL;
    return (void *)(uintptr_t)start;
}
