/* Records of the machine, of a core and of its guards, one function each. Records of results are in
 * records_*.h: each names its core and kernel, and carries "trusted":false when the core is
 * untrusted. */
#ifndef HARNESS_RECORDS_RECORDS_H
#define HARNESS_RECORDS_RECORDS_H

#include "boot/machine/machine.h"
#include "harness/configure/config.h"
#include "harness/judge/measured_core.h"

void record_machine(const struct machine_facts *machine, const struct facts *boot_core,
                    const struct config *config);
void record_core(const struct measured_core *core);
/* The guards of a core, once: which it has, and why it lacks the others. */
void record_guards(const struct measured_core *core);
/* How many windows of the measurement were kept, and how many each guard discarded. */
void record_guard(const struct measured_core *core, const struct measurement *measurement);

#endif
