/* The log that is sent to the server from which the image was booted, once at the end: until then
 * it is kept in memory. */
#ifndef BOOT_FIRMWARE_SERVER_LOG_H
#define BOOT_FIRMWARE_SERVER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keeps whole lines; from the first on that has no room, none, and a comment in their place. */
void server_log_keep(const char *text, size_t length);
uint64_t server_log_bytes(void);
/* Whether there is no room for `bytes` more. */
bool server_log_lacks(uint64_t bytes);
/* False: the server did not take it. */
bool server_log_send(void);

#endif
