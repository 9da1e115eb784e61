/* Numbers as descriptions and formulas write them. Strict: the whole text is the number or it is
 * none. Pure. */
#ifndef PMU_NUMBER_H
#define PMU_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 12, 0x1f: at most 2^64 - 1. */
bool number_unsigned(const char *text, size_t length, uint64_t *value);
/* Hexadecimal digits without a prefix (06_55). */
bool number_hex(const char *text, size_t length, uint64_t *value);
/* 12, 0x1f, 0.0001: no sign, no exponent; correctly rounded, and false rather than inexact when it
 * has more digits than a double can hold (beyond 2^53 without the point, or more than 22 places).
 */
bool number_real(const char *text, size_t length, double *value);

#endif
