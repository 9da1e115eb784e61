/* Whether the firmware's SMBIOS tables name something. Pure: tables are bytes in memory, and no
 * byte beyond the length that the entry point states is read. DMTF, "System Management BIOS
 * (SMBIOS) Reference Specification", "SMBIOS Entry Point structure". */
#ifndef BOOT_SMBIOS_H
#define BOOT_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rc.h"

#define SMBIOS_ENTRY_BYTES 32u        /* no entry point is longer */
#define SMBIOS_TABLE_MAX   (1u << 20) /* bytes; a longer table is damaged */
#define SMBIOS_IPMI        38u        /* "IPMI Device Information" */

/* The table of a 32-bit ("_SM_") or 64-bit ("_SM3_") entry point. RC_BAD_INPUT: it is neither, or
 * its checksum or the table's length is wrong. */
enum rc smbios_table(const void *entry, uint64_t *address, size_t *size);
/* Whether the table of `size` bytes has a structure of that type. */
bool smbios_has(const void *table, size_t size, uint8_t type);

#endif
