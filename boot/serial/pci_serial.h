/* The serial lines that are PCI functions. Pure except for pci_read. Source: "PCI Local Bus
 * Specification", "Class Codes" and "Base Addresses". */
#ifndef BOOT_SERIAL_PCI_SERIAL_H
#define BOOT_SERIAL_PCI_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "serial_place.h"

enum pci_serial {
    PCI_SERIAL_NONE,    /* the function is no UART */
    PCI_SERIAL_UART,    /* it is one */
    PCI_SERIAL_NOWHERE, /* it is one, but has no address */
};

struct pci_uart {
    struct serial_place place;
    uint32_t lpss_hz; /* of the UART of an LPSS: the input clock of its divider; else 0 */
};

/* Whether the function is a UART, and where its registers are: class 07 00 with the register file
 * of a 16550 or an ancestor; the UART of Intel's LPSS, known by its identifier (class 11 80 or
 * 07 80); or Intel's class 07 80 behind I/O ports, as the serial line of its management engine is.
 * The engine's other functions have that class too, with registers in memory: those are never
 * taken. A guess: the clock is that of a PC's UARTs, which an LPSS gets from lpss.h. */
enum pci_serial pci_serial(uint32_t where, struct pci_uart *uart);

#endif
