/* Memory from the firmware, or from its last map when boot services are gone. */
#ifndef BOOT_MEMORY_H
#define BOOT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The address of `count` pages of 4 KiB, zeroed, below `limit` (0: anywhere); 0 when there are
 * none. After ExitBootServices only with a limit of 0. */
uint64_t memory_pages(uint64_t count, uint64_t limit);
/* `size` bytes that nothing frees before memory_release, zeroed, 4096-aligned; null when there are
 * none. */
void *memory_alloc(size_t size);

/* From here on memory comes from the largest free range of the last map. */
void memory_boot_services_gone(void);
/* Gives everything back to the firmware (before efi_main returns). */
void memory_release(void);

#endif
