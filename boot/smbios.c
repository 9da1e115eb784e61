#include "smbios.h"

#include "table_bytes.h"
#include "text.h"

#define HEADER_BYTES 4u
#define END_OF_TABLE 127u

enum rc smbios_table(const void *entry, uint64_t *address, size_t *size)
{
    const uint8_t *bytes = entry;

    if (memcmp(bytes, "_SM3_", 5) == 0) {
        if (bytes[6] < 24 || bytes[6] > SMBIOS_ENTRY_BYTES || !table_sums_to_zero(bytes, bytes[6]))
            return RC_BAD_INPUT;
        *size = table_number(bytes + 12, 4);
        *address = table_number(bytes + 16, 8);
    } else if (memcmp(bytes, "_SM_", 4) == 0) {
        if (bytes[5] < 31 || bytes[5] > SMBIOS_ENTRY_BYTES || !table_sums_to_zero(bytes, bytes[5]))
            return RC_BAD_INPUT;
        *size = table_number(bytes + 22, 2);
        *address = table_number(bytes + 24, 4);
    } else {
        return RC_BAD_INPUT;
    }
    return *address && *size && *size <= SMBIOS_TABLE_MAX ? RC_OK : RC_BAD_INPUT;
}

/* The place behind the structure at `at`: its bytes, then strings up to two zero bytes. `size`: it
 * does not end. */
static size_t next(const uint8_t *table, size_t size, size_t at)
{
    at += table[at + 1];
    while (at + 1 < size && (table[at] || table[at + 1]))
        at++;
    return at + 2 < size ? at + 2 : size;
}

bool smbios_has(const void *table, size_t size, uint8_t type)
{
    const uint8_t *bytes = table;

    for (size_t at = 0; size - at > HEADER_BYTES; at = next(bytes, size, at)) {
        if (bytes[at + 1] < HEADER_BYTES)
            return false;
        if (bytes[at] == type)
            return true;
        if (bytes[at] == END_OF_TABLE)
            return false;
    }
    return false;
}
