#include "memory.h"

#include "boot/text.h"
#include "firmware.h"
#include "memory_map.h"

#define PAGE 4096ull

/* What memory_release gives back. The list is made of pages, each full of blocks but the newest. */
struct block_page {
    struct block_page *older;
    uint64_t count;
    struct block {
        uint64_t address, pages;
    } blocks[(PAGE - 16) / 16];
};
_Static_assert(sizeof(struct block_page) == PAGE, "a page of the list is a page");

static struct {
    struct block_page *blocks;
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

/* Zeroed pages; 0: there are none. `limit` as for memory_pages. */
static uint64_t pages_from_firmware(EFI_BOOT_SERVICES *boot, uint64_t count, uint64_t limit)
{
    EFI_PHYSICAL_ADDRESS address = limit - 1;

    if (EFI_ERROR(boot->AllocatePages(limit ? AllocateMaxAddress : AllocateAnyPages, EfiLoaderData,
                                      count, &address)))
        return 0;
    boot->SetMem((void *)(uintptr_t)address, count * PAGE, 0);
    return address;
}

/* Whether the list has room for one more block. */
static bool list_has_room(EFI_BOOT_SERVICES *boot)
{
    struct block_page *page;

    if (self.blocks != NULL && self.blocks->count < COUNT_OF(self.blocks->blocks))
        return true;
    page = (struct block_page *)(uintptr_t)pages_from_firmware(boot, 1, 0);
    if (page == NULL)
        return false;
    page->older = self.blocks;
    self.blocks = page;
    return true;
}

uint64_t memory_pages(uint64_t count, uint64_t limit)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;
    uint64_t address = 0;

    if (!count)
        return 0;
    if (boot == NULL)
        return limit ? 0 : pages_from_map(count);

    firmware_enter();
    if (list_has_room(boot))
        address = pages_from_firmware(boot, count, limit);
    firmware_leave();
    if (address)
        self.blocks->blocks[self.blocks->count++] = (struct block){address, count};
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
    while (self.blocks != NULL) {
        struct block_page *page = self.blocks;

        for (uint64_t i = page->count; i > 0; i--)
            boot->FreePages(page->blocks[i - 1].address, page->blocks[i - 1].pages);
        self.blocks = page->older;
        boot->FreePages((uintptr_t)page, 1);
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
