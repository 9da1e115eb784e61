/* Numbers as descriptions and formulas write them. The whole text must be the number. Each function
 * returns false, *value unchanged, for any other text. Pure. */
#ifndef PMU_FORMULA_NUMBER_H
#define PMU_FORMULA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 12, 0x1f: at most 2^64 - 1. */
bool number_unsigned(const char *text, size_t length, uint64_t *value);
/* Hexadecimal digits without a prefix, as on either side of the bar in 06_55. */
bool number_hex(const char *text, size_t length, uint64_t *value);
/* 12, 0x1f, 0.0001: no sign, no exponent; correctly rounded. False also when a double cannot hold
 * the digits: more than 2^53 without the point, or more than 22 places. */
bool number_real(const char *text, size_t length, double *value);

#endif
