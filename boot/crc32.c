#include "crc32.h"

#define POLYNOMIAL 0xedb88320u

/* table[k][b] is how byte b changes the sum when k more bytes follow. The first call fills it; from
 * then on [0][1] is not 0. */
static uint32_t table[4][256];

static void fill(void)
{
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

/* The sum after four more bytes. */
static inline uint32_t advance(uint32_t crc, const uint8_t *byte)
{
    uint32_t word, high;

    __builtin_memcpy(&word, byte, sizeof(word));
    word ^= crc;
    high = word >> 16;
    return table[3][word & 0xff] ^ table[2][(size_t)(word >> 8 & 0xff)] ^ table[1][high & 0xff] ^
           table[0][high >> 8];
}

uint32_t crc32_of(const void *data, size_t size)
{
    return crc32_more(0, data, size);
}

uint32_t crc32_more(uint32_t before, const void *data, size_t size)
{
    const uint8_t *byte = data, *stop = byte + size;
    uint32_t crc = ~before;

    if (!table[0][1])
        fill();
    for (; stop - byte >= 8; byte += 8)
        crc = advance(advance(crc, byte), byte + 4);
    for (; byte < stop; byte++)
        crc = table[0][(crc ^ *byte) & 0xff] ^ crc >> 8;
    return ~crc;
}
