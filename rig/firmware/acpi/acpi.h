/* The ACPI tables. */
#ifndef RIG_FIRMWARE_ACPI_ACPI_H
#define RIG_FIRMWARE_ACPI_ACPI_H

#include <stdint.h>

struct firmware;

/* Gives the address of the RSDP, 0 when there is no room for the tables. */
uint64_t acpi_build(struct firmware *firmware);

#endif
