/* The words and signs of a formula. */
#ifndef PMU_FORMULA_TOKENS_H
#define PMU_FORMULA_TOKENS_H

#include <stddef.h>

/* A token's kind: its own character, or one of these. */
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

/* The token at or after `at`, blanks skipped; TOKEN_END at the end. */
struct token formula_token(const char *text, size_t length, size_t at);

#endif
