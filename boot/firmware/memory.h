/* Memory from the firmware, or from the free ranges of its last map when boot services are gone. */
#ifndef BOOT_FIRMWARE_MEMORY_H
#define BOOT_FIRMWARE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The address of `count` pages of 4 KiB, zeroed, below `limit` (0: anywhere); 0 when there are
 * none. After ExitBootServices only with a limit of 0. */
uint64_t memory_pages(uint64_t count, uint64_t limit);
/* The address of `count` pages of 4 KiB, zeroed, in [start, end) but not below 1 MiB; 0 when there
 * are none. Memory that the firmware keeps for special purposes (EFI_MEMORY_SP) is not taken. */
uint64_t memory_pages_in(uint64_t count, uint64_t start, uint64_t end);
/* `size` bytes that nothing frees before memory_release, zeroed, 4096-aligned; null when there are
 * none. */
void *memory_alloc(size_t size);

/* The bytes that were taken so far; nothing is given back before memory_release. */
uint64_t memory_taken(void);

/* Gives everything back to the firmware (before efi_main returns). */
void memory_release(void);

#endif
