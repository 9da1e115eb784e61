/* The ACPI table that names a serial line. */
#ifndef RIG_FIRMWARE_ACPI_ACPI_SERIAL_H
#define RIG_FIRMWARE_ACPI_ACPI_SERIAL_H

#include <stdint.h>

#include "device/serial_place.h"

struct firmware;

/* What builds the table, and gives its address or 0; NULL: no table names the line. */
uint64_t (*acpi_serial_builder(const struct serial_line *line))(struct firmware *firmware);

#endif
