/* Measuring the rate of the time stamp counter. */
#ifndef BOOT_CLOCK_START_H
#define BOOT_CLOCK_START_H

#include "boot/acpi.h"

/* Finds the rate of the TSC and sets the clock to it: from CPUID leaf 15H, else from the ACPI power
 * management timer (null: the machine has none), else from the firmware's Stall. Boot services must
 * be alive. */
void clock_start(const struct acpi_timer *timer);

#endif
