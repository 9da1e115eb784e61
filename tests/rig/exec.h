/* Between the parts that run code: exec.c, exec_memory.c, special.c. */
#ifndef RIG_EXEC_H
#define RIG_EXEC_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct instruction;

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
