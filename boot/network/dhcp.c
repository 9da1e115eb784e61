#include "dhcp.h"

#include "boot/format.h"
#include "boot/text.h"

/* RFC 2131, figure 1. */
#define NEXT_SERVER 20
#define STATION     28
#define SERVER_NAME 44
#define NAME_BYTES  64
#define FILE_AT     108
#define FILE_BYTES  128
#define COOKIE      236
#define OPTIONS     240
#define OPTION_PAD  0
#define OPTION_OVER                                                                                \
    52 /* "Option Overload": bit 0 the file field has options, bit 1 the server's name */
#define OPTION_FROM 54
#define OPTION_FILE 67
#define OPTION_END  255

/* The option's bytes in one piece of the packet; null: it is not there. */
static const uint8_t *find_in(const uint8_t *bytes, size_t size, uint8_t option, size_t *length)
{
    for (size_t at = 0; at < size && bytes[at] != OPTION_END;) {
        if (bytes[at] == OPTION_PAD) {
            at++;
            continue;
        }
        if (size - at < 2 || bytes[at + 1] > size - at - 2)
            return NULL;
        if (bytes[at] == option) {
            *length = bytes[at + 1];
            return bytes + at + 2;
        }
        at += 2u + bytes[at + 1];
    }
    return NULL;
}

static uint8_t overload(const uint8_t *packet, size_t size)
{
    size_t length;
    const uint8_t *over = find_in(packet + OPTIONS, size - OPTIONS, OPTION_OVER, &length);

    return over != NULL && length == 1 ? *over : 0;
}

static const uint8_t *find(const uint8_t *packet, size_t size, uint8_t option, size_t *length)
{
    const uint8_t over = overload(packet, size);
    const uint8_t *found = find_in(packet + OPTIONS, size - OPTIONS, option, length);

    if (found == NULL && over & 1)
        found = find_in(packet + FILE_AT, FILE_BYTES, option, length);
    if (found == NULL && over & 2)
        found = find_in(packet + SERVER_NAME, NAME_BYTES, option, length);
    return found;
}

/* Up to a 0 byte. False: it is empty, or not printable ASCII. */
static bool take_name(const uint8_t *bytes, size_t size, char file[DHCP_FILE])
{
    size_t length = 0;

    while (length < size && length < DHCP_FILE - 1 && bytes[length] != 0) {
        if (bytes[length] < ' ' || bytes[length] > '~')
            return false;
        file[length] = (char)bytes[length];
        length++;
    }
    file[length] = '\0';
    return length > 0;
}

static bool read_file(const uint8_t *packet, size_t size, struct dhcp_boot *boot)
{
    size_t length = 0;
    const uint8_t *file = find(packet, size, OPTION_FILE, &length);

    if (file != NULL && take_name(file, length, boot->file))
        return true;
    return !(overload(packet, size) & 1) && take_name(packet + FILE_AT, FILE_BYTES, boot->file);
}

bool dhcp_boot_read(const uint8_t *packet, size_t size, struct dhcp_boot *boot)
{
    static const uint8_t cookie[4] = {99, 130, 83, 99}, nobody[4];
    const uint8_t *from;
    size_t length = 0;

    if (size < OPTIONS || memcmp(packet + COOKIE, cookie, sizeof(cookie)) != 0)
        return false;
    memcpy(boot->server, packet + NEXT_SERVER, sizeof(boot->server));
    memcpy(boot->station, packet + STATION, sizeof(boot->station));
    from = find(packet, size, OPTION_FROM, &length);
    if (memcmp(boot->server, nobody, sizeof(nobody)) == 0 && from != NULL && length == 4)
        memcpy(boot->server, from, sizeof(boot->server));
    return memcmp(boot->server, nobody, sizeof(nobody)) != 0 && read_file(packet, size, boot);
}

bool dhcp_path(const struct dhcp_boot *boot, const char *name, char path[DHCP_FILE])
{
    size_t folder = strlen(boot->file);

    while (folder > 0 && boot->file[folder - 1] != '/' && boot->file[folder - 1] != '\\')
        folder--;
    return format(path, DHCP_FILE, "%.*sslotscope/%s", (int)folder, boot->file, name) < DHCP_FILE;
}
