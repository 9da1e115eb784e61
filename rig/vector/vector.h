/* The vector registers. The emulator has XMM0 to XMM15 and no instruction in VEX or EVEX encoding:
 * the rig plays those itself, with registers of its own beside the emulator's. */
#ifndef RIG_VECTOR_VECTOR_H
#define RIG_VECTOR_VECTOR_H

#include <stdint.h>

#define VECTOR_BYTES     64u
#define VECTOR_REGISTERS 32u
#define VECTOR_MASKS     8u
#define XMM_BYTES        16u

/* ZMM0 to ZMM31, K0 to K7. */
struct vector_file {
    _Alignas(VECTOR_BYTES) uint8_t vector[VECTOR_REGISTERS][VECTOR_BYTES];
    uint64_t mask[VECTOR_MASKS];
};

#endif
