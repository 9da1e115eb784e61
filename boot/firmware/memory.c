#include "memory.h"

#include "boot/text.h"
#include "firmware.h"
#include "memory_map.h"

#define PAGE    4096ull
#define LOW_END 0x100000ull /* what is below is scarce, and needed to start cores */

/* What memory_release gives back, in pages of their own: a firmware gives as many as are needed.
 * The first block of each page is the page itself. */
struct blocks {
    struct blocks *older;
    unsigned count;
    struct block {
        uint64_t address, pages;
    } of[(PAGE - 2 * sizeof(uint64_t)) / sizeof(struct block)];
};
_Static_assert(sizeof(struct blocks) == PAGE, "one page");

static struct {
    struct blocks *newest; /* null: nothing was taken yet */
    uint64_t taken;        /* pages */
} self;

/* The part of the entry's memory in [start, end). False: none of it is free. */
static bool free_part(const EFI_MEMORY_DESCRIPTOR *entry, uint64_t start, uint64_t end,
                      struct block *part)
{
    const uint64_t first = entry->PhysicalStart, last = first + entry->NumberOfPages * PAGE;

    if (!memory_map_is_free(entry) || last < first)
        return false;
    start = start > first ? start : first;
    start = start > LOW_END ? (start + PAGE - 1) / PAGE * PAGE : LOW_END;
    end = end < last ? end / PAGE * PAGE : last;
    *part = (struct block){start, start < end ? (end - start) / PAGE : 0};
    return part->pages != 0;
}

/* The entry with the largest free part in [start, end), and that part; null: there is none. */
static EFI_MEMORY_DESCRIPTOR *largest_part(uint64_t start, uint64_t end, struct block *largest)
{
    const struct memory_map *map = memory_map_read();
    EFI_MEMORY_DESCRIPTOR *found = NULL;
    struct block part;

    for (unsigned i = 0; map != NULL && i < memory_map_count(map); i++) {
        EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);

        if (!free_part(entry, start, end, &part) || (found != NULL && part.pages <= largest->pages))
            continue;
        found = entry;
        *largest = part;
    }
    return found;
}

/* Takes `count` pages from the front of the largest free part, out of the last map, which nobody
 * else changes any more. What is left of the entry on the shorter side is given up. */
static uint64_t pages_from_map(uint64_t count, uint64_t start, uint64_t end)
{
    struct block part;
    EFI_MEMORY_DESCRIPTOR *entry = largest_part(start, end, &part);
    uint64_t before, after;

    if (entry == NULL || part.pages < count)
        return 0;
    before = (part.address - entry->PhysicalStart) / PAGE;
    after = entry->NumberOfPages - before - count;
    if (after >= before)
        entry->PhysicalStart = part.address + count * PAGE;
    entry->NumberOfPages = after >= before ? after : before;
    memset((void *)(uintptr_t)part.address, 0, count * PAGE);
    return part.address;
}

/* Pages from the firmware. `address`: where they begin, or the last byte that they may have, as
 * `where` says. 0 when there are none. */
static uint64_t pages_from_firmware(EFI_ALLOCATE_TYPE where, uint64_t count,
                                    EFI_PHYSICAL_ADDRESS address)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;
    EFI_STATUS status;

    firmware_enter();
    status = boot->AllocatePages(where, EfiLoaderData, count, &address);
    if (!EFI_ERROR(status))
        boot->SetMem((void *)(uintptr_t)address, count * PAGE, 0);
    firmware_leave();
    return EFI_ERROR(status) ? 0 : address;
}

/* Room for one more block. False: there is no memory for it. */
static bool make_room(void)
{
    struct blocks *blocks;

    if (self.newest != NULL && self.newest->count < COUNT_OF(self.newest->of))
        return true;
    blocks = (struct blocks *)(uintptr_t)pages_from_firmware(AllocateAnyPages, 1, 0);
    if (blocks == NULL)
        return false;
    blocks->older = self.newest;
    blocks->of[blocks->count++] = (struct block){(uintptr_t)blocks, 1};
    self.newest = blocks;
    return true;
}

/* Remembers what has to be given back. */
static uint64_t keep(uint64_t address, uint64_t count)
{
    if (address != 0)
        self.newest->of[self.newest->count++] = (struct block){address, count};
    return address;
}

static uint64_t take_pages(uint64_t count, uint64_t limit)
{
    if (!count)
        return 0;
    if (firmware()->boot == NULL)
        return limit ? 0 : pages_from_map(count, 0, UINT64_MAX);
    if (!make_room())
        return 0;
    return keep(pages_from_firmware(limit ? AllocateMaxAddress : AllocateAnyPages, count,
                                    limit ? limit - 1 : 0),
                count);
}

static uint64_t take_pages_in(uint64_t count, uint64_t start, uint64_t end)
{
    struct block part;

    if (!count)
        return 0;
    if (firmware()->boot == NULL)
        return pages_from_map(count, start, end);
    if (!make_room() || largest_part(start, end, &part) == NULL || part.pages < count)
        return 0;
    return keep(pages_from_firmware(AllocateAddress, count, part.address), count);
}

static uint64_t counted(uint64_t address, uint64_t count)
{
    if (address != 0)
        self.taken += count;
    return address;
}

uint64_t memory_pages(uint64_t count, uint64_t limit)
{
    return counted(take_pages(count, limit), count);
}

uint64_t memory_pages_in(uint64_t count, uint64_t start, uint64_t end)
{
    return counted(take_pages_in(count, start, end), count);
}

uint64_t memory_taken(void)
{
    return self.taken * PAGE;
}

void memory_release(void)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;

    if (boot == NULL)
        return;
    firmware_enter();
    while (self.newest != NULL) {
        struct blocks *blocks = self.newest;

        self.newest = blocks->older;
        while (blocks->count > 1) {
            const struct block *block = &blocks->of[--blocks->count];

            boot->FreePages(block->address, block->pages);
        }
        boot->FreePages((uintptr_t)blocks, 1);
    }
    firmware_leave();
    memory_map_release();
}

static uint64_t pages_for(size_t size)
{
    return (size + PAGE - 1) / PAGE;
}

void *memory_alloc(size_t size)
{
    return size > SIZE_MAX - PAGE ? NULL : (void *)(uintptr_t)memory_pages(pages_for(size), 0);
}
