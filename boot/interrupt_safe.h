/* Marks functions that an NMI may run while a kernel is measured. */
#ifndef BOOT_INTERRUPT_SAFE_H
#define BOOT_INTERRUPT_SAFE_H

/* The function uses no vector register: they hold the interrupted kernel's values, and nothing
 * saves them. It may call only functions that carry the same mark. */
#define INTERRUPT_SAFE __attribute__((target("general-regs-only")))

#endif
