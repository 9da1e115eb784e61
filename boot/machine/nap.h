/* A processor that halts for a time in the middle of its work, and wakes itself by its local APIC's
 * timer. A seam: the host tests link their own. */
#ifndef BOOT_MACHINE_NAP_H
#define BOOT_MACHINE_NAP_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the timer of the calling processor, `core` of boot/machine/cores.h, in this program's
 * context with interrupts off, until nap_end. False: the firmware uses the boot processor's timer
 * in a way that cannot be put back; nap_end is to be called all the same. */
bool nap_begin(unsigned core);
/* Halts for about so many ticks of the time stamp counter. An interrupt may end it earlier. */
void nap_take(uint64_t ticks);
void nap_end(unsigned core);

#endif
