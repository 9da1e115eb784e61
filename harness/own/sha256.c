#include "sha256.h"

#include "boot/text.h"

#define BLOCK  64u
#define LENGTH 8u /* bytes at the end of the last block: how many bits there were */

/* The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square
 * roots of the first 8. */
/* clang-format off */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
/* clang-format on */

static uint32_t rotated(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

static void make_schedule(const uint8_t block[BLOCK], uint32_t words[64])
{
    for (unsigned i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15], b = words[i - 2];

        words[i] = words[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + words[i - 7] +
                   (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
}

/* One of 64 rounds over s[0..7], which the standard calls a to h. */
static void turn(uint32_t s[8], uint32_t add)
{
    const uint32_t first = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
                           ((s[4] & s[5]) ^ (~s[4] & s[6])) + add;
    const uint32_t second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

    for (unsigned i = 7; i > 0; i--)
        s[i] = s[i - 1];
    s[4] += first;
    s[0] = first + second;
}

static void add_block(uint32_t hash[8], const uint8_t block[BLOCK])
{
    uint32_t words[64], s[8];

    make_schedule(block, words);
    memcpy(s, hash, sizeof(s));
    for (unsigned i = 0; i < 64; i++)
        turn(s, constants[i] + words[i]);
    for (unsigned i = 0; i < 8; i++)
        hash[i] += s[i];
}

/* What is left over of the bytes, a bit of 1, zeros, and the length: in one block or in two. */
static void add_rest(uint32_t hash[8], const uint8_t *bytes, size_t size)
{
    const size_t rest = size % BLOCK;
    const size_t total = rest + 1 + LENGTH <= BLOCK ? BLOCK : 2 * BLOCK;
    uint8_t last[2 * BLOCK];

    memset(last, 0, sizeof(last));
    memcpy(last, bytes + size - rest, rest);
    last[rest] = 0x80;
    for (unsigned i = 0; i < LENGTH; i++)
        last[total - 1 - i] = (uint8_t)((uint64_t)size * 8 >> (8 * i));
    add_block(hash, last);
    if (total > BLOCK)
        add_block(hash, last + BLOCK);
}

void sha256(const void *bytes, size_t size, char text[SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *at = bytes;
    uint32_t hash[8];

    memcpy(hash, initial, sizeof(hash));
    for (size_t i = 0; i + BLOCK <= size; i += BLOCK)
        add_block(hash, at + i);
    add_rest(hash, at, size);
    for (unsigned i = 0; i < SHA256_TEXT - 1; i++)
        text[i] = digits[hash[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[SHA256_TEXT - 1] = '\0';
}
