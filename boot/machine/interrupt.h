/* One core interrupts another's work, by an NMI: kernels run with interrupts off. A seam: the host
 * tests link their own. */
#ifndef BOOT_INTERRUPT_H
#define BOOT_INTERRUPT_H

#include <stdbool.h>

#include "boot/rc.h"

/* What this core does at an NMI, on a stack of 4 KiB; null: nothing. `answer` and all that it calls
 * is INTERRUPT_SAFE. False: the NMI was not for it, and is told after the work. */
void interrupt_answer(bool (*answer)(void *context), void *context);
/* Sends that core an NMI. RC_OK: it was sent; RC_TIMEOUT, RC_ABSENT as in apic.h. */
enum rc interrupt_core(unsigned core);

#endif
