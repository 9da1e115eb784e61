#include "smbios_entry.h"

#include "boot/smbios.h"
#include "boot/table_bytes.h"
#include "boot/text.h"
#include "pages.h"

#define BOUNDARY    16u
#define WIDE_LENGTH 6u /* where a 64-bit entry point says how long it is */
#define OLD_LENGTH  5u
#define END_BYTES   4u /* the shortest structure */

bool smbios_entry_is_wide(const void *entry)
{
    return memcmp(entry, "_SM3_", 5) == 0;
}

static bool is_old(const void *entry)
{
    return memcmp(entry, "_SM_", 4) == 0;
}

/* Whether the `size` bytes begin with an entry point that can be used. */
static bool is_sound(const uint8_t *entry, size_t size)
{
    uint64_t address;
    size_t table;

    if (size < BOUNDARY || !(smbios_entry_is_wide(entry) || is_old(entry)) ||
        entry[smbios_entry_is_wide(entry) ? WIDE_LENGTH : OLD_LENGTH] > size)
        return false;
    return smbios_table(entry, &address, &table) == RC_OK && address < PAGES_REACH &&
           table <= PAGES_REACH - address;
}

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* "SMBIOS 3.0 (64-bit) Entry Point". */
static void build(uint8_t built[SMBIOS_BUILT_BYTES], const struct boot_information *information)
{
    memset(built, 0, SMBIOS_BUILT_BYTES);
    memcpy(built, "_SM3_", 5);
    built[WIDE_LENGTH] = SMBIOS_BUILT_BYTES;
    built[7] = information->smbios_major;
    built[8] = information->smbios_minor;
    built[10] = 1; /* revision of the entry point */
    put(built + 12, information->smbios_size, 4);
    put(built + 16, (uintptr_t)information->smbios, 8);
    for (unsigned i = 0; i < SMBIOS_BUILT_BYTES; i++)
        if (i != 5)
            built[5] = (uint8_t)(built[5] - built[i]);
}

const void *smbios_entry_of_loader(const struct boot_information *information,
                                   uint8_t built[SMBIOS_BUILT_BYTES])
{
    const uint8_t *tables = information->smbios;
    const size_t size = information->smbios_size;

    if (tables == NULL || size < END_BYTES || size > SMBIOS_TABLE_MAX)
        return NULL;
    /* Multiboot2 says that the tag holds the tables. A loader may have put the entry point there:
     * no structure that DSP0134 defines begins with these letters, its type would be 5FH. */
    if (is_old(tables) || (size > 4 && smbios_entry_is_wide(tables)))
        return is_sound(tables, size) ? tables : NULL;
    build(built, information);
    return built;
}

const void *smbios_entry_search(const uint8_t *segment, size_t size)
{
    const uint8_t *old = NULL;

    for (size_t at = 0; size - at >= BOUNDARY; at += BOUNDARY) {
        if (!is_sound(segment + at, size - at))
            continue;
        if (smbios_entry_is_wide(segment + at))
            return segment + at;
        if (old == NULL)
            old = segment + at;
    }
    return old;
}
