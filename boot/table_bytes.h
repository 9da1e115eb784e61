/* Bytes of the firmware's tables, ACPI's and SMBIOS's. */
#ifndef BOOT_TABLE_BYTES_H
#define BOOT_TABLE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number in `bytes` bytes at `at`, the lowest first; bytes: 1 to 8. */
static inline uint64_t table_number(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;

    while (bytes--)
        value = value << 8 | at[bytes];
    return value;
}

/* Whether the checksum of `size` bytes is right: their sum modulo 256 is 0. */
static inline bool table_sums_to_zero(const uint8_t *bytes, size_t size)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum == 0;
}

#endif
