/* The local APIC, in the mode that the firmware has chosen. Sources: SDM 3A, "Advanced Programmable
 * Interrupt Controller (APIC)". */
#ifndef BOOT_MACHINE_APIC_H
#define BOOT_MACHINE_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"

/* Offsets in the xAPIC page. The x2APIC has the same registers as MSRs: 800H + offset / 16. */
#define APIC_ID              0x020 /* in xAPIC mode the id is bits 31:24 */
#define APIC_VERSION         0x030 /* bits 23:16: Max LVT Entry */
#define APIC_PRIORITY        0x080 /* Task Priority Register */
#define APIC_EOI             0x0b0
#define APIC_REQUESTS        0x200 /* Interrupt Request Register, eight of 32 vectors */
#define APIC_SPURIOUS        0x0f0 /* Spurious-Interrupt Vector Register */
#define APIC_SPURIOUS_ENABLE 0x100u
#define APIC_ICR_LOW         0x300
#define APIC_ICR_HIGH        0x310
#define APIC_TIMER           0x320 /* LVT Timer Register */
#define APIC_PERFORMANCE     0x340 /* LVT Performance Counter Register */
#define APIC_TIMER_INITIAL   0x380
#define APIC_TIMER_CURRENT   0x390
#define APIC_TIMER_DIVIDE    0x3e0

#define LVT_MASKED    (1u << 16) /* of a register of the LVT: no interrupt */
#define DIVIDE_BY_1   0xbu       /* of the Divide Configuration Register */
#define DIVIDE_BY_128 0xau

/* Finds the mode of the boot processor, which calls it. RC_ABSENT: there is no local APIC, or it is
 * switched off. */
enum rc apic_start(void);
bool apic_is_x2(void);
/* Whether there is a local APIC that is switched on. */
bool apic_is_here(void);
/* The id that interrupt messages to this processor carry: its local APIC's, which may differ from
 * CPUID's on older machines, or CPUID's when there is no local APIC. After apic_start. */
uint32_t apic_own_id(void);
/* Brings the calling processor's APIC into the boot processor's mode and enables it. */
void apic_enable_here(void);
/* Tells the local APIC that its interrupt has been handled. */
void apic_end_of_interrupt(void);
/* Whether this processor's entry for performance-monitoring interrupts is masked. After apic_start;
 * false when there is no local APIC. */
bool apic_masks_pmi(void);
/* Sets the LVT Performance Counter Register, which says how this processor's PMIs are delivered.
 * Returns its old value. Without a local APIC nothing is delivered: LVT_MASKED. */
uint32_t apic_set_performance(uint32_t entry);
/* A register of this processor's APIC, by its offset in the xAPIC page. After apic_start. */
uint32_t apic_read(unsigned offset);
void apic_write(unsigned offset, uint32_t value);

/* Where that register is: its address in memory, in x2APIC mode that of the MSR. */
uint64_t apic_address(unsigned offset);

/* Send a message to the processor with that APIC id: INIT, NMI, a SIPI that starts it at `page` (of
 * 4 KiB), an interrupt. RC_TIMEOUT: the local APIC did not send it within 100 ms; RC_ABSENT: there
 * is no local APIC, or its mode cannot reach that id. */
enum rc apic_send_init(uint32_t id);
enum rc apic_send_nmi(uint32_t id);
enum rc apic_send_startup(uint32_t id, uint8_t page);
enum rc apic_send_fixed(uint32_t id, uint8_t vector);

#endif
