#include "acpi_table.h"

#include <efi.h>
#include <string.h>

#include "firmware/guest.h"
#include "firmware/state.h"

void acpi_put(uint8_t *at, uint64_t value, unsigned size)
{
    memcpy(at, &value, size);
}

uint8_t acpi_checksum(const uint8_t *bytes, size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    return (uint8_t)(0x100u - (sum & 0xff));
}

void acpi_header(uint8_t *table, const char *signature, uint64_t length, unsigned revision)
{
    memcpy(table, signature, 4);
    acpi_put(table + 4, length, 4);
    table[8] = (uint8_t)revision;
    memcpy(table + 10, "SLOTSCSLOTSRIG", 14);
    acpi_put(table + 24, 1, 4);
    memcpy(table + 28, "SRIG", 4);
    acpi_put(table + 32, 1, 4);
}

void acpi_seal(uint8_t *table)
{
    uint32_t length;

    memcpy(&length, table + 4, 4);
    table[9] = 0;
    table[9] = acpi_checksum(table, length);
}

void acpi_address(uint8_t *at, unsigned space, unsigned bits, unsigned access, uint64_t value)
{
    at[0] = (uint8_t)space;
    at[1] = (uint8_t)bits;
    at[3] = (uint8_t)access;
    acpi_put(at + 4, value, 8);
}

uint64_t acpi_room(struct firmware *firmware, uint64_t bytes, uint8_t **host)
{
    uint64_t place = firmware_room(firmware, EfiACPIReclaimMemory, bytes);

    *host = place ? firmware_at(firmware, place, bytes) : NULL;
    if (*host == NULL || firmware->tables == ACPI_PARTS)
        return 0;
    firmware->table[firmware->tables].place = place;
    firmware->table[firmware->tables++].bytes = bytes;
    return place;
}
