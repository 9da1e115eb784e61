/* Integers in elements of 1, 2, 4 or 8 bytes, one at a time. */
#ifndef RIG_VECTOR_INTEGER_H
#define RIG_VECTOR_INTEGER_H

#include <stdint.h>

#include "rows.h"

/* Elements of `size` bytes with zeros above; of the result the lowest `size` bytes count. */
uint64_t vector_integer(enum vector_op op, unsigned size, uint64_t a, uint64_t b);

#endif
