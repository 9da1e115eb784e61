/* Memory from the firmware, or from its map when boot services are gone. */
#ifndef BOOT_MEMORY_H
#define BOOT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware.h"

struct memory_map {
    EFI_MEMORY_DESCRIPTOR *entries;
    UINTN bytes, entry_bytes, capacity, key;
};

/* The map as it is now; null when the firmware refuses. The buffer is reused by the next call. */
const struct memory_map *memory_map_read(void);
const EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, unsigned index);
unsigned memory_map_count(const struct memory_map *map);
/* Memory (also the firmware's own), as against device registers and holes. */
bool memory_is_ram(const EFI_MEMORY_DESCRIPTOR *entry);

/* Pages of 4 KiB, zeroed, below `limit` (0: anywhere). 0 when there are none. */
uint64_t memory_pages(uint64_t count, uint64_t limit);
/* From here on memory comes from the largest free piece of the last map. */
void memory_boot_services_gone(void);
/* Gives everything back to the firmware (before efi_main returns). */
void memory_release(void);

/* Maps the arenas that were taken before there were page tables of our own. */
void memory_map_arenas(void);

#endif
