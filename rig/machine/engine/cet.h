/* Control-flow enforcement (CET) of ring 0: shadow stacks and indirect branch tracking. SDM 1,
 * "Control-flow Enforcement Technology (CET)"; SDM 3A, "Interrupt 21 - Control Protection Exception
 * (#CP)"; SDM 4.
 *
 * Left out: rings above 0, tokens (SETSSBSY, RSTORSSP and their like stop the rig), interrupts and
 * exceptions that change the stack by the TSS (they stop it, too), legacy and suppressed tracking,
 * and the loads and stores of shadow stacks in the model. */
#ifndef RIG_MACHINE_ENGINE_CET_H
#define RIG_MACHINE_ENGINE_CET_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/pmu.h"

struct core;
struct instruction;

/* Error codes of #CP; 0: the instruction may begin. */
enum cet_error { CET_PASSED, CET_NEAR_RETURN, CET_FAR_RETURN, CET_ENDBRANCH };

/* Before each instruction while core->cet.watched: what it pushes on the shadow stack is pushed,
 * what it takes from there is compared and taken. */
enum cet_error cet_check(struct core *core, const struct instruction *instruction);
/* CR4, IA32_S_CET or the privilege level may have changed. */
void cet_look(struct core *core);
/* An interrupt or exception is delivered that saved these. */
void cet_delivered(struct core *core, uint64_t cs, uint64_t rip, bool other_stack);
/* A function of the host, called like the guest's, returns to `rip`. */
void cet_return(struct core *core, uint64_t rip);
/* The firmware goes to an image: both parts on, the shadow stack at `ssp`, an indirect call. */
void cet_hand_over(struct core *core, uint64_t ssp);
/* Whether shadow stacks are on, and their pointer. */
bool cet_stacks(const struct core *core);
/* Writes a word of the shadow stack; stops the rig where there is none. */
bool cet_write(struct core *core, uint64_t address, uint64_t value);

/* ACCESS_NOT_MINE: another register, or this processor has no CET. */
enum access_result cet_rdmsr(const struct core *core, uint32_t msr, uint64_t *value);
enum access_result cet_wrmsr(struct core *core, uint32_t msr, uint64_t value);

#endif
