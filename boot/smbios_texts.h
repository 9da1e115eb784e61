/* What the firmware says about itself and the board in the structures of SMBIOS ("System Management
 * BIOS (SMBIOS) Reference Specification", DMTF DSP0134). Pure. */
#ifndef BOOT_SMBIOS_TEXTS_H
#define BOOT_SMBIOS_TEXTS_H

#include <stddef.h>

/* Printable ASCII, parts separated by a blank; "": not stated. */
struct smbios_texts {
    char bios[96];  /* vendor, version, release date */
    char board[96]; /* manufacturer, product and version of the board, else of the system */
};

/* Reads the structures in `table` (smbios.h), up to the first that is cut. */
void smbios_texts_read(const void *table, size_t size, struct smbios_texts *texts);

#endif
