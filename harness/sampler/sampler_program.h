/* The handler's program, from the plan; and its part in a window. */
#ifndef HARNESS_SAMPLER_SAMPLER_PROGRAM_H
#define HARNESS_SAMPLER_SAMPLER_PROGRAM_H

#include "sampler_state.h"

/* So many events come in no trial, and in no window that measures an interrupt, though an SMI may
 * take its time there. */
#define PROGRAM_FAR 1000000000u

/* The program from the plan, and the presets; before pmi_open. */
void program_make(struct sampler *sampler);
/* Clears the branch records, then reads and writes every register of the program, with the values
 * that the handler writes, so that nothing faults in the handler; the counter alone gets another
 * preset, so that an overflow which is noted afterwards was there before. All counters are stopped
 * then. False with *msr: it faults.
 */
bool program_try(struct sampler *sampler, uint32_t *msr);
/* Whether the sampled counter's overflow is noted, in *overflowed; false: its register cannot be
 * read. */
bool program_overflowed(const struct sampler *sampler, bool *overflowed);
/* Interrupts that a window may take; the next one is cut off. */
uint64_t program_interrupts(const struct sampler *sampler);
/* No records, nothing used up; closed. */
void program_begin_window(struct sampler *sampler);
/* Makes all presets anew, from sampler->periods. */
void program_renew(struct sampler *sampler);
/* The same, but every preset is PROGRAM_FAR from an overflow; sampler->periods stays as it is. */
void program_renew_far(struct sampler *sampler);
/* After a window: nothing counts any more, whatever the handler did last, and an interrupt that was
 * on its way has come. False: a register faults. */
bool program_close(struct sampler *sampler);
/* Closes the bracket around a window of known code: whether a guard found it disturbed. Its
 * frequency is not looked at: the window is too short for that. */
bool program_disturbed(struct sampler *sampler, struct guard_bracket *bracket);
/* How many records the window has left. */
uint64_t program_records(const struct sampler *sampler);
/* Makes anew the presets that the window used up. */
void program_end_window(struct sampler *sampler);
/* Adds to the core's windows what the last window, whose code lies here, and its handlers made;
 * null: no interrupt can have come behind the window's end. After program_close. */
void program_count_windows(struct sampler *sampler, const void *code, uint64_t bytes);

#endif
