/* Files in the folder \slotscope\ of the device that the image was loaded from. */
#ifndef BOOT_FIRMWARE_FILES_H
#define BOOT_FIRMWARE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/rc.h"

/* Reads \slotscope\NAME into memory from memory_alloc and appends a 0 byte that *size does not
 * count. RC_ABSENT: no such file, no file system or no boot services; RC_NO_SPACE: over `limit`
 * bytes; RC_FIRMWARE: unreadable, or no memory. */
enum rc files_read(const char *name, size_t limit, const char **data, size_t *size);
/* Whether a call found that there is no file system. */
bool files_none(void);
/* Calls `found` with the name of each file (no folders) in \slotscope\NAME, e.g. "cpu". Names with
 * other characters than printable ASCII are passed over. RC_ABSENT: no such folder, no file system
 * or no boot services; RC_FIRMWARE: it cannot be read to its end. */
enum rc files_list(const char *name, void (*found)(void *context, const char *file), void *context);

#endif
