/* What firmware leaves in guest memory for an application: the system table, the services' tables
 * and the protocols. */
#ifndef RIG_FIRMWARE_TABLES_H
#define RIG_FIRMWARE_TABLES_H

#include <stdbool.h>

struct firmware;

#define IMAGE_PATH "\\EFI\\BOOT\\BOOTX64.EFI"

/* Both give false when there is no room. */
bool tables_build(struct firmware *firmware);
/* The handle and protocols of the first image, which is in guest memory; `arguments` may be NULL.
 */
bool loaded_image_build(struct firmware *firmware, const char *arguments);

#endif
