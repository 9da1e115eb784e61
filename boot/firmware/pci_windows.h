/* The windows of PCI configuration space in memory that this machine has. */
#ifndef BOOT_FIRMWARE_PCI_WINDOWS_H
#define BOOT_FIRMWARE_PCI_WINDOWS_H

#include "acpi_tables.h"

/* Lets pci.h use the windows of the MCFG that can be reached, with boot services alive and the
 * memory map read before. Logs an `error` record for each that is ignored, with its reason. */
void pci_windows_start(const struct acpi_tables *tables);

#endif
