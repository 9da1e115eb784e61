/* The modules that the loader brought, as files of a UEFI file system that cannot be written: the
 * module NAME is \slotscope\NAME. */
#ifndef BIOS_MODULE_FILES_H
#define BIOS_MODULE_FILES_H

#include <efi.h>

#include "boot_information.h"

/* The file system's interface. The information must stay where it is. */
EFI_FILE_IO_INTERFACE *module_files_start(const struct boot_information *information);

#endif
