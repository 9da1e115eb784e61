#include "memory.h"

#include "machine.h"
#include "paging.h"
#include "text.h"

#define PAGE        4096ull
#define ARENA_ALIGN (2ull << 20)
#define ARENAS_MAX  8
#define BLOCKS_MAX  512
#define MAP_SLACK   (8 * PAGE) /* the map grows by our own allocations */

static struct {
    struct memory_map map;
    struct block {
        uint64_t address, pages;
    } blocks[BLOCKS_MAX]; /* what memory_release gives back */
    unsigned block_count;
    struct arena {
        uint64_t start, end;
        unsigned page_shift;
    } arenas[ARENAS_MAX];
    unsigned arena_count;
    uint64_t free_start, free_end; /* after ExitBootServices */
} self;

unsigned memory_map_count(const struct memory_map *map)
{
    return (unsigned)(map->bytes / map->entry_bytes);
}

const EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, unsigned index)
{
    return (const EFI_MEMORY_DESCRIPTOR *)((uintptr_t)map->entries + index * map->entry_bytes);
}

const struct memory_map *memory_map_read(void)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;
    UINT32 version;
    EFI_STATUS status = EFI_BUFFER_TOO_SMALL;
    void *buffer;

    if (boot == NULL)
        return self.map.entries != NULL ? &self.map : NULL;
    firmware_enter();
    for (int attempt = 0; attempt < 3; attempt++) {
        self.map.bytes = self.map.capacity;
        status = boot->GetMemoryMap(&self.map.bytes, self.map.entries, &self.map.key,
                                    &self.map.entry_bytes, &version);
        if (status != EFI_BUFFER_TOO_SMALL)
            break;
        if (self.map.entries != NULL)
            boot->FreePool(self.map.entries);
        self.map.entries = NULL;
        self.map.capacity = self.map.bytes + MAP_SLACK;
        if (EFI_ERROR(boot->AllocatePool(EfiLoaderData, self.map.capacity, &buffer))) {
            self.map.capacity = 0;
            break;
        }
        self.map.entries = buffer;
    }
    firmware_leave();
    if (EFI_ERROR(status) || self.map.entries == NULL ||
        self.map.entry_bytes < sizeof(EFI_MEMORY_DESCRIPTOR))
        return NULL;
    return &self.map;
}

bool memory_is_ram(const EFI_MEMORY_DESCRIPTOR *entry)
{
    return entry->Type != EfiReservedMemoryType && entry->Type != EfiUnusableMemory &&
           entry->Type != EfiMemoryMappedIO && entry->Type != EfiMemoryMappedIOPortSpace &&
           entry->Type < EfiMaxMemoryType;
}

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
    for (unsigned i = 0; i < memory_map_count(&self.map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(&self.map, i);
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
    if (self.map.entries != NULL)
        boot->FreePool(self.map.entries);
    self.map = (struct memory_map){0};
    firmware_leave();
}

static uint64_t pages_for(size_t size)
{
    return (size + PAGE - 1) / PAGE;
}

void *machine_alloc(size_t size)
{
    return size > SIZE_MAX - PAGE ? NULL : (void *)(uintptr_t)memory_pages(pages_for(size), 0);
}

void *machine_arena(size_t size, unsigned page_shift)
{
    struct arena *arena = &self.arenas[self.arena_count];
    uint64_t start;

    if (self.arena_count == ARENAS_MAX || !size || size > SIZE_MAX / 2 ||
        (page_shift != 12 && page_shift != 21))
        return NULL;
    /* Whole large pages: none is shared with anything else. */
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    start = memory_pages(pages_for(size + ARENA_ALIGN - PAGE), 0);
    if (!start)
        return NULL;
    start = (start + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;

    *arena = (struct arena){start, start + size, page_shift};
    if (paging_root() && paging_map(arena->start, arena->end, page_shift) != RC_OK)
        return NULL;
    self.arena_count++;
    return (void *)(uintptr_t)start;
}

void memory_map_arenas(void)
{
    for (unsigned i = 0; i < self.arena_count; i++)
        paging_map(self.arenas[i].start, self.arenas[i].end, self.arenas[i].page_shift);
}
