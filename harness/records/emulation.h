/* Whether the image runs on silicon. Pure. */
#ifndef HARNESS_RECORDS_EMULATION_H
#define HARNESS_RECORDS_EMULATION_H

#include "boot/machine/machine.h"
#include "pmu/facts.h"

/* Whether the machine is the project's virtual rig, by its hypervisor's or its firmware's name. */
bool is_virtual_rig(const struct machine_facts *machine, const struct facts *boot_core);
/* Whether it is the virtual rig, and passes the time in which nothing counts by an estimate: by the
 * revision of its firmware. Two times cannot be held against each other then of which one is of
 * such a time. */
bool time_is_estimated(const struct machine_facts *machine, const struct facts *boot_core);
/* Whether time passes as an emulator makes it pass: on the virtual rig, and wherever CPUID says
 * that there is a hypervisor, which may be one (1:ECX[31]; hypervisors set it, SDM 2A leaves it).
 */
bool is_emulated(const struct machine_facts *machine, const struct facts *boot_core);

#endif
