/* PCI configuration space of a machine whose serial line is a PCI function: a host bridge, an
 * LPSS's bus for sensors and a management engine (of classes that UARTs have, too, and no UARTs),
 * and the line: a bridge with a UART behind it, or the UART of an LPSS. Without such a line no
 * function answers. "PCI Local Bus Specification", "Configuration Space"; "PCI Bus Power Management
 * Interface Specification". */
#ifndef RIG_DEVICE_PCI_H
#define RIG_DEVICE_PCI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "serial_place.h"

struct lpss;
struct machine;
struct uart;

#define PORT_PCI_ADDRESS 0xcf8u
#define PORT_PCI_DATA    0xcfcu
#define ENGINE_BASE      0xfe040000u /* registers of the management engine, and of the sensors' bus */

/* Of the line's function. */
struct pci_registers {
    uint16_t command;
    unsigned power; /* D0 or D3hot: 0 or 3 */
    uint64_t bar;
};

struct pci {
    struct machine *machine;
    struct serial_line line;
    struct lpss *lpss; /* what loses its registers when the line's function falls asleep */
    struct uart *uart;
    uint32_t address;                /* PORT_PCI_ADDRESS */
    struct pci_registers set, found; /* now, and as the firmware left them */
};

void pci_reset(struct pci *pci, struct machine *machine, const struct serial_line *line,
               struct lpss *lpss, struct uart *uart);
/* Whether the UART answers at its ports or in memory: the function is awake, and decodes them. */
bool pci_decodes(const struct pci *pci);
/* A line for each register of the line's function that does not hold what the firmware left. */
void pci_report(const struct pci *pci, FILE *out);
/* Accesses of 1, 2 or 4 bytes; `offset` is from the first bus on, 1 MiB a bus and 256 MiB a
 * segment. */
uint32_t pci_read(const struct pci *pci, uint32_t offset, unsigned size);
void pci_write(struct pci *pci, uint32_t offset, unsigned size, uint32_t value);
/* The same in segment 0, through PORT_PCI_ADDRESS and PORT_PCI_DATA and the three ports behind
 * each. */
bool pci_has_port(uint16_t port);
uint32_t pci_port_read(const struct pci *pci, uint16_t port, unsigned size);
void pci_port_write(struct pci *pci, uint16_t port, unsigned size, uint32_t value);
/* Somebody took a function for a UART that is none: ends the run. */
void pci_engine_touched(const struct pci *pci, uint64_t offset);

#endif
