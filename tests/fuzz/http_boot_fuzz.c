/* Device paths of random nodes: nothing is read beyond the path's end (the sanitizer sees it), and
 * what is read of them is a URL. */
#include <string.h>

#include "boot/network/http_boot.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 1024u

static size_t put_node(uint64_t *state, char *path, size_t size)
{
    static const struct {
        char sub_type;
        size_t length;
    } nodes[] = {{11, 37}, {12, 27}, {24, 40}, {1, 8}};
    const unsigned which = random_below(state, 4);
    size_t length = random_below(state, 16) ? nodes[which].length : random_below(state, 60);

    if (length > size)
        return size;
    for (size_t i = 0; i < length; i++)
        path[i] = (char)(random_below(state, 8) ? 'a' + random_below(state, 26)
                                                : random_below(state, 256));
    if (length < 4)
        return length + 1;
    memcpy(path, (char[]){3, nodes[which].sub_type, (char)length, 0}, 4);
    if (which == 2 && length > 20 && random_below(state, 8))
        memcpy(path + 4, "http://host/", 12);
    return length;
}

static size_t make(uint64_t *state, char *path)
{
    const size_t size = random_below(state, ROOM);
    size_t at = 0;

    memset(path, 0, size);
    while (at < size)
        at += put_node(state, path + at, size - at);
    if (size > 4)
        path[size - 4] = 0x7f;
    return size;
}

const struct fuzz fuzz = {"device paths", 50000, 20261127, ROOM, make};
unsigned fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[HTTP_URL];
    struct http_boot boot;

    if (!http_boot_read(data, size, &boot))
        return 0;
    fuzz_accepted++;
    require(memchr(boot.url, 0, sizeof(boot.url)) != NULL, "a URL ends");
    for (const char *c = boot.url; *c != '\0'; c++)
        require(*c > ' ' && *c <= '~', "a URL is printable");
    if (http_url(&boot, "slotscope.cfg", text))
        require(memchr(text, 0, sizeof(text)) != NULL, "another one ends");
    http_host(&boot, text);
    require(text[0] != '\0', "it has a host");
    return 0;
}
