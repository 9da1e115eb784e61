/* printf for the log, small and bounded. Pure. */
#ifndef BOOT_FORMAT_H
#define BOOT_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats into out[size], terminated when size > 0. Returns the length of the whole text, also when
 * only its beginning fits. Understands %% %c %s (with precision) %d %i %u %x %X, alone or with l,
 * ll or z, width, '-', '0'; %p; and %f with a precision of 0..9 (default 3). %f prints magnitudes
 * from 2^63 on, infinities and NaN as "-": the log has no such numbers. */
size_t format(char *out, size_t size, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));
size_t format_list(char *out, size_t size, const char *pattern, va_list arguments);

/* Writes the decimal digits of `value` and returns their number. Up to FORMAT_DIGITS characters
 * from `to` on are overwritten, whatever the number is. */
#define FORMAT_DIGITS 24
size_t format_digits(char *to, uint64_t value);
/* Writes what %f prints of the value's magnitude, with 0 to 9 decimals, and returns its length; 0
 * where %f prints "-". *negative: a minus sign belongs in front. */
#define FORMAT_REAL (2 * FORMAT_DIGITS)
size_t format_real(char to[FORMAT_REAL], double value, unsigned decimals, bool *negative);

#endif
