#ifndef BOOT_CLOCK_START_H
#define BOOT_CLOCK_START_H

#include "boot/acpi.h"

/* Finds the rate of the TSC, with boot services alive. timer: null when the machine has none. */
void clock_start(const struct acpi_timer *timer);

#endif
