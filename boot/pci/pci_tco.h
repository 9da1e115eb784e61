/* The TCO timer of Intel's chipsets, a watchdog that can reset the machine. It is looked at, and
 * never written. Pure except for pci_read. Intel, "I/O Controller Hub 9 Family Datasheet" and "100
 * Series and C230 Series Chipset Family Platform Controller Hub Datasheet, Volume 2", "TCO
 * Registers". */
#ifndef BOOT_PCI_PCI_TCO_H
#define BOOT_PCI_PCI_TCO_H

#include <stdbool.h>
#include <stdint.h>

/* From the first port of the TCO registers: TCO1_CNT, 16 bits, and its bit TCO_TMR_HLT. */
#define TCO1_CNT    8u
#define TCO_TMR_HLT (1u << 11)

/* The device on bus 0 of segment 0 whose functions may lead to the timer. */
#define PCI_TCO_DEVICE 31u

/* Whether the function leads to the timer, and the first port of its registers: the LPC bridge up
 * to the 9 series (ACPI base address, 60H above it), the SMBus controller from the 100 series on.
 * False also where the firmware has switched these ports off. */
bool pci_tco(uint32_t where, uint16_t *port);

#endif
