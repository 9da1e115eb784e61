/* Splits the text of a formula into numbers, words and signs. Pure. */
#ifndef PMU_FORMULA_FORMULA_TOKENS_H
#define PMU_FORMULA_FORMULA_TOKENS_H

#include <stddef.h>

/* A token's kind: the character of a one-character sign, or one of these. */
enum {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_IF,
    TOKEN_ELSE,
    TOKEN_MIN,
    TOKEN_MAX,
    TOKEN_NA,
    TOKEN_AT_MOST,
    TOKEN_AT_LEAST,
    TOKEN_EQUAL,
    TOKEN_BAD
};

struct token {
    int kind;
    size_t start, length;
};

/* Returns the first token at or after offset `at`, blanks skipped; TOKEN_END at the end of the
 * text.
 */
struct token formula_token(const char *text, size_t length, size_t at);

#endif
