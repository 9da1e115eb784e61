/* PCI configuration space, by the pair of ports that every PC has: "PCI Local Bus Specification",
 * "Configuration Mechanism #1". Pure but for pci_read and pci_write, which a test replaces. */
#ifndef BOOT_PCI_H
#define BOOT_PCI_H

#include <stdbool.h>
#include <stdint.h>

/* A function: its bus (bits 8..15), device (3..7) and function (0..2). */
#define PCI_FUNCTION(bus, device, function) ((uint16_t)((bus) << 8 | (device) << 3 | (function)))
#define PCI_BUS(where)                      ((unsigned)(where) >> 8)
#define PCI_DEVICE(where)                   ((unsigned)(where) >> 3 & 31)
#define PCI_NUMBER(where)                   ((unsigned)(where)&7)

#define PCI_ID      0x00 /* vendor, and device << 16 */
#define PCI_COMMAND 0x04 /* and status << 16, whose ones clear it: write zeros there */
#define PCI_CLASS   0x08 /* class << 24, subclass << 16, interface << 8, revision */
#define PCI_NOBODY  UINT32_MAX

#define PCI_DECODE_IO     1u
#define PCI_DECODE_MEMORY 2u

/* The register of 32 bits at `offset`, a multiple of 4 below 256; PCI_NOBODY where no function
 * answers. */
uint32_t pci_read(uint16_t where, unsigned offset);
void pci_write(uint16_t where, unsigned offset, uint32_t value);

/* Class and subclass of the function, class << 8. */
unsigned pci_class(uint16_t where);
/* The layout of its registers from 10H on: 0 a device, 1 a bridge between PCI buses. */
unsigned pci_header(uint16_t where);

/* Calls `found` for each function of bus 0 and of the buses that bridges lead to, until it returns
 * false. Each bus is looked at once. Buses of further roots, such as servers have, are not found.
 */
void pci_walk(bool (*found)(void *context, uint16_t where), void *context);

#endif
