/* PCI configuration space: by the pair of ports that PCs have, and in memory, where ACPI's MCFG
 * says. "PCI Local Bus Specification", "Configuration Mechanism #1"; "PCI Express Base
 * Specification", "Enhanced Configuration Access Mechanism". Pure except for pci_read, pci_write,
 * which a test replaces. */
#ifndef BOOT_PCI_PCI_H
#define BOOT_PCI_PCI_H

#include <stdbool.h>
#include <stdint.h>

/* A function: its segment (bits 16..31), bus (8..15), device (3..7) and function (0..2). */
#define PCI_FUNCTION(bus, device, function) ((uint32_t)((bus) << 8 | (device) << 3 | (function)))
#define PCI_IN_SEGMENT(segment)             ((uint32_t)(segment) << 16)
#define PCI_SEGMENT(where)                  ((unsigned)(where) >> 16)
#define PCI_BUS(where)                      ((unsigned)(where) >> 8 & 255)
#define PCI_DEVICE(where)                   ((unsigned)(where) >> 3 & 31)
#define PCI_NUMBER(where)                   ((unsigned)(where)&7)

#define PCI_ID      0x00 /* vendor, and device << 16 */
#define PCI_COMMAND 0x04 /* and status << 16, whose ones clear it: write zeros there */
#define PCI_CLASS   0x08 /* class << 24, subclass << 16, interface << 8, revision */
#define PCI_BAR_0   0x10 /* of a device: the first of PCI_BARS base addresses */
#define PCI_BARS    6
#define PCI_NOBODY  UINT32_MAX

#define PCI_DECODE_IO     1u
#define PCI_DECODE_MEMORY 2u

#define PCI_CAPABILITY_POWER 1u

/* Configuration space in memory: 4 KiB for each function of buses `first` to `last` of a segment.
 */
struct pci_window {
    uint64_t base; /* of bus 0, also where `first` is another */
    uint16_t segment;
    uint8_t first, last;
};

/* The windows, which stay the caller's and must live on. At first there are none. */
void pci_set_windows(const struct pci_window *windows, unsigned count);
/* Where the function's configuration space is in memory; 0: in no window. */
uint64_t pci_address(uint32_t where);

/* The register of 32 bits at `offset`, a multiple of 4 below 256; PCI_NOBODY where no function
 * answers. Segment 0 is reached by ports where they answer, everything else in its window. */
uint32_t pci_read(uint32_t where, unsigned offset);
void pci_write(uint32_t where, unsigned offset, uint32_t value);

/* Class and subclass of the function, class << 8. */
unsigned pci_class(uint32_t where);
/* The layout of its registers from 10H on: 0 a device, 1 a bridge between PCI buses. */
unsigned pci_header(uint32_t where);
/* The offset of a device's capability of that kind, a multiple of 4; 0: it has none. */
unsigned pci_capability(uint32_t where, unsigned kind);

/* Calls `found` for each function until it returns false: those of bus 0 and of the buses that
 * bridges lead to; then of every further bus that a window has, which may be another root or lie
 * behind a bridge of one, segment by segment. Each bus is looked at once. Without windows further
 * roots, such as servers have, are not found. */
void pci_walk(bool (*found)(void *context, uint32_t where), void *context);

#endif
