#include "formula_tokens.h"

#include "boot/text.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '#';
}

static bool is_name_part(char c)
{
    return is_name_start(c) || is_digit(c) || c == '.' || c == ':';
}

typedef char __attribute__((vector_size(16), aligned(1), may_alias)) bytes_16;

/* How many of the 16 characters from there on are parts of a name, up to the first that is not. */
static unsigned name_parts(const char *text)
{
    const bytes_16 c = *(const bytes_16 *)text, small = c | 0x20;
    const bytes_16 part = ((small >= 'a') & (small <= 'z')) | ((c >= '0') & (c <= ':')) |
                          (c == '_') | (c == '.') | (c == '#');
    const unsigned others = ~(unsigned)__builtin_ia32_pmovmskb128(part);

    return (unsigned)__builtin_ctz(others); /* at most 16: no more bits are set in `part` */
}

/* The first character from `at` on that is no part of a name. */
static size_t name_end(const char *text, size_t length, size_t at)
{
    while (length - at >= sizeof(bytes_16)) {
        const unsigned parts = name_parts(text + at);

        at += parts;
        if (parts < sizeof(bytes_16))
            return at;
    }
    while (at < length && is_name_part(text[at]))
        at++;
    return at;
}

/* Whether the = at `at` belongs to a name such as OCR.READS:ocr_msr_val=0x10. */
static bool is_inner_equals(const char *text, size_t length, size_t start, size_t at)
{
    static const char word[] = ":ocr_msr_val";
    size_t before = sizeof(word) - 1;

    return text[at] == '=' && at + 1 < length && is_digit(text[at + 1]) && at - start > before &&
           memcmp(text + at - before, word, before) == 0;
}

#define LONGEST_WORD 4

static int word_kind(const char *text, size_t length)
{
    static const struct {
        char word[LONGEST_WORD + 1];
        int kind;
    } words[] = {
        {"if", TOKEN_IF},   {"else", TOKEN_ELSE}, {"min", TOKEN_MIN},
        {"max", TOKEN_MAX}, {"NA", TOKEN_NA},
    };

    for (size_t i = 0; length <= LONGEST_WORD && i < COUNT_OF(words); i++)
        if (words[i].word[length] == 0 && !memcmp(words[i].word, text, length))
            return words[i].kind;
    return TOKEN_NAME;
}

static int sign_kind(const char *text, size_t left, size_t *length)
{
    bool equals = left > 1 && text[1] == '=';

    *length = 1;
    switch (text[0]) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '(':
    case ')':
    case ',':
        return text[0];
    case '<':
        *length += equals;
        return equals ? TOKEN_AT_MOST : '<';
    case '>':
        *length += equals;
        return equals ? TOKEN_AT_LEAST : '>';
    case '=':
        *length += equals;
        return equals ? TOKEN_EQUAL : TOKEN_BAD;
    default:
        return TOKEN_BAD;
    }
}

struct token formula_token(const char *text, size_t length, size_t at)
{
    struct token token;

    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        at++;
    token = (struct token){TOKEN_END, at, 0};
    if (at == length)
        return token;
    if (!is_digit(text[at]) && !is_name_start(text[at])) {
        token.kind = sign_kind(text + at, length - at, &token.length);
        return token;
    }
    at = name_end(text, length, at);
    while (at < length && is_inner_equals(text, length, token.start, at))
        at = name_end(text, length, at + 1);
    token.length = at - token.start;
    token.kind =
        is_digit(text[token.start]) ? TOKEN_NUMBER : word_kind(text + token.start, token.length);
    return token;
}
