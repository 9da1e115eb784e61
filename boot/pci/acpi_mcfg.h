/* Where PCI configuration space is in memory. Pure, as acpi.h. Source: "PCI Firmware
 * Specification", "MCFG Table Description". */
#ifndef BOOT_PCI_ACPI_MCFG_H
#define BOOT_PCI_ACPI_MCFG_H

#include <stddef.h>

#include "pci.h"
#include "boot/rc.h"

/* Window number `index` of a checked MCFG, in the table's order. RC_ABSENT: there are no more;
 * RC_BAD_INPUT: the entry is not whole, or no window can be like that: it ends before it begins, is
 * at address 0, does not begin at a multiple of 1 MiB, or ends beyond the last address. */
enum rc acpi_mcfg(const void *table, size_t size, unsigned index, struct pci_window *window);

#endif
