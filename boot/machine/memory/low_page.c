#include "low_page.h"

#include "boot/firmware/memory.h"
#include "boot/firmware/memory_map.h"
#include "boot/text.h"

#define PAGE       4096ull
#define LOW_MEMORY 0xa0000ull /* a SIPI reaches only below 1 MiB; A0000H and up is no memory */

static struct {
    uint64_t page; /* 0: there is none */
    void *kept;    /* what the page held when it was borrowed; null: it is this program's own */
} self;

/* The highest page of such memory, but not page 0, where the interrupt vectors of real mode are; 0:
 * there is none. */
static uint64_t highest_of(const struct memory_map *map, uint32_t type)
{
    uint64_t highest = 0;

    for (unsigned i = 0; i < memory_map_count(map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);
        const uint64_t end = entry->PhysicalStart + entry->NumberOfPages * PAGE;
        const uint64_t below = end < LOW_MEMORY ? end : LOW_MEMORY;

        if (entry->Type == type && entry->PhysicalStart < below && below - PAGE > highest)
            highest = below - PAGE;
    }
    return highest;
}

/* Of memory that the firmware uses for boot services or for what it loaded, which is whole again
 * when the firmware runs next. */
static uint64_t find_used(void)
{
    static const uint32_t types[] = {EfiConventionalMemory, EfiLoaderData, EfiLoaderCode,
                                     EfiBootServicesData, EfiBootServicesCode};
    const struct memory_map *map = memory_map_read();
    uint64_t page = 0;

    for (unsigned i = 0; map != NULL && !page && i < COUNT_OF(types); i++)
        page = highest_of(map, types[i]);
    return page;
}

bool low_page_find(void)
{
    self.page = memory_pages(1, LOW_MEMORY);
    if (self.page)
        return true;
    self.kept = memory_alloc(PAGE);
    self.page = self.kept != NULL ? find_used() : 0;
    return self.page != 0;
}

bool low_page_is_borrowed(void)
{
    return self.kept != NULL;
}

uint64_t low_page_take(void)
{
    if (self.kept != NULL)
        memcpy(self.kept, (const void *)(uintptr_t)self.page, PAGE);
    return self.page;
}

void low_page_give_back(void)
{
    if (self.kept != NULL)
        memcpy((void *)(uintptr_t)self.page, self.kept, PAGE);
}
