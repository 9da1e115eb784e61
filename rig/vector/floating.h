/* Floating-point numbers as SSE and AVX have them, one at a time, as the bits of a single (`size`
 * 4) or double (`size` 8) number. */
#ifndef RIG_VECTOR_FLOATING_H
#define RIG_VECTOR_FLOATING_H

#include <stdbool.h>
#include <stdint.h>

#include "rows.h"

/* The host rounds as MXCSR says meanwhile (host_float_begin). `how` is the enum vector_fma of
 * VECTOR_FMA. `raised` gets MXCSR's flags of the exceptions; the result is
 * that of masked ones. */
uint64_t vector_float(enum vector_op op, unsigned size, unsigned how, const uint64_t operand[3],
                      uint32_t mxcsr, uint32_t *raised);
/* The flags that UCOMISD sets; `ordered`: that COMISD sets, for which a quiet NaN is invalid. */
unsigned vector_compare(unsigned size, uint64_t a, uint64_t b, bool ordered, uint32_t mxcsr,
                        uint32_t *raised);

#endif
