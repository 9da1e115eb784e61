#include "format.h"

#include "text.h"

struct sink {
    char *out;
    size_t size, length;
};

struct field {
    size_t width;
    int precision; /* -1: none was given */
    bool left, zeros;
};

/* How many of `length` characters still fit. */
static size_t room_for(const struct sink *sink, size_t length)
{
    size_t room = sink->length + 1 < sink->size ? sink->size - 1 - sink->length : 0;

    return length < room ? length : room;
}

static void put(struct sink *sink, const char *text, size_t length)
{
    size_t fits = room_for(sink, length);

    if (fits)
        memcpy(sink->out + sink->length, text, fits);
    sink->length += length;
}

static void put_times(struct sink *sink, char c, size_t times)
{
    size_t fits = room_for(sink, times);

    if (fits)
        memset(sink->out + sink->length, c, fits);
    sink->length += times;
}

/* Puts a text into its field. The sign of a negative number goes in front of the zeros that fill
 * the field. */
static void put_field(struct sink *sink, const struct field *field, bool negative, const char *text,
                      size_t length)
{
    size_t used = length + negative;
    size_t fill = field->width > used ? field->width - used : 0;

    if (fill && !field->left && !field->zeros) {
        put_times(sink, ' ', fill);
        fill = 0;
    }
    if (negative)
        put(sink, "-", 1);
    if (fill && !field->left) {
        put_times(sink, '0', fill);
        fill = 0;
    }
    put(sink, text, length);
    if (fill)
        put_times(sink, ' ', fill);
}

/* Writes the decimal digits of `value`, at least `least` of them, to the end of `buffer`; returns
 * the index of the first. */
static size_t decimal(char buffer[FORMAT_DIGITS], uint64_t value, unsigned least)
{
    size_t at = FORMAT_DIGITS, last = FORMAT_DIGITS - least;

    while (value || at > last) {
        buffer[--at] = (char)('0' + value % 10);
        value /= 10;
    }
    return at;
}

/* The eight digits of a number below 10^8, one in each byte, the first digit in the lowest. Each
 * step divides all parts of the word at once, by 100 and then by 10: a multiplication and a shift,
 * exact for numbers this small. */
static uint64_t eight_digits(uint32_t value)
{
    const uint64_t halves = value / 10000 | (uint64_t)(value % 10000) << 32;
    const uint64_t hundreds = halves * 10486 >> 20 & 0x0000007f0000007f;
    const uint64_t quarters = hundreds | (halves - 100 * hundreds) << 16;
    const uint64_t tens = quarters * 103 >> 10 & 0x000f000f000f000f;

    return tens | (quarters - 10 * tens) << 8;
}

size_t format_digits(char *to, uint64_t value)
{
    const uint64_t zeros = 0x3030303030303030; /* '0' in each byte */
    uint64_t digits;
    unsigned leading;
    size_t length;

    if (value < 10) {
        *to = (char)('0' + value);
        return 1;
    }
    if (value < 100000000) {
        digits = eight_digits((uint32_t)value);
        leading = (unsigned)__builtin_ctzll(digits) / 8;
        digits = (digits | zeros) >> 8 * leading;
        __builtin_memcpy(to, &digits, sizeof(digits));
        return sizeof(digits) - leading;
    }
    length = format_digits(to, value / 100000000);
    digits = eight_digits((uint32_t)(value % 100000000)) | zeros;
    __builtin_memcpy(to + length, &digits, sizeof(digits));
    return length + sizeof(digits);
}

static size_t hexadecimal(char buffer[FORMAT_DIGITS], uint64_t value, const char *digits)
{
    size_t at = FORMAT_DIGITS;

    do
        buffer[--at] = digits[value & 0xf];
    while (value >>= 4);
    return at;
}

static void put_integer(struct sink *sink, const struct field *field, bool negative, uint64_t value,
                        char kind)
{
    char buffer[FORMAT_DIGITS];
    size_t at = kind == 'x'   ? hexadecimal(buffer, value, "0123456789abcdef")
                : kind == 'X' ? hexadecimal(buffer, value, "0123456789ABCDEF")
                              : decimal(buffer, value, 1);

    put_field(sink, field, negative, buffer + at, FORMAT_DIGITS - at);
}

static void put_text(struct sink *sink, const struct field *field, const char *text)
{
    struct field plain = *field;
    size_t length = 0;

    if (text == NULL)
        text = "(null)";
    if (field->precision < 0)
        length = strlen(text);
    else
        while (length < (size_t)field->precision && text[length])
            length++;
    plain.zeros = false;
    put_field(sink, &plain, false, text, length);
}

/* fraction (0 to 1) times power (a power of 10), computed exactly and rounded half to even. */
static uint64_t scale_fraction(double fraction, uint64_t power)
{
    uint64_t bits, mantissa;
    unsigned exponent;
    unsigned __int128 product, rest, half;
    uint64_t whole;

    memcpy(&bits, &fraction, sizeof(bits));
    exponent = (unsigned)(bits >> 52);                 /* biased; the sign is 0 */
    mantissa = (bits & 0xfffffffffffffu) | 1ull << 52; /* times 2^(exponent - 1075) */
    if (exponent < 1075 - 120)                         /* below 2^-68: all nine digits are 0 */
        return 0;

    product = (unsigned __int128)mantissa * power;
    whole = (uint64_t)(product >> (1075 - exponent));
    rest = product & (((unsigned __int128)1 << (1075 - exponent)) - 1);
    half = (unsigned __int128)1 << (1074 - exponent);
    if (rest > half || (rest == half && whole & 1))
        whole++;
    return whole;
}

