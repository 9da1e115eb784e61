/* Which floating-point exceptions an SSE instruction raises. The emulator computes such
 * instructions without noting any. */
#ifndef RIG_VECTOR_SSE_H
#define RIG_VECTOR_SSE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

struct sse_operands {
    uint8_t first[16], second[16]; /* zeros beyond the end of an operand */
    uint8_t predicate;             /* of a comparison: the constant */
    bool wide;                     /* the general register or integer of a conversion has 64 bits */
};

/* Whether the instruction, in legacy encoding, is one of those that sse_raises() knows. */
bool sse_computes(const ZydisDecodedInstruction *decoded);
/* The flags of MXCSR that it raises, by rounding, masks and treatment of small numbers of `mxcsr`.
 */
uint32_t sse_raises(const ZydisDecodedInstruction *decoded, const struct sse_operands *operands,
                    uint32_t mxcsr);

/* What becomes of the exceptions that an instruction raised: the flags that MXCSR gets, and whether
 * it faults. SDM 1, "SSE and SSE2 SIMD Floating-Point Exceptions": a fault by the operands alone
 * comes before the computation, so that nothing is known of its result. */
bool mxcsr_faults(uint32_t mxcsr, uint32_t raised, uint32_t *flags);

#endif
