/* The handler's program, from the plan; and its part in a window. */
#ifndef HARNESS_SAMPLER_PROGRAM_H
#define HARNESS_SAMPLER_PROGRAM_H

#include "sampler.h"

/* The program from the plan, and the presets; before pmi_open. */
void program_make(struct sampler *sampler);
/* Clears the branch records, then reads and writes every register of the program, with the values
 * that the handler writes, so that nothing faults in the handler. All counters are stopped
 * afterwards. False with *msr: it faults.
 */
bool program_try(struct sampler *sampler, uint32_t *msr);
/* No records, nothing used up; closed. */
void program_begin_window(struct sampler *sampler);
/* Makes all presets anew, from sampler->periods. */
void program_renew(struct sampler *sampler);
/* After a window: nothing counts any more, whatever the handler did last, and an interrupt that was
 * on its way has come. False: a register faults. */
bool program_close(struct sampler *sampler);
/* How many records the window has left. */
uint64_t program_records(const struct sampler *sampler);
/* Makes anew the presets that the window used up. */
void program_end_window(struct sampler *sampler);
/* Adds to the core's windows: with version 1 the handler stops and starts all counting. */
void program_count_windows(struct sampler *sampler);

#endif
