#include "http_boot.h"

#include "boot/format.h"
#include "boot/text.h"

#define MESSAGING 3 /* node types, and sub-types of messaging */
#define END       0x7f
#define MAC       11
#define IPV4      12
#define URI       24
#define HEAD      4 /* bytes: type, sub-type, length */
#define MASK_AT   23

static const char scheme[] = "http://";

/* The first messaging node of the sub-type that has at least `least` bytes; null: there is none
 * before the path's end. */
static const uint8_t *find(const uint8_t *path, size_t most, uint8_t sub_type, size_t least,
                           size_t *length)
{
    for (size_t at = 0; most - at >= HEAD && path[at] != END;) {
        const size_t bytes = path[at + 2] | (size_t)path[at + 3] << 8;

        if (bytes < HEAD || bytes > most - at)
            return NULL;
        if (path[at] == MESSAGING && path[at + 1] == sub_type && bytes >= least) {
            *length = bytes;
            return path + at;
        }
        at += bytes;
    }
    return NULL;
}

/* Where the host begins behind the scheme, and how long it is. */
static size_t host_length(const char *url)
{
    size_t length = 0;

    while (url[length] != '\0' && url[length] != '/')
        length++;
    return length;
}

static bool take_url(const uint8_t *node, size_t length, char url[HTTP_URL])
{
    const char *host = url + sizeof(scheme) - 1;
    size_t bytes = length - HEAD;

    while (bytes > 0 && node[HEAD + bytes - 1] == 0) /* EDK II counts a 0 byte at the end */
        bytes--;
    if (bytes >= HTTP_URL)
        return false;
    for (size_t i = 0; i < bytes; i++) {
        if (node[HEAD + i] <= ' ' || node[HEAD + i] > '~')
            return false;
        url[i] = (char)node[HEAD + i];
    }
    url[bytes] = '\0';
    return strncmp(url, scheme, sizeof(scheme) - 1) == 0 && host_length(host) > 0 &&
           strchr(host, '/') != NULL;
}

bool http_station(const uint8_t *path, size_t most, uint8_t station[6])
{
    size_t length;
    const uint8_t *mac = find(path, most, MAC, HEAD + 6, &length);

    if (mac != NULL)
        memcpy(station, mac + HEAD, 6);
    return mac != NULL;
}

bool http_boot_read(const uint8_t *path, size_t most, struct http_boot *boot)
{
    static const uint8_t nobody[4];
    size_t length;
    const uint8_t *node = find(path, most, IPV4, MASK_AT + 4, &length);

    if (node == NULL || !http_station(path, most, boot->station))
        return false;
    memcpy(boot->address, node + HEAD, sizeof(boot->address));
    memcpy(boot->mask, node + MASK_AT, sizeof(boot->mask));
    node = find(path, most, URI, HEAD + 1, &length);
    return node != NULL && memcmp(boot->address, nobody, sizeof(nobody)) != 0 &&
           take_url(node, length, boot->url);
}

bool http_url(const struct http_boot *boot, const char *name, char url[HTTP_URL])
{
    size_t folder = strlen(boot->url);

    while (boot->url[folder - 1] != '/')
        folder--;
    return format(url, HTTP_URL, "%.*sslotscope/%s", (int)folder, boot->url, name) < HTTP_URL;
}

void http_host(const struct http_boot *boot, char host[HTTP_URL])
{
    const char *begin = boot->url + sizeof(scheme) - 1;

    format(host, HTTP_URL, "%.*s", (int)host_length(begin), begin);
}
