/* Files of the server that the image was booted from over the network, through the firmware: TFTP
 * after PXE, HTTP after HTTP boot. They are in the folder slotscope beside the image. */
#ifndef BOOT_FIRMWARE_NETBOOT_H
#define BOOT_FIRMWARE_NETBOOT_H

#include <stdbool.h>
#include <stddef.h>

#include "boot/rc.h"

/* Reads slotscope/NAME into memory from memory_alloc and appends a 0 byte that *size does not
 * count. The firmware's TFTP gives up by itself when the server is silent. RC_ABSENT: the image did
 * not come so, or the server has no such file; RC_NO_SPACE: over `limit` bytes; RC_FIRMWARE: it
 * cannot be read. */
enum rc netboot_read(const char *name, size_t limit, const char **data, size_t *size);

/* Whether the image came from such a server. */
bool netboot_there(void);
/* Writes the text to the server as slotscope/MAC.log, in place of a file of that name; MAC is the
 * machine's Ethernet address, twelve hexadecimal digits. At most NETBOOT_MOST bytes. RC_ABSENT: the
 * image did not come so, or boot services are gone; RC_FIRMWARE: the server does not take it. */
#define NETBOOT_MOST (16u << 20) /* 65535 blocks of 512 bytes are the most that TFTP writes */
enum rc netboot_write_log(const char *text, size_t size);

#endif
