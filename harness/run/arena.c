#include "arena.h"

#include "boot/machine/arena.h"
#include "boot/machine/machine.h"

#define LARGE_PAGE (1ull << 21)

unsigned arena_kind(const struct kernel *kernel)
{
    return kernel->page_shift == 21 ? 1 : 0;
}

bool arena_take(struct arena arenas[ARENA_KINDS], unsigned kind, uint64_t bytes, unsigned lanes,
                uint64_t *wanted)
{
    static const unsigned shifts[ARENA_KINDS] = {12, 21};
    struct arena *arena = &arenas[kind];

    arena->bytes_per_lane = (bytes + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
    *wanted = arena->bytes_per_lane * lanes;
    arena->base = arena_alloc((size_t)*wanted, shifts[kind]);
    return arena->base != NULL;
}

bool arena_part(const struct arena arenas[ARENA_KINDS], const struct kernel *kernel, unsigned lane,
                uint64_t bytes, void **part)
{
    const struct arena *arena = &arenas[arena_kind(kernel)];

    *part = NULL;
    if (bytes == 0)
        return true;
    if (arena->base == NULL || bytes > arena->bytes_per_lane)
        return false;
    *part = arena->base + lane * arena->bytes_per_lane;
    return true;
}
