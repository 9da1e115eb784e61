/* A number that no other run has. Pure. */
#ifndef BOOT_NONCE_H
#define BOOT_NONCE_H

#include <stddef.h>
#include <stdint.h>

/* Mixes bytes into the number; it begins as 0. Other bytes, or the same in another order, give
 * another number, but by chance. */
uint64_t nonce_mix(uint64_t nonce, const void *data, size_t size);

#endif
