/* CRC-32 of the log records: polynomial 0x04c11db7 reflected, all ones before and after, as
 * zlib's crc32(). */
#include "record.h"

#define POLYNOMIAL 0xedb88320u

/* Four bytes at a time: table[k][b] is what byte b does to the sum when k more bytes follow. */
uint32_t crc32_of(const void *data, size_t size)
{
    static uint32_t table[4][256]; /* filled by the first call; [0][1] is never 0 after it */
    const uint8_t *byte = data;
    uint32_t crc = UINT32_MAX;

    if (!table[0][1]) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t value = i;

            for (int bit = 0; bit < 8; bit++)
                value = value & 1 ? value >> 1 ^ POLYNOMIAL : value >> 1;
            table[0][i] = value;
        }
        for (unsigned k = 1; k < 4; k++)
            for (unsigned i = 0; i < 256; i++)
                table[k][i] = table[0][table[k - 1][i] & 0xff] ^ table[k - 1][i] >> 8;
    }

    for (; size >= 4; size -= 4, byte += 4) {
        crc ^= byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
        crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^ table[1][crc >> 16 & 0xff] ^
              table[0][crc >> 24];
    }
    for (; size; size--, byte++)
        crc = table[0][(crc ^ *byte) & 0xff] ^ crc >> 8;
    return ~crc;
}
