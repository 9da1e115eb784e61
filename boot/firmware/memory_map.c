#include "memory_map.h"

#define MEMORY_SP (1ull << 18)  /* EFI_MEMORY_SP: UEFI 2.8, "GetMemoryMap()" */
#define MAP_SLACK (8 * 4096ull) /* the allocation of its buffer may make the map longer */

static struct memory_map self;
static bool was_read; /* `self` holds a map, which may be old */

const struct memory_map *memory_map_read(void)
{
    EFI_BOOT_SERVICES *boot = firmware()->boot;
    UINT32 version;
    EFI_STATUS status = EFI_BUFFER_TOO_SMALL;
    void *buffer;

    if (boot == NULL)
        return self.entries != NULL ? &self : NULL;
    was_read = false;
    firmware_enter();
    for (int attempt = 0; attempt < 3; attempt++) {
        self.bytes = self.capacity;
        status =
            boot->GetMemoryMap(&self.bytes, self.entries, &self.key, &self.entry_bytes, &version);
        if (status != EFI_BUFFER_TOO_SMALL)
            break;
        if (self.entries != NULL)
            boot->FreePool(self.entries);
        self.entries = NULL;
        self.capacity = self.bytes + MAP_SLACK;
        if (EFI_ERROR(boot->AllocatePool(EfiLoaderData, self.capacity, &buffer))) {
            self.capacity = 0;
            break;
        }
        self.entries = buffer;
    }
    firmware_leave();
    if (EFI_ERROR(status) || self.entries == NULL ||
        self.entry_bytes < sizeof(EFI_MEMORY_DESCRIPTOR))
        return NULL;
    was_read = true;
    return &self;
}

const struct memory_map *memory_map_last(void)
{
    return was_read ? &self : NULL;
}

void memory_map_release(void)
{
    if (self.entries != NULL) {
        firmware_enter();
        firmware()->boot->FreePool(self.entries);
        firmware_leave();
    }
    self = (struct memory_map){0};
    was_read = false;
}

unsigned memory_map_count(const struct memory_map *map)
{
    return (unsigned)(map->bytes / map->entry_bytes);
}

EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, unsigned index)
{
    return (EFI_MEMORY_DESCRIPTOR *)((uintptr_t)map->entries + index * map->entry_bytes);
}

bool memory_map_is_free(const EFI_MEMORY_DESCRIPTOR *entry)
{
    return entry->Type == EfiConventionalMemory && !(entry->Attribute & MEMORY_SP);
}

bool memory_map_is_ram(const EFI_MEMORY_DESCRIPTOR *entry)
{
    return entry->Type != EfiReservedMemoryType && entry->Type != EfiUnusableMemory &&
           entry->Type != EfiMemoryMappedIO && entry->Type != EfiMemoryMappedIOPortSpace &&
           entry->Type < EfiMaxMemoryType;
}

bool memory_map_has_ram(const struct memory_map *map, uint64_t begin, uint64_t bytes)
{
    for (unsigned i = 0; i < memory_map_count(map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);
        const uint64_t first = entry->PhysicalStart, size = entry->NumberOfPages * 4096;

        if (!memory_map_is_ram(entry))
            continue;
        if (begin < first ? first - begin < bytes : begin - first < size)
            return true;
    }
    return false;
}
