/* DHCP answers of random lengths and bytes: nothing is read beyond the packet's end (the sanitizer
 * sees it), and what is read of them are names. */
#include <string.h>

#include "boot/network/dhcp.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 1472u

static size_t make(uint64_t *state, char *packet)
{
    static const char codes[] = {0, 52, 54, 67, (char)255, 1};
    const size_t size = 236 + random_below(state, random_below(state, 8) ? 400 : ROOM - 236);

    for (size_t i = 0; i < size; i++)
        packet[i] = random_below(state, 3) ? (char)('a' + random_below(state, 26))
                                           : (char)random_next(state);
    if (size >= 240 && random_below(state, 16))
        memcpy(packet + 236, (char[]){99, (char)130, 83, 99}, 4);
    for (size_t at = 240; at + 2 < size;) {
        packet[at] = codes[random_below(state, sizeof(codes))];
        packet[at + 1] =
            random_below(state, 8) ? (char)(1 + random_below(state, 12)) : (char)random_next(state);
        at += packet[at] == 0 ? 1 : 2u + (uint8_t)packet[at + 1];
    }
    if (random_below(state, 4) == 0)
        packet[108] = 0;
    return size;
}

const struct fuzz fuzz = {"DHCP answers", 50000, 20261126, ROOM, make};
unsigned fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dhcp_boot boot;
    char path[DHCP_FILE];

    if (!dhcp_boot_read(data, size, &boot))
        return 0;
    fuzz_accepted++;
    require(memchr(boot.file, 0, sizeof(boot.file)) != NULL && boot.file[0] != '\0', "a name ends");
    if (dhcp_path(&boot, "slotscope.cfg", path))
        require(memchr(path, 0, sizeof(path)) != NULL, "a path ends");
    for (const char *c = boot.file; *c != '\0'; c++)
        require(*c >= ' ' && *c <= '~', "a name is printable");
    return 0;
}
