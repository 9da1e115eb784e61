/* HTTP with the server that the image was booted from, through the firmware's HTTP protocol. */
#ifndef BOOT_FIRMWARE_HTTP_H
#define BOOT_FIRMWARE_HTTP_H

#include <stdbool.h>

#include "boot/network/http_boot.h"
#include "boot/rc.h"

/* How the image was booted by HTTP. False: it was not. */
bool http_booted(struct http_boot *boot);
/* GET into data[*size]; *size becomes the length. Each wait ends after HTTP_WAIT_MS. RC_ABSENT: the
 * server has no such file; RC_NO_SPACE: it is longer; RC_FIRMWARE: no answer, or another one. */
#define HTTP_WAIT_MS 30000u
enum rc http_get(const struct http_boot *boot, const char *url, char *data, size_t *size);
/* PUT. RC_FIRMWARE: the server did not take it. */
enum rc http_put(const struct http_boot *boot, const char *url, const char *data, size_t size);

#endif
