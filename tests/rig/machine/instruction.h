/* What the machine must know about an instruction before the emulator runs it. Decoded once for
 * each address, with Zydis. */
#ifndef RIG_INSTRUCTION_H
#define RIG_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#define INSTRUCTION_SLOTS 65536u /* direct-mapped, by address */
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
    KIND_FLUSH, /* CLFLUSHOPT, CLWB: nothing to do but to tell the model */
    KIND_POPCNT,
    KIND_MOVBE,
    KIND_RANDOM, /* RDRAND, RDSEED */
    KIND_RDPID,
    KIND_INT,  /* INT n, INT3, INT1: `vector` */
    KIND_PORT, /* IN, OUT and their string forms: the emulator asks for no permission */
    KIND_SYSCALL,
    KIND_SYSRET,
    KIND_XGETBV,
    KIND_XSETBV,
    KIND_XSAVE,  /* and XRSTOR: xsave.c */
    KIND_VECTOR, /* in VEX or EVEX encoding, and played: vector.c */
    KIND_UNDEFINED,
    KIND_UNSUPPORTED, /* valid, but beyond this emulator: the rig stops */
};

enum instruction_flag {
    FLAG_REPEAT = 1,
    FLAG_SHADOW = 2,  /* STI, MOV SS, POP SS: no interrupt at the next boundary */
    FLAG_CONTROL = 4, /* writes a control register or drops a translation */
    FLAG_FAR = 8,     /* may load CS */
    FLAG_IRET = 16,
    FLAG_BRANCH = 32,      /* may go to itself */
    FLAG_CONDITIONAL = 64, /* a branch that need not be taken */
    FLAG_MULTIPLIES = 128, /* floating point: small numbers need an assist */
};

struct instruction {
    uint64_t address;              /* ~0 in an empty slot */
    const struct decoded *decoded; /* the model's, see struct executed */
    uint8_t
        bytes[INSTRUCTION_BYTES]; /* of one that the emulator runs those beyond `length` are 0 */
    uint8_t length, mode;         /* mode: 16, 32 or 64 */
    uint8_t kind, flags;
    uint8_t vector;
    uint8_t operand_bytes; /* of the memory operand, capped at 64 */
};

/* A CPUID feature bit that decides whether an instruction exists. */
struct cpuid_bit {
    uint32_t leaf; /* and CPUID_SUBLEAF */
    uint8_t reg;   /* 0 eax, 1 ebx, 2 ecx, 3 edx */
    uint8_t bit;
};

/* No leaf has a number with these bits. */
#define CPUID_SUBLEAF(n) ((uint32_t)(n) << 16)
#define CPUID_SUBLEAVES  CPUID_SUBLEAF(0xff)

/* Fills all but `address`; nothing is decoded yet. `room` bytes can be read; `offers` says whether
 * CPUID has the bit. */
void instruction_decode(struct instruction *instruction, const uint8_t *bytes, unsigned room,
                        unsigned mode, bool (*offers)(void *context, const struct cpuid_bit *bit),
                        void *context);

#endif
