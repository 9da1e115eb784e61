#include "paging.h"

#include <string.h>

#include "state.h"

#define PTE_PRESENT 0x01u
#define PTE_USED    0x20u
#define PTE_DIRTY   0x40u
#define PTE_LARGE   0x80u
#define PTE_ADDRESS UINT64_C(0x000ffffffffff000)

bool paging_walk(const struct core *core, uint64_t address, struct page_walk *walk)
{
    uint64_t table = core->cr3 & PTE_ADDRESS, entry;

    walk->levels = 0;
    walk->rights = PTE_WRITE | PTE_USER;
    for (unsigned shift = 39; shift >= 12; shift -= 9) {
        const uint64_t mask = (UINT64_C(1) << shift) - 1;
        uint8_t *place =
            memory_at(&core->machine->memory, table + (address >> shift & 511) * 8, sizeof(entry));

        if (place == NULL)
            return false;
        memcpy(&entry, place, sizeof(entry));
        if (!(entry & PTE_PRESENT))
            return false;
        walk->place[walk->levels++] = place;
        walk->rights &= entry;
        if (shift == 12 || (entry & PTE_LARGE && shift <= 30)) {
            walk->shift = shift;
            walk->physical = (entry & PTE_ADDRESS & ~mask) | (address & mask);
            return true;
        }
        table = entry & PTE_ADDRESS;
    }
    return false;
}

void paging_mark(const struct page_walk *walk, bool write)
{
    for (unsigned i = 0; i < walk->levels; i++)
        walk->place[i][0] |=
            (uint8_t)(PTE_USED | (write && i + 1 == walk->levels ? PTE_DIRTY : 0u));
}

bool paging_maps(const struct core *core, uint64_t address)
{
    struct page_walk walk;

    return paging_walk(core, address, &walk);
}

unsigned paging_shift(void *core, uint64_t address)
{
    struct page_walk walk;

    return paging_walk(core, address, &walk) ? walk.shift : 12;
}

bool paging_is_canonical(uint64_t address)
{
    return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}
