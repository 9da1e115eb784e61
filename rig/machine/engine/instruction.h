/* What the machine must know about an instruction before the emulator runs it. Zydis decodes each
 * instruction once. */
#ifndef RIG_MACHINE_ENGINE_INSTRUCTION_H
#define RIG_MACHINE_ENGINE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "vector/cpuid_bit.h"

#define INSTRUCTION_BYTES 16u

enum instruction_kind {
    KIND_ORDINARY,
    KIND_FIRMWARE, /* a firmware entry point, not code */
    KIND_RDMSR,
    KIND_WRMSR,
    KIND_RDPMC,
    KIND_CPUID,
    KIND_RDTSC,
    KIND_RDTSCP,
    KIND_HLT,
    KIND_PAUSE,
    KIND_MONITOR,
    KIND_MWAIT,
    KIND_FLUSH, /* CLFLUSHOPT, CLWB: only the model sees them */
    KIND_POPCNT,
    KIND_MOVBE,
    KIND_RANDOM, /* RDRAND, RDSEED */
    KIND_RDPID,
    KIND_INT,     /* INT n, INT3, INT1: `vector` */
    KIND_PORT,    /* IN, OUT and their string forms: the emulator checks no permission */
    KIND_CONTROL, /* MOV to a control register: the emulator takes any value */
    KIND_ALIGNED, /* SSE with a memory operand that must be aligned: the emulator takes any place */
    KIND_ENABLE,  /* STI: whether it holds interrupts back depends on IF */
    KIND_FLOAT,   /* SSE that may raise exceptions, of which the emulator notes none */
    KIND_FLOAT_ALIGNED, /* the same, with a memory operand that must be aligned */
    KIND_PRIORITY,      /* MOV from or to CR8 */
    KIND_DEBUG,         /* MOV from or to a debug register */
    KIND_SYSCALL,
    KIND_SYSRET,
    KIND_XGETBV,
    KIND_XSETBV,
    KIND_XSAVE,  /* and XRSTOR */
    KIND_VECTOR, /* in VEX or EVEX encoding, and played */
    KIND_CET,    /* RDSSPQ, INCSSPQ, WRSSQ */
    KIND_UNDEFINED,
    KIND_UNSUPPORTED, /* valid, but beyond this emulator: the rig stops */
};

/* What control-flow enforcement looks at. */
enum instruction_flow {
    FLOW_NONE,
    FLOW_ENDBR64,
    FLOW_CALL, /* direct, but to the next instruction, which pushes nothing */
    FLOW_CALL_INDIRECT,
    FLOW_CALL_NOTRACK,
    FLOW_JUMP_INDIRECT,
    FLOW_JUMP_NOTRACK,
    FLOW_RETURN,
    FLOW_RETURN_FAR, /* and IRET */
};

enum instruction_flag {
    FLAG_REPEAT = 1,
    FLAG_SHADOW = 2,  /* STI, MOV SS: there may be no interrupt at the next boundary */
    FLAG_CONTROL = 4, /* writes a control register or drops a translation */
    FLAG_FAR = 8,     /* may load CS */
    FLAG_IRET = 16,
    FLAG_BRANCH = 32,      /* a branch, which may go to itself */
    FLAG_CONDITIONAL = 64, /* a branch that need not be taken */
    FLAG_MULTIPLIES = 128, /* multiplies floating-point numbers: small ones may need an assist */
};

struct instruction {
    uint64_t address;              /* of an empty slot 0, as is its length */
    const struct decoded *decoded; /* the place for the model's own decoding, see struct executed */
    uint8_t bytes[INSTRUCTION_BYTES]; /* zeros beyond `length` when the emulator runs it */
    uint8_t length, mode;             /* mode: 16, 32 or 64 */
    uint8_t kind, flags;
    uint8_t vector, flow;
    uint8_t operand_bytes; /* of the memory operand, capped at 64 */
};

/* MOV SS: behind it there is no debug exception either, and no NMI (SDM 3A, "Masking Exceptions and
 * Interrupts When Switching Stacks"). The other instruction that delays interrupts is STI, of one
 * byte. */
static inline bool instruction_switches_stack(const struct instruction *instruction)
{
    return instruction->flags & FLAG_SHADOW && instruction->length > 1;
}

/* Whether the emulator runs instructions of this kind, all of them or those that break no rule. */
bool instruction_may_run(enum instruction_kind kind);
/* Fills all members except `address`; `decoded` becomes NULL. `room` bytes can be read; `offers`
 * says whether CPUID has a bit. */
void instruction_decode(struct instruction *instruction, const uint8_t *bytes, unsigned room,
                        unsigned mode, cpuid_offers_function *offers, void *context);

#endif
