/* What every ACPI table is made of. */
#ifndef RIG_FIRMWARE_ACPI_ACPI_TABLE_H
#define RIG_FIRMWARE_ACPI_ACPI_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct firmware;

#define ACPI_HEADER_BYTES 36u
#define ACPI_SPACE_MEMORY 0u
#define ACPI_SPACE_IO     1u

void acpi_put(uint8_t *at, uint64_t value, unsigned size);
uint8_t acpi_checksum(const uint8_t *bytes, size_t size);
/* The header of a table of `length` bytes, without its checksum; acpi_seal sets that, last. */
void acpi_header(uint8_t *table, const char *signature, uint64_t length, unsigned revision);
void acpi_seal(uint8_t *table);
/* A Generic Address Structure. */
void acpi_address(uint8_t *at, unsigned space, unsigned bits, unsigned access, uint64_t value);
/* Zeroed memory for a table; 0: there is none. */
uint64_t acpi_room(struct firmware *firmware, uint64_t bytes, uint8_t **host);

#endif
