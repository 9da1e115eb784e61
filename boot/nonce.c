#include "nonce.h"

#define STEP   0x9e3779b97f4a7c15u /* 2^64 over the golden ratio, odd */
#define SPREAD 0xd6e8feb86659fd93u /* odd, so no two numbers have one product */

/* Each bit of the number changes about half of the others; no two numbers become one. */
static uint64_t spread(uint64_t value)
{
    for (int round = 0; round < 3; round++) {
        value ^= value >> 32;
        value *= SPREAD;
    }
    return value ^ value >> 32;
}

uint64_t nonce_mix(uint64_t nonce, const void *data, size_t size)
{
    const uint8_t *byte = data;

    for (size_t i = 0; i < size; i++)
        nonce = spread(nonce + STEP + byte[i]);
    return nonce;
}
