/* MXCSR. SDM 1, "MXCSR Control and Status Register". */
#ifndef RIG_VECTOR_MXCSR_H
#define RIG_VECTOR_MXCSR_H

/* Flags of exceptions: invalid, denormal, division by zero, overflow, underflow, precision. */
#define MXCSR_IE    0x0001u
#define MXCSR_DE    0x0002u
#define MXCSR_ZE    0x0004u
#define MXCSR_OE    0x0008u
#define MXCSR_UE    0x0010u
#define MXCSR_PE    0x0020u
#define MXCSR_FLAGS (MXCSR_IE | MXCSR_DE | MXCSR_ZE | MXCSR_OE | MXCSR_UE | MXCSR_PE)

/* Those that the operands alone raise, before anything is computed. */
#define MXCSR_BY_OPERANDS (MXCSR_IE | MXCSR_DE | MXCSR_ZE)

#define MXCSR_DAZ        0x0040u
#define MXCSR_MASKS      0x1f80u /* every exception is masked */
#define MXCSR_MASK_SHIFT 7       /* from an exception's flag to its mask */
#define MXCSR_UM         (MXCSR_UE << MXCSR_MASK_SHIFT)
#define MXCSR_FTZ        0x8000u
/* Rounding control: to nearest, down, up, towards zero. */
#define MXCSR_ROUNDING 0x6000u
#define MXCSR_NEAREST  0x0000u
#define MXCSR_DOWN     0x2000u
#define MXCSR_UP       0x4000u
#define MXCSR_TO_ZERO  0x6000u
#define MXCSR_BITS     0xffffu /* those that can be set */
#define MXCSR_INITIAL  MXCSR_MASKS

#endif
