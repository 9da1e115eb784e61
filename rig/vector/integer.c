/* Integers in elements of 1, 2, 4 or 8 bytes, one at a time. SDM 2, the instructions' own pages. */
#include "integer.h"

static int64_t extend(uint64_t value, unsigned size)
{
    const unsigned beyond = 64 - 8 * size;

    return (int64_t)(value << beyond) >> beyond;
}

/* A count of all bits or more leaves zero, or the sign in every bit. */
static uint64_t shift(enum vector_op op, unsigned size, uint64_t value, uint64_t by)
{
    const bool all = by >= 8 * size;

    if (op == VECTOR_SHIFT_ARITHMETIC)
        return (uint64_t)(extend(value, size) >> (all ? 8 * size - 1 : by));
    if (all)
        return 0;
    return op == VECTOR_SHIFT_LEFT ? value << by : value >> by;
}

static uint64_t choose(enum vector_op op, unsigned size, uint64_t a, uint64_t b)
{
    switch (op) {
    case VECTOR_EQUAL:
        return a == b ? UINT64_MAX : 0;
    case VECTOR_GREATER:
        return extend(a, size) > extend(b, size) ? UINT64_MAX : 0;
    case VECTOR_MIN_SIGNED:
        return extend(a, size) < extend(b, size) ? a : b;
    case VECTOR_MAX_SIGNED:
        return extend(a, size) > extend(b, size) ? a : b;
    case VECTOR_MIN_UNSIGNED:
        return a < b ? a : b;
    case VECTOR_MAX_UNSIGNED:
        return a > b ? a : b;
    default:
        return shift(op, size, a, b);
    }
}

uint64_t vector_integer(enum vector_op op, unsigned size, uint64_t a, uint64_t b)
{
    switch (op) {
    case VECTOR_AND:
        return a & b;
    case VECTOR_ANDN:
        return ~a & b;
    case VECTOR_OR:
        return a | b;
    case VECTOR_XOR:
        return a ^ b;
    case VECTOR_INTEGER_ADD:
        return a + b;
    case VECTOR_INTEGER_SUB:
        return a - b;
    case VECTOR_INTEGER_MUL:
        return a * b;
    case VECTOR_INTEGER_MUL_WIDE:
        return (a & UINT32_MAX) * (b & UINT32_MAX);
    default:
        return choose(op, size, a, b);
    }
}
