#include "reach.h"

#include "boot/cpu.h"
#include "page_walk.h"

#define GIB4 (1ull << 32)

static bool is_mapped(uint64_t begin, uint64_t bytes)
{
    if (begin < GIB4 && bytes <= GIB4 - begin)
        return true;
    return page_walk_maps(read_cr3(), read_cr4() & CR4_LA57 ? 5 : 4, begin, bytes);
}

enum reach reach_of(const struct memory_map *map, uint64_t begin, uint64_t bytes)
{
    if (map == NULL)
        return REACH_NO_MAP;
    if (memory_map_has_ram(map, begin, bytes))
        return REACH_MEMORY;
    return is_mapped(begin, bytes) ? REACH_OK : REACH_UNMAPPED;
}

const char *reach_text(enum reach reach)
{
    static const char *const texts[] = {
        [REACH_OK] = "it can be reached",
        [REACH_MEMORY] = "the firmware's memory map has memory there",
        [REACH_NO_MAP] = "perhaps memory is there: the firmware's map cannot be read",
        [REACH_UNMAPPED] = "the firmware's page tables do not map that address",
    };

    return texts[reach];
}
