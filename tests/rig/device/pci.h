/* PCI configuration space of a machine whose serial line is a PCI function: a host bridge, a
 * management engine (class 07 80, which is no UART), and a bridge with the UART behind it. Without
 * such a line no function answers. "PCI Local Bus Specification", "Configuration Space". */
#ifndef RIG_PCI_H
#define RIG_PCI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "serial_place.h"

struct machine;

#define PORT_PCI_ADDRESS 0xcf8u
#define PORT_PCI_DATA    0xcfcu
#define ENGINE_BASE      0xfe040000u /* registers of the management engine */

struct pci {
    struct machine *machine;
    enum serial_place place;
    uint32_t address; /* PORT_PCI_ADDRESS */
    uint16_t command; /* of the UART */
};

void pci_reset(struct pci *pci, struct machine *machine, enum serial_place place);
/* Whether the UART answers at its ports or in memory: the function decodes them. */
bool pci_decodes(const struct pci *pci);
/* A line when the UART's command register does not hold what the firmware left. */
void pci_report(const struct pci *pci, FILE *out);
/* Accesses of 1, 2 or 4 bytes; `offset` is from the first bus on, 1 MiB a bus. */
uint32_t pci_read(const struct pci *pci, uint32_t offset, unsigned size);
void pci_write(struct pci *pci, uint32_t offset, unsigned size, uint32_t value);
/* The same through PORT_PCI_ADDRESS and PORT_PCI_DATA and the three ports behind each. */
bool pci_has_port(uint16_t port);
uint32_t pci_port_read(const struct pci *pci, uint16_t port, unsigned size);
void pci_port_write(struct pci *pci, uint16_t port, unsigned size, uint32_t value);
/* Somebody took the management engine for a UART: ends the run. */
void pci_engine_touched(const struct pci *pci, uint64_t offset);

#endif
