/* Measuring the rate of the time stamp counter. */
#ifndef BOOT_FIRMWARE_CLOCK_START_H
#define BOOT_FIRMWARE_CLOCK_START_H

#include "boot/acpi.h"

/* Finds the rate of the TSC and sets the clock to it: from CPUID leaf 15H, else from the ACPI power
 * management timer (null: the machine has none), else from the firmware's Stall. A rate below 1 MHz
 * is none: an `error` record says so, and no duration is known. Boot services must be alive. */
void clock_start(const struct acpi_timer *timer);
/* On the boot processor, now and then: holds its TSC against the power management timer since the
 * last call. When the TSC was written meanwhile, no duration is known any more (clock_trouble), and
 * the first time an `error` record says so; likewise when the last call was 200 s ago, for then the
 * timer cannot tell. Steps of less than 5 ms, or 1 % of the time between the calls, are not seen;
 * nor is anything without the timer. */
void clock_check(void);

#endif
