/* Faults on demand at work: MSR accesses that fault, SMIs, thermal throttling (see fault.h). */
#ifndef RIG_MACHINE_ENGINE_INJECT_INJECT_H
#define RIG_MACHINE_ENGINE_INJECT_INJECT_H

#include <stdbool.h>
#include <stdint.h>

struct core;

/* What becomes of an access to a register. */
enum injected { INJECT_NOTHING, INJECT_GP, INJECT_LOST /* a write that changes nothing */ };
/* An RDMSR or WRMSR is about to be played. `flips` has the bits of its value that are inverted;
 * `written` is what a WRMSR is given. */
enum injected inject_msr(struct core *core, uint32_t msr, bool write, uint64_t written,
                         uint64_t *flips);
/* The same of RDPMC: the bits that are inverted. */
uint64_t inject_rdpmc(struct core *core, uint32_t index);
/* CR3 has changed in 64-bit mode. */
void inject_cr3(struct core *core);
/* What faults add to the value of a register that was read, and what a write to a register resets.
 */
void inject_after_read(struct core *core, uint32_t msr, uint64_t *value);
void inject_after_write(struct core *core, uint32_t msr, uint64_t value);
/* The core is about to execute an instruction of 512 bits. */
void inject_wide(struct core *core);
/* A halted core goes on: the clock is to rise from its lowest frequency. */
void inject_wake(struct core *core);
/* A counting window of the core has begun, or has ended. */
void inject_window(struct core *core, bool begins);
/* A PMI was raised: true when it never comes. */
bool inject_pmi(struct core *core);
/* Whether something is to arrive behind the instruction that is complete: then the turn ends. */
bool inject_arrives(const struct core *core);
/* The core was made: its time stamp counter may be off from the begin on. */
void inject_skew(struct core *core);
/* Whether what was sent to the stuck core ends that. */
bool inject_frees(const struct core *core);
/* Plays changes of the clock, SMIs and throttling at the beginning of a running core's turn, after
 * which the core may be stuck; and
 * the cycle at which the next turn should begin for them, NEVER when none should. */
void inject_turn(struct core *core);
uint64_t inject_due(const struct core *core);

#endif
