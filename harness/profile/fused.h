/* Macro-fused pairs: an instruction and the conditional jump behind it that the decoders make one
 * uop of, and that retire as one (Intel Optimization Reference Manual, "Macro-Fusion"). Pure. */
#ifndef HARNESS_PROFILE_FUSED_H
#define HARNESS_PROFILE_FUSED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether Sandy Bridge and later may fuse the instruction of these bytes with the next one. Nehalem
 * fuses CMP and TEST only; older cores fuse nothing in 64-bit mode. */
bool fused_may(const uint8_t *bytes, uint32_t length, const uint8_t *next, uint32_t next_length);

#endif
