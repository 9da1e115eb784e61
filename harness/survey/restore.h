/* The cores' registers, restored to the values that they were found with. */
#ifndef HARNESS_SURVEY_RESTORE_H
#define HARNESS_SURVEY_RESTORE_H

#include "harness/run/run.h"

/* Restores the core's registers and logs which do not hold their old value; of a lost core it logs
 * what restore_after_trap did. */
void restore_core(struct measured_core *core);
/* The same of all cores that were not restored yet; after a trap on the boot processor. */
void restore_cores(struct run_cores *cores);
/* Puts back what settings_change set, on all cores, once no core is measured any more; nothing the
 * second time. A register that does not hold its bits any more has its `not ok`, for then the log
 * is wrong about it; one that does not take its old value back its error. */
void restore_switches(struct run_cores *cores, struct run_verdicts *verdicts);
/* The `error` record of a register of the core that held one value and now holds another, or cannot
 * be read. */
void restore_log_difference(const char *what, const struct measured_core *core, const char *name,
                            uint64_t was, uint64_t is, bool readable);
/* On the core itself, after a trap ended its work; for cores_set_aftermath, with the struct run.
 * Its corunner is told, and its registers are put back (those of the boot processor by
 * restore_cores). What settings_change set it leaves to a core that shares the register, and may
 * still be measured.
 */
void restore_after_trap(void *run, unsigned core);

#endif
