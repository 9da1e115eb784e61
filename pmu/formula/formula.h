/* Compiling formulas as the vendor publishes them: numbers, names, + - * /, < > <= >= ==, unary -,
 * min( , ), max( , ), parentheses, `A if C else B` (binds weakest, right associative), and NA ("not
 * available"). A name is letters, digits, _ . : # and starts with a letter, _ or #. Pure. */
#ifndef PMU_FORMULA_FORMULA_H
#define PMU_FORMULA_FORMULA_H

#include "boot/pool.h"
#include "boot/rc.h"
#include "formula_evaluate.h"

#define FORMULA_TOKENS 2048 /* numbers, names and signs of the longest formula */
#define FORMULA_DEPTH  24   /* parentheses within parentheses, `else` within `else` */

struct formula_error {
    uint32_t offset; /* into the text, from 0 */
    const char *message, *expected;
};

/* Compiles `length` bytes of text, which must outlive the formula; steps and names are taken from
 * the pool. A divisor that is zero for any counts is an error. RC_OK; RC_BAD_INPUT with *error;
 * RC_NO_SPACE when the pool is exhausted. */
enum rc formula_compile(struct formula *formula, const char *text, size_t length, struct pool *pool,
                        struct formula_error *error);

#endif
