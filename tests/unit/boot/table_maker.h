/* Bytes of firmware tables, as the tests write them. */
#ifndef TESTS_UNIT_BOOT_TABLE_MAKER_H
#define TESTS_UNIT_BOOT_TABLE_MAKER_H

#include <stddef.h>
#include <stdint.h>

/* The number in `bytes` bytes at `at`, the lowest first. */
static inline void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Sets the byte at `where` so that bytes [0, size) sum to zero. */
static inline void seal(uint8_t *bytes, size_t size, size_t where)
{
    uint8_t sum = 0;

    bytes[where] = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + bytes[i]);
    bytes[where] = (uint8_t)-sum;
}

#endif
