/* Work on a core that may not come back. On the boot processor. */
#ifndef HARNESS_JUDGE_MEASURED_CORE_RUN_H
#define HARNESS_JUDGE_MEASURED_CORE_RUN_H

#include "measured_core.h"

/* cores_run (boot/machine/cores.h) on that core. False: it trapped, or did not come back in time,
 * and counts as lost, "while SUBJECT WHAT". */
bool measured_core_run(struct measured_core *core, void (*work)(void *), void *argument,
                       uint64_t timeout_us, const char *subject, const char *what);
/* Says what went wrong with the kernel on the core, `at` a register, or "". */
void measured_core_trouble(const struct measured_core *core, const char *kernel, const char *what,
                           const char *at);

#endif
