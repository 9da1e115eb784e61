#include "arena.h"

#include <stdint.h>

#include "boot/firmware/memory.h"
#include "paging.h"

#define ARENA_ALIGN (2ull << 20)
#define ARENAS_MAX  8

static struct {
    struct arena {
        uint64_t start, end;
        unsigned page_shift;
    } arenas[ARENAS_MAX];
    unsigned count;
} self;

void *arena_alloc(size_t size, unsigned page_shift)
{
    struct arena *arena = &self.arenas[self.count];
    uint64_t start;

    if (self.count == ARENAS_MAX || !size || size > SIZE_MAX / 2 ||
        (page_shift != 12 && page_shift != 21))
        return NULL;
    /* Whole large pages: none is shared with anything else. */
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    start = memory_pages((size + ARENA_ALIGN) / 4096 - 1, 0);
    if (!start)
        return NULL;
    start = (start + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;

    *arena = (struct arena){start, start + size, page_shift};
    if (paging_root() && paging_map(arena->start, arena->end, page_shift) != RC_OK)
        return NULL;
    self.count++;
    return (void *)(uintptr_t)start;
}

void arena_map_all(void)
{
    for (unsigned i = 0; i < self.count; i++)
        paging_map(self.arenas[i].start, self.arenas[i].end, self.arenas[i].page_shift);
}
