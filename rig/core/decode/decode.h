/* The decoder: instructions decoded once by Zydis, then cached by address and bytes. */
#ifndef RIG_CORE_DECODE_DECODE_H
#define RIG_CORE_DECODE_DECODE_H

#include "decoded.h"

struct decoder;
struct decoder *decoder_new(const struct model_parameters *parameters);
void decoder_free(struct decoder *decoder);
/* The instruction of these bytes at this address, `length` 1 to 15. Never NULL: an instruction that
 * Zydis does not know becomes one MICROCODE uop. The pointer stays valid while the decoder lives,
 * but its place may later hold another instruction: ask decoded_is. */
const struct decoded *decoder_get(struct decoder *decoder, uint64_t rip, const uint8_t *bytes,
                                  uint8_t length);

#endif
