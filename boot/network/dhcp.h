/* What a DHCP answer says of the file that was booted (RFC 2131 section 2, RFC 2132). Pure. */
#ifndef BOOT_NETWORK_DHCP_H
#define BOOT_NETWORK_DHCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DHCP_FILE 256 /* bytes of a file's name, with its 0 byte */

struct dhcp_boot {
    uint8_t server[4]; /* IPv4 */
    char file[DHCP_FILE];
    uint8_t station[6]; /* Ethernet's address of the machine */
};

/* Reads the packet, from its op byte on. The server is the next one (siaddr), or else the one that
 * answered (option 54); the file's name is option 67, or else the field. False: the packet is none,
 * is cut, or does not say both. */
bool dhcp_boot_read(const uint8_t *packet, size_t size, struct dhcp_boot *boot);
/* Writes the path of slotscope/NAME beside that file. False: it is too long. */
bool dhcp_path(const struct dhcp_boot *boot, const char *name, char path[DHCP_FILE]);

#endif
