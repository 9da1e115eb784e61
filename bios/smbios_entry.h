/* Where the SMBIOS tables are on a board without UEFI (DMTF DSP0134, "System Management BIOS
 * (SMBIOS) Reference Specification", "Accessing SMBIOS information"). Pure. */
#ifndef BIOS_SMBIOS_ENTRY_H
#define BIOS_SMBIOS_ENTRY_H

#include "boot_information.h"

#define SMBIOS_SEGMENT       0xf0000u /* where a BIOS keeps its entry points */
#define SMBIOS_SEGMENT_BYTES 0x10000u
#define SMBIOS_BUILT_BYTES   24u

/* The entry point that the loader hands over. Where it hands over the tables alone, `built` becomes
 * a 64-bit entry point that names them. Null: the loader says nothing that can be used. */
const void *smbios_entry_of_loader(const struct boot_information *information,
                                   uint8_t built[SMBIOS_BUILT_BYTES]);
/* The first sound 64-bit entry point on a 16-byte boundary of the segment of `size` bytes, else the
 * first sound 32-bit one, else null. Sound: it ends within the segment, its checksum is right, and
 * its tables are in memory that is mapped. */
const void *smbios_entry_search(const uint8_t *segment, size_t size);
/* Whether the entry point is a 64-bit one. */
bool smbios_entry_is_wide(const void *entry);

#endif
