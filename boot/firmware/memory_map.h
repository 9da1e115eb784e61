/* The firmware's map of the physical memory. */
#ifndef BOOT_FIRMWARE_MEMORY_MAP_H
#define BOOT_FIRMWARE_MEMORY_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware.h"

struct memory_map {
    EFI_MEMORY_DESCRIPTOR *entries;
    UINTN bytes, entry_bytes, capacity, key;
};

/* The map as it is now, or after ExitBootServices as it was read last; null when the firmware
 * refuses. The next call overwrites it. */
const struct memory_map *memory_map_read(void);
/* The map as it was read last, without a call of the firmware; null: it was not. */
const struct memory_map *memory_map_last(void);
/* Gives the map's buffer back to the firmware, whose boot services must be alive. */
void memory_map_release(void);

unsigned memory_map_count(const struct memory_map *map);
/* index: below memory_map_count. */
EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, unsigned index);
/* Whether anybody may take the entry's memory: it is free, and not kept for special purposes. */
bool memory_map_is_free(const EFI_MEMORY_DESCRIPTOR *entry);
/* Whether the entry is memory (the firmware's own too), not device registers and not a hole. */
bool memory_map_is_ram(const EFI_MEMORY_DESCRIPTOR *entry);
/* Whether any of [begin, begin + bytes) is such memory; bytes: at least 1. */
bool memory_map_has_ram(const struct memory_map *map, uint64_t begin, uint64_t bytes);

#endif
