/* Files in the folder \slotscope\ of the device that the image came from. */
#ifndef BOOT_FILES_H
#define BOOT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "rc.h"

/* Creates the log file, empty. RC_ABSENT: there is no file system; RC_FIRMWARE: it cannot be
 * written. */
enum rc files_open_log(const char *name);
/* Appends and makes it safe. RC_FIRMWARE: it failed; the file is closed then. */
enum rc files_append_log(const char *text, size_t length);
void files_close_log(void);

#endif
