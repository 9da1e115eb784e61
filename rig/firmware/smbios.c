#include "smbios.h"

#include <efi.h>
#include <string.h>

#include "guest.h"

#define ENTRY_21 31u
#define ENTRY_30 24u

/* Each structure: type, length of its formatted part, handle; then strings, and an empty one. */
static const char structures[] =
    /* 0, "BIOS Information": vendor 1, version 2, starting segment, release date 3 */
    "\x00\x18\x00\x00\x01\x02\x00\xf0\x03\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\xff"
    "\xff"
    "slotscope\0"
    "1\0"
    "11/25/2026\0\0"
    /* 1, "System Information": manufacturer 1, product 2 */
    "\x01\x08\x01\x00\x01\x02\x00\x00"
    "slotscope\0"
    "virtual machine\0\0"
    /* 2, "Baseboard Information": manufacturer 1, product 2, no version */
    "\x02\x08\x02\x00\x01\x02\x00\x00"
    "slotscope\0"
    "rig\0\0"
    /* 127, "End-of-Table" */
    "\x7f\x04\x03\x00\0";

static void put(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void seal(uint8_t *entry, unsigned from, unsigned to, unsigned checksum)
{
    uint8_t sum = 0;

    for (unsigned i = from; i < to; i++)
        sum = (uint8_t)(sum + entry[i]);
    entry[checksum] = (uint8_t)-sum;
}

/* "SMBIOS 2.1 (32-bit) Entry Point". */
static void make_21(uint8_t *entry, uint64_t table)
{
    memcpy(entry, "_SM_", 4);
    entry[5] = ENTRY_21;
    entry[6] = 2;
    entry[7] = 8;
    put(entry + 8, 64, 2); /* the largest structure */
    memcpy(entry + 16, "_DMI_", 5);
    put(entry + 22, sizeof(structures), 2);
    put(entry + 24, table, 4);
    put(entry + 28, 4, 2); /* structures */
    entry[30] = 0x28;
    seal(entry, 16, ENTRY_21, 21);
    seal(entry, 0, ENTRY_21, 4);
}

/* "SMBIOS 3.0 (64-bit) Entry Point". */
static void make_30(uint8_t *entry, uint64_t table)
{
    memcpy(entry, "_SM3_", 5);
    entry[6] = ENTRY_30;
    entry[7] = 3;
    entry[10] = 1;
    put(entry + 12, sizeof(structures), 4);
    put(entry + 16, table, 8);
    seal(entry, 0, ENTRY_30, 5);
}

struct smbios_places smbios_build(struct firmware *firmware)
{
    const uint64_t table =
        firmware_room(firmware, EfiRuntimeServicesData, sizeof(structures) + 2 * 32);
    const struct smbios_places places = {table + sizeof(structures),
                                         table + sizeof(structures) + 32};

    if (!table)
        return (struct smbios_places){0, 0};
    memcpy(firmware_at(firmware, table, sizeof(structures)), structures, sizeof(structures));
    make_21(firmware_at(firmware, places.entry_21, 32), table);
    make_30(firmware_at(firmware, places.entry_30, 32), table);
    return places;
}
