/* The ACPI tables about processors and the memory near them. Each function gives the address of its
 * table, 0 when there is no room. */
#ifndef RIG_FIRMWARE_ACPI_ACPI_PROCESSORS_H
#define RIG_FIRMWARE_ACPI_ACPI_PROCESSORS_H

#include <stdint.h>

struct firmware;

/* Processors and the I/O APIC: "Multiple APIC Description Table". */
uint64_t acpi_madt_build(struct firmware *firmware);
/* A node for each package, with an equal part of the processors and of the memory: "System Resource
 * Affinity Table", and the distances: "System Locality Information Table". */
uint64_t acpi_srat_build(struct firmware *firmware);
uint64_t acpi_slit_build(struct firmware *firmware);

#endif
