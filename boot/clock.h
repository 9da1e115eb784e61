/* Time, from the time stamp counter (TSC). A seam: the host tests link their own clock_now,
 * clock_ticks_per_us and clock_source. */
#ifndef BOOT_CLOCK_H
#define BOOT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The TSC of this core. */
uint64_t clock_now(void);
/* TSC ticks a microsecond, never 0; a guess of 1000 until clock_start has found the rate. */
uint64_t clock_ticks_per_us(void);
/* How the rate was found: "CPUID 15H", "ACPI PM timer", "firmware Stall", or "unknown" before
 * clock_start. */
const char *clock_source(void);
/* Sets what the two functions above return; clock_start does. */
void clock_set(uint64_t ticks_per_us, const char *source);

/* The value of clock_now() at `microseconds` from now. */
static inline uint64_t clock_deadline(uint64_t microseconds)
{
    return clock_now() + microseconds * clock_ticks_per_us();
}

/* Whether clock_now() has reached the deadline. */
static inline bool clock_passed(uint64_t deadline)
{
    return (int64_t)(clock_now() - deadline) >= 0;
}

#endif
