/* The serial lines that ACPI tables name. Pure, as acpi.h. Sources: Microsoft, "Serial Port Console
 * Redirection Table (SPCR)" and "Debug Port Table 2 (DBG2)"; ACPI specification, "Generic Address
 * Structure". */
#ifndef BOOT_SERIAL_ACPI_SERIAL_H
#define BOOT_SERIAL_ACPI_SERIAL_H

#include <stddef.h>
#include <stdint.h>

#include "boot/rc.h"
#include "serial_place.h"

struct acpi_serial {
    struct serial_place place;
    uint32_t baud; /* 0: the table does not say; the firmware has set the rate */
};
/* The console UART of a checked SPCR. RC_ABSENT: the table names none; RC_NO_SPACE: it is no 16550,
 * or not one that can be reached (another address space, an address beyond 47 bits, registers of
 * other widths than 8 to 64 bits); RC_BAD_INPUT: the table is too short. */
enum rc acpi_spcr(const void *table, size_t size, struct acpi_serial *serial);
/* The first such UART among the debug ports of a checked DBG2, whose rate is never stated. Codes as
 * above; RC_BAD_INPUT: also an entry that ends beyond the table. */
enum rc acpi_dbg2(const void *table, size_t size, struct acpi_serial *serial);

#endif
