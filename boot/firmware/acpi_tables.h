/* The ACPI tables of this machine that boot/ uses. */
#ifndef BOOT_FIRMWARE_ACPI_TABLES_H
#define BOOT_FIRMWARE_ACPI_TABLES_H

#include "boot/acpi.h"
#include "boot/serial/acpi_serial.h"

/* Each result is valid when its code is RC_OK; RC_ABSENT: there is no such table. RC_NO_SPACE: it
 * names a serial line of another kind (acpi_serial.h). */
struct acpi_tables {
    struct acpi_processors processors;
    struct acpi_serial console, debug; /* of SPCR and DBG2 */
    struct acpi_timer timer;
    bool spmi;              /* there is a table of a management controller (SPMI) */
    const void *mcfg_table; /* checked, of mcfg_size bytes, when `mcfg` is RC_OK: acpi_mcfg.h */
    size_t mcfg_size;
    const char *watchdog; /* the table that describes a watchdog, WDAT or WDRT; null: none */
    enum rc madt, spcr, dbg2, fadt, mcfg;
    enum rc srat, slit; /* srat: the nodes in `processors`, and nodes.h */
};

/* Finds and reads the tables, with boot services alive. Logs an `error` record for each damaged
 * table but the MCFG, whose windows are not read here, and for a missing MADT. */
void acpi_tables_read(struct acpi_tables *tables);

#endif
