/* Time by the time stamp counter. clock_now is a seam. */
#ifndef BOOT_CLOCK_H
#define BOOT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The TSC of this core. */
uint64_t clock_now(void);
/* TSC ticks a microsecond, as found by clock_start (CPUID 15H, else measured against the ACPI PM
 * timer or firmware Stall); never 0 after it. */
uint64_t clock_ticks_per_us(void);
/* Sets both, for clock_start alone. */
void clock_set(uint64_t ticks_per_us, const char *source);
/* How the rate was found: "CPUID 15H", "ACPI PM timer", "firmware Stall". */
const char *clock_source(void);

/* A deadline `microseconds` from now. */
static inline uint64_t clock_deadline(uint64_t microseconds)
{
    return clock_now() + microseconds * clock_ticks_per_us();
}

static inline bool clock_passed(uint64_t deadline)
{
    return (int64_t)(clock_now() - deadline) >= 0;
}

#endif
