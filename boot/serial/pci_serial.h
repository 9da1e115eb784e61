/* The serial lines that are PCI functions. Pure but for pci_read. Source: "PCI Local Bus
 * Specification", "Class Codes" and "Base Addresses". */
#ifndef BOOT_PCI_SERIAL_H
#define BOOT_PCI_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "serial_place.h"

/* Whether the function is a UART that can be used, and where its registers are: class 07 00 with
 * the register file of a 16550 or an ancestor; or Intel's class 07 80 behind I/O ports, as the
 * serial line of its management engine is. The engine's other functions have that class too, with
 * registers in memory: those are never taken. A guess: the clock is that of a PC's UARTs. */
bool pci_serial(uint16_t where, struct serial_place *place);

#endif
