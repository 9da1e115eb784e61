#include "memory.h"

#include "boot/text.h"
#include "firmware.h"
#include "memory_map.h"

#define PAGE 4096ull

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
    struct blocks *newest;         /* null: nothing was taken yet */
    uint64_t free_start, free_end; /* after ExitBootServices: the memory that is still free */
} self;

static uint64_t pages_from_map(uint64_t count)
{
    uint64_t address = self.free_start;

    if (count > (self.free_end - self.free_start) / PAGE)
        return 0;
    self.free_start += count * PAGE;
    memset((void *)(uintptr_t)address, 0, count * PAGE);
    return address;
}

/* Pages of the firmware, below `limit` unless that is 0; 0 when there are none. */
static uint64_t pages_from_firmware(uint64_t count, uint64_t limit)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;
    EFI_PHYSICAL_ADDRESS address = limit - 1;
    EFI_STATUS status;

    firmware_enter();
    status = boot->AllocatePages(limit ? AllocateMaxAddress : AllocateAnyPages, EfiLoaderData,
                                 count, &address);
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
    blocks = (struct blocks *)(uintptr_t)pages_from_firmware(1, 0);
    if (blocks == NULL)
        return false;
    blocks->older = self.newest;
    blocks->of[blocks->count++] = (struct block){(uintptr_t)blocks, 1};
    self.newest = blocks;
    return true;
}

uint64_t memory_pages(uint64_t count, uint64_t limit)
{
    uint64_t address;

    if (!count)
        return 0;
    if (firmware()->boot == NULL)
        return limit ? 0 : pages_from_map(count);
    if (!make_room())
        return 0;
    address = pages_from_firmware(count, limit);
    if (address != 0)
        self.newest->of[self.newest->count++] = (struct block){address, count};
    return address;
}

void memory_boot_services_gone(void)
{
    const struct memory_map *map = memory_map_read();

    for (unsigned i = 0; map != NULL && i < memory_map_count(map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);
        uint64_t size = entry->NumberOfPages * PAGE;

        if (entry->Type != EfiConventionalMemory || entry->PhysicalStart < 1 << 20 ||
            size <= self.free_end - self.free_start)
            continue;
        self.free_start = entry->PhysicalStart;
        self.free_end = entry->PhysicalStart + size;
    }
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
