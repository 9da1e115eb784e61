/* SHA-256 (FIPS 180-4), by which the log names the files of an own kernel. Pure. */
#ifndef HARNESS_OWN_SHA256_H
#define HARNESS_OWN_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT 65 /* 64 digits and a 0 byte */

/* The hash of `size` bytes, as 64 lower-case hexadecimal digits: what sha256sum prints. */
void sha256(const void *bytes, size_t size, char text[SHA256_TEXT]);

#endif
