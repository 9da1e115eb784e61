#include "memory.h"

#include "boot/text.h"
#include "firmware.h"
#include "memory_map.h"

#define PAGE       4096ull
#define BLOCKS_MAX 512

static struct {
    struct block {
        uint64_t address, pages;
    } blocks[BLOCKS_MAX]; /* memory_release gives them back */
    unsigned block_count;
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

uint64_t memory_pages(uint64_t count, uint64_t limit)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;
    EFI_PHYSICAL_ADDRESS address = limit - 1;
    EFI_STATUS status;

    if (!count || self.block_count == BLOCKS_MAX)
        return 0;
    if (boot == NULL)
        return limit ? 0 : pages_from_map(count);

    firmware_enter();
    status = boot->AllocatePages(limit ? AllocateMaxAddress : AllocateAnyPages, EfiLoaderData,
                                 count, &address);
    if (!EFI_ERROR(status))
        boot->SetMem((void *)(uintptr_t)address, count * PAGE, 0);
    firmware_leave();
    if (EFI_ERROR(status))
        return 0;
    self.blocks[self.block_count++] = (struct block){address, count};
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
    while (self.block_count) {
        self.block_count--;
        boot->FreePages(self.blocks[self.block_count].address, self.blocks[self.block_count].pages);
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
