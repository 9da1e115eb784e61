/* What the machine layer needs of ACPI. Pure: tables are bytes in memory, every length is
 * checked before it is believed. Sources: ACPI specification, "Root System Description Pointer",
 * "Multiple APIC Description Table", "Fixed ACPI Description Table"; Microsoft, "Serial Port
 * Console Redirection Table". */
#ifndef BOOT_ACPI_H
#define BOOT_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rc.h"

#define ACPI_TABLE_MAX (1u << 20) /* a table that says it is longer is not believed */

/* The address of the XSDT, or of the RSDT when *wide comes back false. RC_BAD_INPUT: no
 * signature or a wrong checksum. */
enum rc acpi_root(const void *rsdp, uint64_t *address, bool *wide);
/* Header and checksum of a table that begins at `table`: RC_OK only for a table with that
 * signature of four letters. */
enum rc acpi_check(const void *table, const char *signature, size_t *size);
/* Entries of a checked XSDT (wide) or RSDT, and the address of one. */
unsigned acpi_entries(size_t size, bool wide);
uint64_t acpi_entry(const void *table, bool wide, unsigned index);

struct acpi_processors {
    uint32_t apic_id[256];
    unsigned count;
    unsigned left_out; /* enabled processors beyond the 256 */
};
/* The enabled processors of a checked MADT (types 0 and 9), in its order, each once. A processor
 * that is merely online capable is not there yet and not listed. RC_BAD_INPUT: an entry is
 * shorter than its type or runs over the end; what came before it is kept. */
enum rc acpi_madt(const void *table, size_t size, struct acpi_processors *processors);

struct acpi_serial {
    uint16_t port;
    uint32_t baud; /* 0: as the firmware left it */
};
/* The console UART of a checked SPCR. RC_ABSENT: it is no 16550 behind I/O ports. */
enum rc acpi_spcr(const void *table, size_t size, struct acpi_serial *serial);

struct acpi_timer {
    uint16_t port;
    bool wide; /* 32 bits, else 24 */
};
/* The power management timer of a checked FADT. RC_ABSENT: there is none, or not behind an I/O
 * port. */
enum rc acpi_fadt(const void *table, size_t size, struct acpi_timer *timer);

#endif
