/* What files.c does for log_file.c, between firmware_enter and firmware_leave. */
#ifndef BOOT_FIRMWARE_FILES_INSIDE_H
#define BOOT_FIRMWARE_FILES_INSIDE_H

#include <efi.h>
#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"

#define INFO_MAX 1024 /* bytes of an EFI_FILE_INFO or EFI_FILE_SYSTEM_INFO */

/* Opens the root of the device's file system; the caller closes it. RC_ABSENT: there is none. */
enum rc files_open_root(EFI_FILE_HANDLE *root);
/* Opens \slotscope\NAME; null: the folder itself. RC_ABSENT: there is none, or no file system;
 * RC_READ_ONLY: it cannot be written. */
enum rc files_open_path(const char *name, uint64_t mode, uint64_t attributes,
                        EFI_FILE_HANDLE *file);
/* Gives the file's size in bytes, and whether it is a folder. */
enum rc files_inform(EFI_FILE_HANDLE file, uint64_t *size, bool *folder);

#endif
