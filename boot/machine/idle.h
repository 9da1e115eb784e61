/* The boot processor waits halted while another core is measured: a loop would take pipeline slots
 * from an SMT sibling, and power and bandwidth from all cores. */
#ifndef BOOT_MACHINE_IDLE_H
#define BOOT_MACHINE_IDLE_H

#include <stdbool.h>

/* From here to idle_end only VECTOR_WAKE and VECTOR_TIMER interrupt this processor; the firmware's
 * interrupts stay pending. Call all three with this program's context and interrupts off. */
void idle_begin(void);
/* After idle_begin: whether the local APIC's timer may be used until idle_end. */
bool idle_has_timer(void);
/* Halts until another core wakes this one, for at most about 50 ms; may also return early. It
 * returns at once when the firmware uses the local APIC's timer in a way that leaves none to end a
 * halt. */
void idle_halt(void);
/* Whether some wait could not halt, and was a loop. */
bool idle_spun(void);
/* Takes the interrupts that are still on their way, so that none of them reaches the firmware, and
 * puts the firmware's settings back. */
void idle_end(void);

#endif
