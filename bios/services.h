/* The UEFI services that the image calls, on a board without UEFI. */
#ifndef BIOS_SERVICES_H
#define BIOS_SERVICES_H

#include <efi.h>

#include "boot_information.h"
#include "pages.h"

/* Builds the system table. `smbios` is the entry point of the SMBIOS tables, or null; `base` and
 * `bytes` are where the image is loaded. What is pointed to must stay valid. */
EFI_SYSTEM_TABLE *services_start(const struct boot_information *information, const void *smbios,
                                 struct pages *pages, void *base, uint64_t bytes);
/* The image's handle. */
EFI_HANDLE services_image(void);

#endif
