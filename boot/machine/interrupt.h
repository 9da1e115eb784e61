/* Interrupting another core's work, by an NMI since kernels run with interrupts off. A seam: the
 * host tests link their own. */
#ifndef BOOT_MACHINE_INTERRUPT_H
#define BOOT_MACHINE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"

/* Sets what this core runs at an NMI, on a stack of 4 KiB; null: nothing. `answer` and all
 * functions that it calls are INTERRUPT_SAFE. `answer` returns false for an NMI that it did not
 * expect; such an NMI is counted, and logged after the work. */
void interrupt_answer(bool (*answer)(void *context), void *context);
/* How many NMIs came to this core that nobody asked for. */
uint64_t interrupt_strays(void);
/* Sends an NMI to that core. Returns the codes of apic_send_nmi. */
enum rc interrupt_core(unsigned core);

#endif
