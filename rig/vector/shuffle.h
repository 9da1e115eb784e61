/* Elements that change places. */
#ifndef RIG_VECTOR_SHUFFLE_H
#define RIG_VECTOR_SHUFFLE_H

#include <stdint.h>

#include "rows.h"

/* `length` bytes of elements of `size`; the second source may be the first again. */
void vector_shuffle(enum vector_op op, unsigned size, unsigned length, const uint8_t *a,
                    const uint8_t *b, unsigned constant, uint8_t *to);

#endif
