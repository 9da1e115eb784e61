/* SMBIOS entry points and structures of random bytes: nothing is read beyond their ends (the
 * sanitizer sees it), and texts are printable and end. */
#include <string.h>

#include "boot/smbios.h"
#include "boot/smbios_texts.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 400u

/* Mostly structures of types that are read, with few strings, and then something else. */
static size_t make(uint64_t *state, char *text)
{
    const size_t size = SMBIOS_ENTRY_BYTES + random_below(state, ROOM - SMBIOS_ENTRY_BYTES);

    for (size_t i = 0; i < size; i++)
        text[i] = random_below(state, 3) ? (char)('a' + random_below(state, 26))
                                         : (char)random_below(state, 3);
    for (size_t at = 0; at + 12 < size; at += 12 + random_below(state, 40)) {
        text[at] = (char)random_below(state, 4);
        text[at + 1] = random_below(state, 8) ? (char)(4 + random_below(state, 8)) : (char)0xff;
        memcpy(text + at + 4, (char[]){1, 2, 3, (char)random_below(state, 5)}, 4);
    }
    if (random_below(state, 4) == 0)
        memcpy(text, random_below(state, 2) ? "_SM3_\0\x18" : "_SM_\0\x1f\2", 7);
    return size;
}

const struct fuzz fuzz = {"SMBIOS tables", 50000, 20261125, ROOM, make};
unsigned fuzz_accepted;

static void check(const char *text, size_t room)
{
    require(memchr(text, 0, room) != NULL, "a text ends");
    for (; *text != '\0'; text++)
        require(*text >= ' ' && *text <= '~', "a text is printable");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smbios_texts texts;
    uint64_t address;
    size_t length;

    if (size < SMBIOS_ENTRY_BYTES)
        return 0;
    if (smbios_table(data, &address, &length) == RC_OK)
        require(address != 0 && length <= SMBIOS_TABLE_MAX, "a place that can be read");
    smbios_texts_read(data, size, &texts);
    check(texts.bios, sizeof(texts.bios));
    check(texts.board, sizeof(texts.board));
    fuzz_accepted += texts.bios[0] != '\0' || texts.board[0] != '\0';
    return 0;
}
