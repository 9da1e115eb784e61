/* Instructions that the emulator must not run itself, and that the machine plays. */
#ifndef RIG_MACHINE_SPECIAL_SPECIAL_H
#define RIG_MACHINE_SPECIAL_SPECIAL_H

#include <stdbool.h>

struct core;
struct instruction;

/* What the others need of a core; false when the host has no memory left. */
bool special_new(struct core *core);
void special_free(struct core *core);
/* Plays the instruction at core->rip, and moves core->rip on. */
void special_play(struct core *core, const struct instruction *instruction);
/* #CP in place of the instruction, with core->cet.error. */
void special_control_protection(struct core *core, const struct instruction *instruction);
/* Goes on with a WRMSR that had to wait for the other thread of the core. */
void special_late_write(struct core *core);
/* The rig cannot play this instruction: ends the run with its address and bytes. */
void special_unsupported(struct core *core, const struct instruction *instruction);
/* Whether the present level may do that access to a port; the emulator does not ask. */
bool special_port_is_open(const struct core *core, const struct instruction *instruction);
/* Whether the control register takes the value that this instruction moves to it; the emulator does
 * not ask. */
bool special_control_is_taken(struct core *core, const struct instruction *instruction);
/* Whether a memory operand that must be aligned is. */
bool special_is_aligned(struct core *core, const struct instruction *instruction);
/* Gives MXCSR the flags of the exceptions that this instruction of SSE, not yet executed, raises.
 * False when one of them is not masked. */
bool special_floats(struct core *core, const struct instruction *instruction);
/* Whether this multiplication of floating-point numbers, not yet executed, needs microcode's help:
 * an operand or the product is too small for its format's normal numbers, and MXCSR says to keep
 * it. */
bool special_assists(struct core *core, const struct instruction *instruction);
/* Vector registers and XCR0 as a reset leaves them. */
void special_reset(struct core *core);

#endif
