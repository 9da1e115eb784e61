/* Shared by the parts of special: how a played instruction ends, memory operands, and who plays
 * what. */
#ifndef RIG_MACHINE_SPECIAL_INSIDE_H
#define RIG_MACHINE_SPECIAL_INSIDE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/model.h"

struct core;
struct cpuid_result;
struct instruction;

/* end.c: the ends of an instruction */
/* The instruction is complete, without memory accesses, and the next one in order follows. */
void special_done(struct core *core, const struct instruction *instruction);
/* The instruction faults. The error code is `error`; without it, 0 for #GP and none for others. */
void special_fault(struct core *core, const struct instruction *instruction, unsigned vector);
void special_fault_with(struct core *core, const struct instruction *instruction, unsigned vector,
                        int64_t error);
/* #DB of single-stepping after the instruction that is complete; the next one is at core->rip. */
void special_step(struct core *core);
/* EDX:EAX */
uint64_t special_pair(const struct core *core);
void special_set_pair(struct core *core, uint64_t value);

/* registers.c: RDMSR, WRMSR, RDPMC, CPUID, RDTSC, RDTSCP */
void play_rdmsr(struct core *core, const struct instruction *instruction);
void play_wrmsr(struct core *core, const struct instruction *instruction);
void play_rdpmc(struct core *core, const struct instruction *instruction);
void play_cpuid(struct core *core, const struct instruction *instruction);
void play_rdtsc(struct core *core, const struct instruction *instruction);
void play_rdtscp(struct core *core, const struct instruction *instruction);

/* level.c: what depends on the privilege level */
void play_syscall(struct core *core, const struct instruction *instruction);
void play_sysret(struct core *core, const struct instruction *instruction);

/* operands.c */
void play_transfer(struct core *core, const struct instruction *instruction);    /* POPCNT, MOVBE */
void play_to_register(struct core *core, const struct instruction *instruction); /* RDRAND, RDPID */
void play_flush(struct core *core, const struct instruction *instruction);

/* enabled.c: XCR0 and what depends on it */
/* Whether CR4 and XCR0 enable instructions in VEX encoding, or, when `wide`, AVX-512. */
bool vector_is_enabled(const struct core *core, bool wide);
/* The part of CPUID leaf 0DH that depends on what is enabled. */
void vector_identify(const struct core *core, uint32_t subleaf, struct cpuid_result *result);
void play_xgetbv(struct core *core, const struct instruction *instruction);
void play_xsetbv(struct core *core, const struct instruction *instruction);

/* vector.c: instructions in VEX and EVEX encodings */
void play_vector(struct core *core, const struct instruction *instruction);

/* control.c: MOV from and to CR8 */
void play_priority(struct core *core, const struct instruction *instruction);

/* debug.c: MOV from and to debug registers */
void play_debug(struct core *core, const struct instruction *instruction);

/* floats.c: floating-point exceptions of SSE */
/* The fault of an instruction whose operand is not aligned or that raised an unmasked exception. */
void play_float_fault(struct core *core, const struct instruction *instruction);
/* #XM, or #UD where CR4 does not have it. */
void special_float_exception(struct core *core, const struct instruction *instruction);

/* cet.c: instructions on shadow stacks */
void play_cet(struct core *core, const struct instruction *instruction);

/* xsave.c: XSAVE, XRSTOR and their kin */
void play_xsave(struct core *core, const struct instruction *instruction);
uint64_t xsave_in_use(struct core *core); /* XINUSE */

/* memory.c: a memory operand by the page tables */
/* The linear address; false for forms that the decoder cannot compute. */
bool operand_address(struct core *core, const struct instruction *instruction,
                     const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operand,
                     uint64_t *address);
enum operand_reach {
    OPERAND_REACHED,
    OPERAND_FAULTED, /* the fault is delivered */
    OPERAND_BEYOND   /* no RAM */
};
struct operand_place {
    bool stack;   /* in the stack's segment: another vector for an address that is not canonical */
    bool aligned; /* #GP when the address is no multiple of the operand's size */
};
struct operand_pieces {
    uint8_t *place[2]; /* of the host; the second where the operand crosses a page */
    unsigned first;    /* bytes of the first piece */
};
enum operand_reach operand_reach(struct core *core, const struct instruction *instruction,
                                 const struct access *access, const struct operand_place *how,
                                 struct operand_pieces *pieces);
/* Only those bytes of the operand, a bit each: bytes that a mask leaves out do not fault, and have
 * no place. */
enum operand_reach operand_reach_bytes(struct core *core, const struct instruction *instruction,
                                       const struct access *access, const struct operand_place *how,
                                       uint64_t bytes, struct operand_pieces *pieces);
void operand_read_bytes(const struct operand_pieces *pieces, uint8_t *to, uint64_t bytes);
void operand_write_bytes(const struct operand_pieces *pieces, const uint8_t *from, uint64_t bytes);

#endif
