/* The log's file in the folder \slotscope\ of the device that the image was loaded from. What was
 * appended to it is on the stick, whatever one call of the firmware says; see log_file_append. */
#ifndef BOOT_FIRMWARE_LOG_FILE_H
#define BOOT_FIRMWARE_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/rc.h"

#define LOG_FILE_NAME  32                  /* bytes of the log's name, with its 0 byte */
#define LOG_FILE_OLDER (LOG_FILE_NAME + 8) /* of names that are made of it */
#define LOG_FILE_TRIES 2                   /* of what one error may have ended */

/* Creates the log file, empty. RC_ABSENT: there is no file system; RC_READ_ONLY: it cannot be
 * written; RC_FIRMWARE: the file cannot be created, a folder has its name, or that is too long. The
 * log of the run before gets the name `older`, which is `name` with ".1" before its last dot, and
 * what had that name is deleted once files are known to be renamed; with ".2" or ".3" when only
 * that name cannot be had. *kept: RC_OK; RC_ABSENT: there was no such log, or an empty one;
 * RC_FIRMWARE: it could not be renamed, and is deleted. A small file beside the log keeps room for
 * the log's end until log_file_give_end_room, log_file_rewind or log_file_close deletes it. */
enum rc log_file_open(const char *name, char older[LOG_FILE_OLDER], enum rc *kept);
/* Appends to the log file, flushes it, and looks whether it is as long as it must be. RC_ABSENT:
 * there is no log file; RC_NO_SPACE: the stick is full; RC_FIRMWARE: these bytes are not known to
 * be on the stick: the next call must be given them again, with others behind them or not, opens
 * the file anew and writes them where they belong. Where the file may not grow, as above 4 GiB on a
 * FAT32, and the stick has room, the log goes on in a file whose name has "-2" before its last dot,
 * then "-3", up to 9. */
enum rc log_file_append(const char *text, size_t length);
/* The number of the file that is written, from 1, and its name. */
unsigned log_file_part(const char **name);
/* Deletes the log of the run before. False: none is kept. */
bool log_file_drop_older(void);
/* log_file_rewind cuts the log to where it was when log_file_mark was called last, and gives it the
 * room that was kept for its end. False: it cannot. */
void log_file_mark(void);
bool log_file_rewind(void);
/* What is appended from here on may take the room that was kept for the log's end. */
void log_file_give_end_room(void);
/* Bytes that were on the stick and are not there any more, as a file that was opened anew showed.
 */
uint64_t log_file_gone(void);
/* Sets *bytes to what the file system has room for, as the firmware says. RC_ABSENT: there is no
 * log file, or the firmware does not say. */
enum rc log_file_room(uint64_t *bytes);
void log_file_close(void);

#endif
