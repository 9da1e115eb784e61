/* Devices in memory beside the local APIC: the high precision event timer and one I/O APIC. Both
 * are there to be found, read and programmed; no line is connected to either, so neither ever asks
 * for an interrupt. */
#ifndef RIG_HPET_H
#define RIG_HPET_H

#include <stdint.h>

struct core;

#define IOAPIC_BASE 0xfec00000u
#define HPET_BASE   0xfed00000u
#define IOAPIC_PINS 24u
#define HPET_TIMERS 3u
#define HPET_ID                                                                                    \
    0x8086a201u /* vendor, 64-bit counter, three timers, revision 1; no legacy replacement */

struct hpet {
    uint64_t configuration, stopped; /* the count it has when it does not run */
    uint64_t begun;                  /* tick of the machine at which it would have been 0 */
    uint64_t timer[HPET_TIMERS], comparator[HPET_TIMERS];
};

struct ioapic {
    uint32_t select, id;
    uint64_t entry[IOAPIC_PINS];
};

/* Accesses of 4 or 8 bytes by `core`, whose clock says when; others read as ones and are lost. */
uint64_t hpet_read(struct core *core, uint64_t offset, unsigned size);
void hpet_write(struct core *core, uint64_t offset, unsigned size, uint64_t value);
uint64_t ioapic_read(struct core *core, uint64_t offset);
void ioapic_write(struct core *core, uint64_t offset, uint64_t value);

#endif
