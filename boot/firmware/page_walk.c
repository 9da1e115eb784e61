#include "page_walk.h"

#define PRESENT   1ull
#define LARGE     (1ull << 7)
#define ADDRESS   0x000ffffffffff000ull
#define PAGE_BITS 12u
#define LARGEST   30u /* bits of an address within the largest page */

/* The end of the page around the address, which is mapped to itself; 0: it is not. */
static uint64_t end_of_page(uint64_t cr3, unsigned levels, uint64_t address)
{
    uint64_t entry = cr3;

    for (unsigned shift = PAGE_BITS + 9 * (levels - 1);; shift -= 9) {
        const uint64_t table = entry & ADDRESS, page = 1ull << shift;

        if (table >= PAGE_WALK_END)
            return 0;
        entry = ((const uint64_t *)(uintptr_t)table)[address >> shift & 511];
        if (!(entry & PRESENT))
            return 0;
        if (shift > PAGE_BITS && (shift > LARGEST || !(entry & LARGE)))
            continue;
        return ((entry ^ address) & ADDRESS & ~(page - 1)) == 0 ? (address & ~(page - 1)) + page
                                                                : 0;
    }
}

bool page_walk_maps(uint64_t cr3, unsigned levels, uint64_t begin, uint64_t bytes)
{
    if (begin >= PAGE_WALK_END || bytes > PAGE_WALK_END - begin)
        return false;
    for (uint64_t at = begin; at < begin + bytes;) {
        at = end_of_page(cr3, levels, at);
        if (at == 0)
            return false;
    }
    return true;
}
