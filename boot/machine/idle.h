/* The boot processor waits halted while another core is measured: a loop would take slots from an
 * SMT sibling, and power and bandwidth from everybody. */
#ifndef BOOT_IDLE_H
#define BOOT_IDLE_H

/* From here to idle_end no interrupt but VECTOR_WAKE and VECTOR_TIMER reaches this processor: the
 * firmware's stay pending. Our context, interrupts off, around all of it. */
void idle_begin(void);
/* Halts until another core wakes this one, at most some 50 ms. It may come back for no reason; at
 * once when the firmware's use of the local APIC leaves no timer to end a halt. */
void idle_halt(void);
/* Takes what is still on its way, so that the firmware never sees an interrupt of ours. */
void idle_end(void);

#endif
