/* What may reset this machine behind the program's back. */
#ifndef BOOT_FIRMWARE_WATCHDOGS_H
#define BOOT_FIRMWARE_WATCHDOGS_H

#include "acpi_tables.h"

/* Logs a comment for each watchdog that can be seen: the TCO timer of Intel's chipsets, and whether
 * it runs; what ACPI's WDAT or WDRT describes; the board's management controller (BMC), which
 * ACPI's SPMI or SMBIOS names, and which may have one. Reads only, with boot services alive. */
void watchdogs_log(const struct acpi_tables *tables);

#endif
