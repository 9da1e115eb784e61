#include "number.h"

#define DOUBLE_EXACT (1ull << 53) /* every integer up to here is a double */
#define PLACES       22           /* 10^22 is the largest power of ten that is a double */

static bool digits(const char *text, size_t length, unsigned base, uint64_t *value)
{
    uint64_t sum = 0;

    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        unsigned char lower = (unsigned char)(c | 0x20);
        unsigned digit = c >= '0' && c <= '9'           ? c - (unsigned)'0'
                         : lower >= 'a' && lower <= 'f' ? lower - (unsigned)'a' + 10
                                                        : 16;

        if (digit >= base || sum > (UINT64_MAX - digit) / base)
            return false;
        sum = sum * base + digit;
    }
    *value = sum;
    return true;
}

bool number_hex(const char *text, size_t length, uint64_t *value)
{
    return digits(text, length, 16, value);
}

bool number_unsigned(const char *text, size_t length, uint64_t *value)
{
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return digits(text + 2, length - 2, 16, value);
    return digits(text, length, 10, value);
}

bool number_real(const char *text, size_t length, double *value)
{
    uint64_t whole, mantissa = 0;
    double scale = 1;
    size_t point = 0;

    while (point < length && text[point] != '.')
        point++;
    if (point == length) {
        if (!number_unsigned(text, length, &whole) || whole > DOUBLE_EXACT)
            return false;
        *value = (double)whole;
        return true;
    }
    if (point == 0 || point + 1 == length || length - point - 1 > PLACES ||
        !digits(text, point, 10, &mantissa))
        return false;
    for (size_t i = point + 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || mantissa > DOUBLE_EXACT / 10)
            return false;
        mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
        scale *= 10;
    }
    if (mantissa > DOUBLE_EXACT)
        return false;
    *value = (double)mantissa / scale; /* both are exact, so the quotient is rounded once */
    return true;
}
