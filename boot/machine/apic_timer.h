/* The local APICs' timers: their rate. */
#ifndef BOOT_MACHINE_APIC_TIMER_H
#define BOOT_MACHINE_APIC_TIMER_H

#include <stdint.h>

/* Ticks of a timer without a divider in a millisecond, the same on all cores. The first caller
 * measures it, with its own timer and TSC, which nobody else may use then; that takes 100 us. */
uint64_t apic_timer_rate(void);

#endif