size_t format_real(char to[FORMAT_REAL], double value, unsigned decimals, bool *negative)
{
    static const uint32_t powers[] = {1,      10,      100,      1000,      10000,
                                      100000, 1000000, 10000000, 100000000, 1000000000};
    const double size = value < 0 ? -value : value + 0.0; /* a negative zero loses its sign */
    const uint64_t power = powers[decimals];
    uint64_t whole, fraction;
    char buffer[FORMAT_DIGITS];
    size_t length;

    *negative = value < 0;
    if (!(size < 9223372036854775808.0)) /* so that NaN comes here too */
        return 0;
    whole = (uint64_t)size;
    fraction = scale_fraction(size - (double)whole, power);
    if (power == 1 && size - (double)whole == 0.5)
        fraction = whole & 1; /* a tie goes to the even whole number */
    if (fraction >= power) {
        whole++;
        fraction -= power;
    }
    if (!whole && !fraction)
        *negative = false;

    length = format_digits(to, whole);
    if (decimals) {
        to[length++] = '.';
        memcpy(to + length, buffer + decimal(buffer, fraction, decimals), decimals);
        length += decimals;
    }
    return length;
}

static void put_real(struct sink *sink, const struct field *field, double value)
{
    const unsigned decimals = field->precision < 0 ? 3 : (unsigned)field->precision;
    char text[FORMAT_REAL];
    bool negative;
    size_t length = format_real(text, value, decimals > 9 ? 9 : decimals, &negative);
    struct field plain = {.width = field->width, .left = field->left};

    if (length)
        put_field(sink, field, negative, text, length);
    else
        put_field(sink, &plain, false, "-", 1);
}

/* Reads flags, width, precision and length of a conversion, where `pattern` begins after the '%'.
 * Returns where its letter is. *wide: the argument has 64 bits, as l, ll and z all mean here. */
static const char *read_field(const char *pattern, struct field *field, bool *wide,
                              va_list *arguments)
{
    for (; *pattern == '-' || *pattern == '0'; pattern++)
        *(*pattern == '-' ? &field->left : &field->zeros) = true;
    if (*pattern == '*') {
        int width = va_arg(*arguments, int);

        field->left |= width < 0;
        field->width = (size_t)(width < 0 ? -(int64_t)width : width);
        pattern++;
    }
    for (; *pattern >= '0' && *pattern <= '9'; pattern++)
        field->width = field->width * 10 + (size_t)(*pattern - '0');
    if (*pattern == '.') {
        pattern++;
        field->precision = 0;
        if (*pattern == '*') {
            field->precision = va_arg(*arguments, int);
            pattern++;
        }
        for (; *pattern >= '0' && *pattern <= '9'; pattern++)
            field->precision = field->precision * 10 + (*pattern - '0');
    }
    for (; *pattern == 'l' || *pattern == 'z'; pattern++)
        *wide = true;
    return pattern;
}

/* Does one conversion; `pattern` begins after the '%'. Returns the rest of the pattern. */
static const char *convert(struct sink *sink, const char *pattern, va_list *arguments)
{
    struct field field = {.precision = -1};
    bool wide = false;
    int64_t number;

    pattern = read_field(pattern, &field, &wide, arguments);
    switch (*pattern) {
    case '\0':
        return pattern;
    case 'c':
        put_field(sink, &field, false, &(char){(char)va_arg(*arguments, int)}, 1);
        break;
    case 's':
        put_text(sink, &field, va_arg(*arguments, const char *));
        break;
    case 'd':
    case 'i':
        number = wide ? va_arg(*arguments, int64_t) : va_arg(*arguments, int);
        put_integer(sink, &field, number < 0, number < 0 ? 0 - (uint64_t)number : (uint64_t)number,
                    'd');
        break;
    case 'u':
    case 'x':
    case 'X':
        put_integer(sink, &field, false,
                    wide ? va_arg(*arguments, uint64_t) : va_arg(*arguments, unsigned), *pattern);
        break;
    case 'p':
        put(sink, "0x", 2);
        put_integer(sink, &field, false, (uintptr_t)va_arg(*arguments, void *), 'x');
        break;
    case 'f':
        put_real(sink, &field, va_arg(*arguments, double));
        break;
    default:
        put(sink, pattern, 1); /* "%%"; an unknown letter prints itself */
    }
    return pattern + 1;
}

size_t format_list(char *out, size_t size, const char *pattern, va_list arguments)
{
    struct sink sink = {.out = out, .size = size};
    va_list rest;

    va_copy(rest, arguments);
    for (;;) {
        const char *from = pattern;

        while (*pattern && *pattern != '%')
            pattern++;
        put(&sink, from, (size_t)(pattern - from));
        if (!*pattern)
            break;
        pattern = convert(&sink, pattern + 1, &rest);
    }
    va_end(rest);

    if (size)
        out[sink.length < size ? sink.length : size - 1] = '\0';
    return sink.length;
}

size_t format(char *out, size_t size, const char *pattern, ...)
{
    va_list arguments;
    size_t length;

    va_start(arguments, pattern);
    length = format_list(out, size, pattern, arguments);
    va_end(arguments);
    return length;
}
