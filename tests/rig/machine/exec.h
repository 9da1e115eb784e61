/* Between the parts that run code: exec.c, exec_memory.c, special.c. */
#ifndef RIG_EXEC_H
#define RIG_EXEC_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

struct core;
struct instruction;
struct executed;

/* What is known about the instruction at `address`, which is in RAM or a firmware entry. Valid
 * until code is written. */
struct instruction *core_instruction(struct core *core, uint64_t address);
/* The instruction at `address` is probably the next one: what is known of it comes nearer. */
void core_expect(const struct core *core, uint64_t address);
/* The rig cannot play this one: ends the run with its address and bytes. */
void core_unsupported(struct core *core, const struct instruction *instruction);
/* `core` wrote, by an instruction that the machine played itself, `size` bytes at `address`. */
void core_wrote(struct core *core, uint64_t address, unsigned size);
void core_touched(struct core *core, uint64_t address, unsigned size, bool write);

/* Accounts for an instruction that the machine played itself. */
void core_execute(struct core *core, const struct executed *record);
/* The instruction faults; an error code is 0, or NO_ERROR_CODE. */
void core_fault(struct core *core, const struct instruction *instruction, unsigned vector);
void core_fault_with(struct core *core, const struct instruction *instruction, unsigned vector,
                     int64_t error);

/* vector_state.c */
/* Whether CR4 and XCR0 let instructions in VEX encoding run, or, when `wide`, those of AVX-512. */
bool vector_is_enabled(const struct core *core, bool wide);
void vector_reset(struct core *core);
/* Of CPUID leaf 0DH what depends on what is enabled. */
struct cpuid_result;
void vector_identify(const struct core *core, uint32_t subleaf, struct cpuid_result *result);
void play_xgetbv(struct core *core, const struct instruction *instruction);
void play_xsetbv(struct core *core, const struct instruction *instruction);

/* vector.c */
void play_vector(struct core *core, const struct instruction *instruction);

/* xsave.c: XSAVE, XRSTOR and their kin */
void play_xsave(struct core *core, const struct instruction *instruction);
uint64_t xsave_in_use(struct core *core); /* XINUSE */

/* vector_memory.c: a memory operand by the page tables */
/* The emulator's name of RAX, RCX, RDX ... */
int operand_register(unsigned id);
/* The linear address; false for forms that the decoder cannot tell. */
bool operand_address(struct core *core, const struct instruction *instruction,
                     const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operand,
                     uint64_t *address);
struct access;
enum operand_reach {
    OPERAND_REACHED,
    OPERAND_FAULTED, /* the fault is delivered */
    OPERAND_BEYOND   /* no RAM */
};
struct operand_place {
    bool stack;   /* in the stack's segment: another vector for what is not canonical */
    bool aligned; /* to its size, or #GP */
};
struct operand_pieces {
    uint8_t *place[2]; /* of the host; the second where it crosses a page */
    unsigned first;    /* bytes of the first */
};
enum operand_reach operand_reach(struct core *core, const struct instruction *instruction,
                                 const struct access *access, const struct operand_place *how,
                                 struct operand_pieces *pieces);
/* Of the operand only those bytes, a bit each: what a mask leaves out does not fault, and has no
 * place then. */
enum operand_reach operand_reach_bytes(struct core *core, const struct instruction *instruction,
                                       const struct access *access, const struct operand_place *how,
                                       uint64_t bytes, struct operand_pieces *pieces);
void operand_read_bytes(const struct operand_pieces *pieces, uint8_t *to, uint64_t bytes);
void operand_write_bytes(const struct operand_pieces *pieces, const uint8_t *from, uint64_t bytes);

/* special_level.c */
/* Whether the present level may do that access to a port: else play_port_fault. */
bool core_port_is_open(const struct core *core, const struct instruction *instruction);
void play_port_fault(struct core *core, const struct instruction *instruction);
void play_syscall(struct core *core, const struct instruction *instruction);
void play_sysret(struct core *core, const struct instruction *instruction);

/* special_operands.c */
void play_transfer(struct core *core, const struct instruction *instruction);    /* POPCNT, MOVBE */
void play_to_register(struct core *core, const struct instruction *instruction); /* RDRAND, RDPID */
/* Whether this multiplication of floating-point numbers, not yet executed, needs microcode's help:
 * an operand or the product is too small for its format's normal numbers, and MXCSR says to keep
 * it. */
bool core_assists(struct core *core, const struct instruction *instruction);
void play_flush(struct core *core, const struct instruction *instruction);

#endif
