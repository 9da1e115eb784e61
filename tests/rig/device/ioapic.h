/* One I/O APIC of 24 pins: which processor an interrupt line reaches, and as what. */
#ifndef RIG_IOAPIC_H
#define RIG_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;

#define IOAPIC_BASE     0xfec00000u
#define IOAPIC_PINS     24u
#define IOAPIC_LOW_PINS 0x00ff0200u /* active low: PCI's lines, and the SCI as ACPI wants it */

struct ioapic {
    uint32_t select, id;
    uint64_t entry[IOAPIC_PINS]; /* with the mask bit inverted: zeroed memory is the reset state */
    uint32_t lines;              /* a bit a pin: a device asks */
};

uint64_t ioapic_read(struct core *core, uint64_t offset);
void ioapic_write(struct core *core, uint64_t offset, uint64_t value);
/* A device begins or ceases to ask at core cycle `now`. */
void ioapic_line(struct machine *machine, unsigned pin, bool asks, uint64_t now);
/* A local APIC ended a level-triggered interrupt. */
void ioapic_end(struct machine *machine, unsigned vector, uint64_t now);
/* The pins whose entries are not masked. */
uint32_t ioapic_observed(const struct ioapic *ioapic);
bool ioapic_has_nmi(const struct ioapic *ioapic);

#endif
