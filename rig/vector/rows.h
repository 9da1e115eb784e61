/* Which instructions in VEX and EVEX encodings are played, and how: a row for each. */
#ifndef RIG_VECTOR_ROWS_H
#define RIG_VECTOR_ROWS_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

enum vector_shape {
    VECTOR_NONE,        /* not played */
    VECTOR_LANES,       /* every element by itself */
    VECTOR_LOWEST,      /* the lowest element; the rest of 128 bits comes from the first source */
    VECTOR_COPY,        /* the whole operand */
    VECTOR_COPY_LOWEST, /* MOVSS, MOVSD */
    VECTOR_TRANSFER,    /* MOVD, MOVQ: the lowest element, zeros above it */
    VECTOR_BROADCAST,   /* one block, everywhere */
    VECTOR_EXTRACT,     /* the block that the constant names */
    VECTOR_INSERT,
    VECTOR_SHUFFLE,   /* elements change places */
    VECTOR_SIGNS,     /* the highest bit of each element, into a general register */
    VECTOR_TEST,      /* into the flags */
    VECTOR_MASK_COPY, /* KMOV */
    VECTOR_MASKED,    /* VMASKMOV: a copy by the signs of another vector */
    VECTOR_ZERO_UPPER,
    VECTOR_ZERO_ALL,
};

enum vector_op {
    VECTOR_ADD,
    VECTOR_SUB,
    VECTOR_MUL,
    VECTOR_DIV,
    VECTOR_MIN,
    VECTOR_MAX,
    VECTOR_SQRT,
    VECTOR_FMA,
    VECTOR_LAST_FLOAT = VECTOR_FMA,
    VECTOR_AND,
    VECTOR_ANDN,
    VECTOR_OR,
    VECTOR_XOR,
    VECTOR_INTEGER_ADD,
    VECTOR_INTEGER_SUB,
    VECTOR_INTEGER_MUL,      /* the lower half of the product */
    VECTOR_INTEGER_MUL_WIDE, /* of the lower halves of the elements */
    VECTOR_EQUAL,            /* all ones where the elements are equal */
    VECTOR_GREATER,
    VECTOR_MIN_SIGNED,
    VECTOR_MIN_UNSIGNED,
    VECTOR_MAX_SIGNED,
    VECTOR_MAX_UNSIGNED,
    VECTOR_SHIFT_LEFT,
    VECTOR_SHIFT_RIGHT,
    VECTOR_SHIFT_ARITHMETIC,
    VECTOR_UNPACK_LOW,
    VECTOR_UNPACK_HIGH,
    VECTOR_SHUFFLE_PAIR,
    VECTOR_SHUFFLE_BYTES,
    VECTOR_ALIGN,
    VECTOR_BYTES_UP,
    VECTOR_BYTES_DOWN,
    VECTOR_DUPLICATE_EVEN,
    VECTOR_DUPLICATE_ODD,
    VECTOR_PERMUTE,
    VECTOR_PERMUTE_HALVES,
    VECTOR_TEST_BITS,
    VECTOR_COMPARE,
};

/* The order of an FMA: which operands are multiplied, counted from 1; the third is added. */
enum vector_fma {
    VECTOR_132 = 1,
    VECTOR_213,
    VECTOR_231,
    VECTOR_ORDER = 3,
    VECTOR_NEGATE_PRODUCT = 4,
    VECTOR_NEGATE_ADDEND = 8
};

struct vector_row {
    uint8_t shape, op;
    uint8_t size; /* bytes of an element: of a number, or of what one bit of a mask selects */
    uint8_t
        block; /* BROADCAST, EXTRACT, INSERT: bytes; FMA: enum vector_fma; shifts: 1 when one count
                  is for all; copies: not 0 when the address must be a multiple of the size */
};

/* The row of a mnemonic that is not played has the shape VECTOR_NONE. */
const struct vector_row *vector_row(ZydisMnemonic mnemonic);
/* Whether the row is of a shift with one count for all elements. */
bool row_has_one_count(const struct vector_row *row);

#endif
