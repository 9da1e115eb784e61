/* CRC-32 of the log records: polynomial 0x04c11db7 reflected, all ones before and after, as
 * zlib's crc32(). */
#include "record.h"

#define POLYNOMIAL 0xedb88320u

uint32_t crc32_of(const void *data, size_t size)
{
    static uint32_t table[256]; /* filled by the first call; entry 1 is never 0 after it */
    const uint8_t *byte = data;
    uint32_t crc = UINT32_MAX;

    if (!table[1]) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t value = i;

            for (int bit = 0; bit < 8; bit++)
                value = value & 1 ? value >> 1 ^ POLYNOMIAL : value >> 1;
            table[i] = value;
        }
    }

    for (size_t i = 0; i < size; i++)
        crc = table[(crc ^ byte[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}
