#include "arena.h"

#include "boot/log.h"
#include "boot/machine/arena.h"

#define LARGE_PAGE (1ull << 21)

unsigned arena_kind(const struct kernel *kernel)
{
    return kernel->page_shift == 21 ? 1 : 0;
}

struct arenas arenas_of_node(uint32_t home, bool remote)
{
    struct arenas arenas = {.home = home, .wanted = home};

    if (!remote)
        return arenas;
    arenas.wanted = home != NODE_UNKNOWN ? nodes_farthest(home) : NODE_UNKNOWN;
    arenas.refused = arenas.wanted == NODE_UNKNOWN;
    return arenas;
}

/* Null: there is not that much memory. Memory of another node, where that is wanted, has no
 * substitute: it would be near memory under the name of far memory. */
static void *memory_for(const struct arenas *arenas, unsigned kind, size_t bytes)
{
    static const unsigned shifts[ARENA_KINDS] = {12, 21};
    void *memory = arena_alloc(bytes, shifts[kind], arenas->wanted);

    if (memory != NULL || arenas->wanted == NODE_UNKNOWN || arenas->wanted != arenas->home)
        return memory;
    memory = arena_alloc(bytes, shifts[kind], NODE_UNKNOWN);
    if (memory != NULL)
        log_comment(
            "node %u has no %llu bytes for an arena of the cores of node %u: it gets memory "
            "that may be another node's",
            (unsigned)arenas->wanted, (unsigned long long)bytes, (unsigned)arenas->home);
    return memory;
}

/* NODE_UNKNOWN: the firmware does not say, or it is memory of several nodes. */
static uint32_t node_of(const uint8_t *base, uint64_t bytes)
{
    const uint32_t node = nodes_of((uintptr_t)base);

    for (uint64_t at = LARGE_PAGE; at < bytes; at += LARGE_PAGE)
        if (nodes_of((uintptr_t)base + at) != node)
            return NODE_UNKNOWN;
    return node;
}

bool arena_take(struct arenas *arenas, unsigned kind, uint64_t bytes, uint64_t *wanted)
{
    struct arena *arena = &arenas->of_kind[kind];

    arena->bytes_per_piece = (bytes + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
    *wanted = arena->bytes_per_piece * arenas->pieces;
    if (arenas->refused)
        return false;
    arena->base = memory_for(arenas, kind, (size_t)*wanted);
    arena->node = node_of(arena->base, *wanted);
    return arena->base != NULL;
}

bool arena_part(const struct arenas *arenas, const struct kernel *kernel, unsigned piece,
                uint64_t bytes, void **part)
{
    const struct arena *arena = &arenas->of_kind[arena_kind(kernel)];

    *part = NULL;
    if (bytes == 0)
        return true;
    if (arena->base == NULL || bytes > arena->bytes_per_piece)
        return false;
    *part = arena->base + piece * arena->bytes_per_piece;
    return true;
}

bool arena_is_far(const struct arenas *arenas, const struct kernel *kernel)
{
    const struct arena *arena = &arenas->of_kind[arena_kind(kernel)];

    return arena->base != NULL && arenas->home != NODE_UNKNOWN && arena->node != arenas->home;
}
