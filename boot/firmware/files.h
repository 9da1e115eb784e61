/* Files in the folder \slotscope\ of the device that the image was loaded from. */
#ifndef BOOT_FILES_H
#define BOOT_FILES_H

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

#define FILES_LOG_NAME 32 /* bytes of the log's name, with its 0 byte */

/* Creates the log file, empty. RC_ABSENT: there is no file system; RC_READ_ONLY: it cannot be
 * written; RC_FIRMWARE: the file cannot be created, a folder has its name, or that is too long. The
 * log of the run before gets the name `older`, which is `name` with ".1" before its last dot, and
 * what had that name is deleted once files are known to be renamed; with ".2" or ".3" when only
 * that name cannot be had. *kept: RC_OK; RC_ABSENT: there was no such log, or an empty one;
 * RC_FIRMWARE: it could not be renamed, and is deleted. */
enum rc files_open_log(const char *name, char older[FILES_LOG_NAME + 4], enum rc *kept);
/* Appends to the log file and flushes it. RC_ABSENT: no log file is open; RC_FIRMWARE: the file
 * cannot be written; it is closed then. */
enum rc files_append_log(const char *text, size_t length);
/* Sets *bytes to what the file system has room for, as the firmware says. RC_ABSENT: no log file is
 * open, or the firmware does not say. */
enum rc files_log_room(uint64_t *bytes);
void files_close_log(void);

#endif
