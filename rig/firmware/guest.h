/* Guest memory that the firmware itself allocated, which is always RAM. */
#ifndef RIG_FIRMWARE_GUEST_H
#define RIG_FIRMWARE_GUEST_H

#include <stddef.h>
#include <stdint.h>

struct firmware;

uint8_t *firmware_at(const struct firmware *firmware, uint64_t address, uint64_t size);
/* Writes the lowest `size` bytes of `value`, at most 8. */
void firmware_set(const struct firmware *firmware, uint64_t address, uint64_t value, unsigned size);
/* A guest address as the specification's structures hold it; not to be followed by the host. */
static inline void *guest_pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}
/* Zeroed pool memory of that EFI_MEMORY_TYPE; 0 when there is none. */
uint64_t firmware_room(struct firmware *firmware, uint8_t type, uint64_t bytes);
/* Computes the CRC of a table with an EFI_TABLE_HEADER anew. */
void table_seal(struct firmware *firmware, uint64_t table);

#endif
