/* printf for the log, small and bounded. Pure. */
#ifndef BOOT_FORMAT_H
#define BOOT_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats into out[size], always terminated when size > 0; returns the length it would have had
 * without the limit. Understands %% %c %s (with precision) %d %i %u %x %X with h-less, l, ll and
 * z lengths, width, '-', '0'; %p; and %f with a precision of 0..9 (default 3; values beyond
 * 2^63, infinities and NaN print as "-": the log has no such numbers). */
size_t format(char *out, size_t size, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));
size_t format_list(char *out, size_t size, const char *pattern, va_list arguments);

#define FORMAT_DIGITS 24
/* The decimal digits of `value` from `to` on, where there is room for FORMAT_DIGITS characters
 * whatever it is; returns how many they are. */
size_t format_digits(char *to, uint64_t value);
/* What %f prints of the value without its sign, at most FORMAT_REAL characters; returns how many,
 * 0 for what it prints as "-". Decimals 0 to 9. */
#define FORMAT_REAL (2 * FORMAT_DIGITS)
size_t format_real(char to[FORMAT_REAL], double value, unsigned decimals, bool *negative);

#endif
