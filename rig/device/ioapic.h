/* One I/O APIC of 24 pins: which processor an interrupt line reaches, and with which vector. */
#ifndef RIG_DEVICE_IOAPIC_H
#define RIG_DEVICE_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

#define IOAPIC_BASE     0xfec00000u
#define IOAPIC_PINS     24u
#define IOAPIC_LOW_PINS 0x00ff0200u /* active low: PCI's lines, and the SCI as ACPI wants it */

struct ioapic {
    struct machine *machine;
    uint32_t select, id;
    uint64_t entry[IOAPIC_PINS]; /* with the mask bit inverted: zeroed memory is the reset state */
    uint32_t lines;              /* a bit a pin: a device asserts it */
};

/* `offset` is from IOAPIC_BASE; writes come at core cycle `now`. */
uint64_t ioapic_read(const struct ioapic *ioapic, uint64_t offset);
void ioapic_write(struct ioapic *ioapic, uint64_t offset, uint64_t value, uint64_t now);
/* A device asserts or releases the line of a pin at core cycle `now`. */
void ioapic_line(struct ioapic *ioapic, unsigned pin, bool asserted, uint64_t now);
/* A local APIC ended a level-triggered interrupt. */
void ioapic_end(struct ioapic *ioapic, unsigned vector, uint64_t now);
/* The pins whose entries are not masked, a bit each. */
uint32_t ioapic_observed(const struct ioapic *ioapic);
/* Whether a pin that is not masked delivers an NMI. */
bool ioapic_has_nmi(const struct ioapic *ioapic);

#endif
