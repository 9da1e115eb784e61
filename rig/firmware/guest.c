#include "guest.h"

#include <efi.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

#include "device/guest_memory.h"
#include "state.h"

uint8_t *firmware_at(const struct firmware *firmware, uint64_t address, uint64_t size)
{
    return memory_at(firmware->memory, address, size);
}

void firmware_set(const struct firmware *firmware, uint64_t address, uint64_t value, unsigned size)
{
    uint8_t *place = firmware_at(firmware, address, size);

    if (place != NULL)
        memcpy(place, &value, size);
}

uint64_t firmware_room(struct firmware *firmware, uint8_t type, uint64_t bytes)
{
    uint64_t address = memory_map_pool(&firmware->map, type, bytes);

    if (address)
        memset(firmware_at(firmware, address, bytes), 0, bytes);
    return address;
}

void table_seal(struct firmware *firmware, uint64_t table)
{
    EFI_TABLE_HEADER header;
    uint32_t crc;

    memcpy(&header, firmware_at(firmware, table, sizeof(header)), sizeof(header));
    firmware_set(firmware, table + offsetof(EFI_TABLE_HEADER, CRC32), 0, 4);
    crc = (uint32_t)crc32(0, firmware_at(firmware, table, header.HeaderSize), header.HeaderSize);
    firmware_set(firmware, table + offsetof(EFI_TABLE_HEADER, CRC32), crc, 4);
}
