/* All of these except the permutations work on each 128 bits by themselves. SDM 2, the
 * instructions' own pages. */
#include "shuffle.h"

#include <string.h>

#define LANE 16u /* bytes */

static void take(uint8_t *to, unsigned index, const uint8_t *from, unsigned of, unsigned size)
{
    memcpy(to + index * size, from + of * size, size);
}

/* Takes elements of both sources by turns, from the lower or the upper half. */
static void unpack(uint8_t *to, const uint8_t *a, const uint8_t *b, unsigned size, bool high)
{
    const unsigned half = LANE / size / 2, first = high ? half : 0;

    for (unsigned i = 0; i < half; i++) {
        take(to, 2 * i, a, first + i, size);
        take(to, 2 * i + 1, b, first + i, size);
    }
}

/* Selects four singles by two bits of the constant each, or two doubles by one bit each, with other
 * bits for every lane. The lower half of the result comes from the first source, the upper half
 * from the second. */
static void shuffle(uint8_t *to, const uint8_t *a, const uint8_t *b, unsigned size, unsigned lane,
                    unsigned constant)
{
    const unsigned count = LANE / size;

    for (unsigned i = 0; i < count; i++) {
        const unsigned pick = size == 4 ? constant >> 2 * i & 3 : constant >> (2 * lane + i) & 1;

        take(to, i, i < count / 2 ? a : b, pick, size);
    }
}

static void shuffle_bytes(uint8_t *to, const uint8_t *a, const uint8_t *which)
{
    for (unsigned i = 0; i < LANE; i++)
        to[i] = which[i] & 0x80 ? 0 : a[which[i] & 15];
}

/* The bytes of `high` above those of `low`, moved down by `by` bytes. */
static void align(uint8_t *to, const uint8_t *high, const uint8_t *low, unsigned by)
{
    uint8_t both[3 * LANE] = {0};

    memcpy(both, low, LANE);
    memcpy(both + LANE, high, LANE);
    memcpy(to, both + (by < 2 * LANE ? by : 2 * LANE), LANE);
}

static void duplicate(uint8_t *to, const uint8_t *a, unsigned size, bool odd)
{
    for (unsigned i = 0; i < LANE / size; i++)
        take(to, i, a, (i & ~1u) + odd, size);
}

static void shuffle_lane(enum vector_op op, unsigned size, unsigned lane, const uint8_t *a,
                         const uint8_t *b, unsigned constant, uint8_t *to)
{
    static const uint8_t nothing[LANE] = {0};

    switch (op) {
    case VECTOR_UNPACK_LOW:
    case VECTOR_UNPACK_HIGH:
        unpack(to, a, b, size, op == VECTOR_UNPACK_HIGH);
        break;
    case VECTOR_SHUFFLE_PAIR:
        shuffle(to, a, b, size, lane, constant);
        break;
    case VECTOR_SHUFFLE_BYTES:
        shuffle_bytes(to, a, b);
        break;
    case VECTOR_ALIGN:
        align(to, a, b, constant);
        break;
    case VECTOR_BYTES_UP:
        align(to, a, nothing, constant < LANE ? LANE - constant : 0);
        break;
    case VECTOR_BYTES_DOWN:
        align(to, nothing, a, constant < LANE ? constant : LANE);
        break;
    case VECTOR_DUPLICATE_EVEN:
    case VECTOR_DUPLICATE_ODD:
        duplicate(to, a, size, op == VECTOR_DUPLICATE_ODD);
        break;
    default:
        break;
    }
}

/* Each half of 256 bits is one of four halves, or zero. */
static void permute_halves(const uint8_t *a, const uint8_t *b, unsigned constant, uint8_t *to)
{
    for (unsigned i = 0; i < 2; i++) {
        const unsigned pick = constant >> 4 * i;

        memset(to + i * LANE, 0, LANE);
        if (!(pick & 8))
            memcpy(to + i * LANE, (pick & 2 ? b : a) + (pick & 1) * LANE, LANE);
    }
}

void vector_shuffle(enum vector_op op, unsigned size, unsigned length, const uint8_t *a,
                    const uint8_t *b, unsigned constant, uint8_t *to)
{
    if (op == VECTOR_PERMUTE_HALVES) {
        permute_halves(a, b, constant, to);
        return;
    }
    if (op == VECTOR_PERMUTE) { /* within each 256 bits */
        for (unsigned i = 0; i < length / size; i++)
            take(to, i, a, (i & ~3u) + (constant >> 2 * (i & 3) & 3), size);
        return;
    }
    for (unsigned at = 0; at < length; at += LANE)
        shuffle_lane(op, size, at / LANE, a + at, b + at, constant, to + at);
}
