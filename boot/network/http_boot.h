/* The device path of an image that was booted by HTTP (UEFI specification, "Device Path Protocol").
 * Pure. */
#ifndef BOOT_NETWORK_HTTP_BOOT_H
#define BOOT_NETWORK_HTTP_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HTTP_URL        256  /* bytes of a URL, with its 0 byte */
#define HTTP_PATH_BYTES 4096 /* a longer device path is none */

struct http_boot {
    uint8_t station[6];          /* Ethernet's address of the machine */
    uint8_t address[4], mask[4]; /* IPv4, of the machine */
    char url[HTTP_URL];          /* of the image */
};

/* Reads the nodes MAC, IPv4 and URI of a device path of at most `most` bytes. False: it has not all
 * three with values, or no end there; or the URL is not one of http with a host and a file. */
bool http_boot_read(const uint8_t *path, size_t most, struct http_boot *boot);
/* The address in the path's MAC node. False: it has none. */
bool http_station(const uint8_t *path, size_t most, uint8_t station[6]);
/* Writes the URL of slotscope/NAME beside the image. False: it is too long. */
bool http_url(const struct http_boot *boot, const char *name, char url[HTTP_URL]);
/* Writes what the Host header has. */
void http_host(const struct http_boot *boot, char host[HTTP_URL]);

#endif
