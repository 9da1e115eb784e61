/* --profile: where the cycles and instructions of every counting window went, and every PMI. One
 * JSON object a line.
 *
 * A window's line, when it has ended:
 *
 *   core, window  which, as in the truth file
 *   cycles        core cycles of the window: as many as a counter of unhalted cycles counts
 *   handlers, handler_cycles
 *                 PMIs whose interrupt was taken and has returned in this window, and the cycles
 *                 from the retirement of the interrupted instruction to that of IRET
 *   elsewhere     cycles that belong to no address: behind the last retirement of the window; on a
 *                 core whose threads both run, all of them
 *   at            an array, by address, of
 *     address
 *     executions  retirements in the window; a repeated string instruction retires once
 *     cycles      in which a PMI that is there would save this address: the share of the window's
 *                 cycles is what sampling at random cycles expects
 *     oldest      in which this instruction is the oldest that has not retired
 *
 *     tip         to whom the cycles belong, as TIP has it (tip.h)
 *
 * Both `cycles` and `oldest` add up to the window's cycles without `elsewhere`. The cycles behind
 * the retirement of one instruction, up to the cycle in which the next retires, are those in which
 * the latter is the oldest; of instructions that retire in one cycle the first has that cycle, and
 * the others none. An interrupt waits for the oldest and saves the address behind it (pmi.h), so
 * the same cycles count as `cycles` for the address that is executed next. Of a macro-fused pair
 * the second has what the pair has.
 *
 * A PMI's line, when its handler has returned, or at the next PMI:
 *
 *   core, window  in which the counter overflowed; all cycles are counted from the first of that
 *                 window, halted cycles left out
 *   counters      the overflows, bits as in IA32_PERF_GLOBAL_STATUS; 0: a buffer in memory, or not
 *                 known
 *   overflow      the cycle in which the counter overflowed
 *   accepted      the first cycle in which the interrupt is there
 *   taken         the cycle in which the instruction retired that it waited for or threw away
 *   rip           the saved address
 *   returned      the cycle in which the handler's IRET retired
 *   resumed       the cycle in which the instruction behind it retired
 *
 * What did not happen is absent: the last four when the interrupt was not taken, as when its LVT
 * entry is masked. */
#ifndef RIG_MACHINE_ENGINE_FOLLOW_PROFILE_H
#define RIG_MACHINE_ENGINE_FOLLOW_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct core;
struct executed;
struct profile;

/* NULL when the host has no memory left. */
struct profile *profile_new(FILE *out, unsigned processors);
/* Writes what PMIs are left. */
void profile_free(struct profile *profile);

/* All take NULL for `profile`, which does nothing. */

/* A counting window of the core begins, or has ended. */
void profile_window(struct profile *profile, const struct core *core, bool begins);
/* The model was given the instruction. */
void profile_execute(struct profile *profile, const struct core *core,
                     const struct executed *executed);
/* A PMI is there, in host.pmi. */
void profile_raised(struct profile *profile, const struct core *core);
/* The interrupt with this vector is taken now, and saves `rip`. */
void profile_taken(struct profile *profile, const struct core *core, unsigned vector, uint64_t rip);
/* The core is halted for so many cycles. */
void profile_idle(struct profile *profile, const struct core *core, uint64_t cycles);

#endif
