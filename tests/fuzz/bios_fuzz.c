/* What a board without UEFI hands over: boot information, the image's file, ACPI tables and SMBIOS
 * entry points of any bytes are read within their bounds, and what was accepted can be used. */
#include <stdlib.h>
#include <string.h>

#include "bios/boot_information.h"
#include "bios/pages.h"
#include "bios/pe_image.h"
#include "bios/power.h"
#include "bios/smbios_entry.h"
#include "boot/smbios.h"
#include "tests/fuzz/fuzz.h"

#define MOST 2048u

/* An entry point on a boundary of 16 bytes, whole or cut by the end, with the right checksum. */
static void put_entry_point(uint64_t *state, char *segment, size_t size)
{
    const bool wide = random_below(state, 2);
    const size_t length = wide ? 24 : 31, at = 16 * random_below(state, (unsigned)size / 16);
    char entry[31] = {0};
    char sum = 0;

    memcpy(entry, wide ? "_SM3_" : "_SM_", wide ? 5 : 4);
    entry[wide ? 6 : 5] = (char)length;
    for (size_t i = wide ? 12 : 22; i < (wide ? 22 : 28); i += 2)
        entry[i] = (char)random_next(state);
    for (size_t i = 0; i < length; i++)
        sum = (char)(sum + entry[i]);
    entry[wide ? 5 : 4] = (char)-sum;
    memcpy(segment + at, entry, length < size - at ? length : size - at);
}

/* The first byte says which parser. Tags and headers are put where the parsers look for them. */
static size_t make(uint64_t *state, char *input)
{
    const size_t size = 65 + random_below(state, MOST - 65);

    for (size_t i = 0; i < size; i++)
        input[i] = random_below(state, 3) ? 0 : (char)random_next(state);
    for (size_t i = 9; i + 8 < size; i += 8 + 8 * random_below(state, 4)) {
        input[i] = (char)random_below(state, 16);
        input[i + 1] = input[i + 2] = input[i + 3] = 0;
        input[i + 4] = (char)random_below(state, 64);
        input[i + 5] = input[i + 6] = input[i + 7] = 0;
    }
    input[1] = (char)(size - 1);
    input[2] = (char)((size - 1) >> 8);
    input[3] = input[4] = 0;
    if (input[0] & 1) {
        memcpy(input + 1, "MZ", 2);
        memset(input + 1 + 0x3c, 0, 4);
        input[1 + 0x3c] = (char)random_below(state, 64);
    }
    if (random_below(state, 4) == 0)
        put_entry_point(state, input + 1, size - 1);
    return size;
}

const struct fuzz fuzz = {"what a BIOS hands over", 30000, 20261124, MOST, make};
unsigned fuzz_accepted;

static void check_information(const uint8_t *input, size_t size)
{
    struct boot_information information;
    static struct pages pages;
    uint8_t built[SMBIOS_BUILT_BYTES];

    if (boot_information_read(input, size, &information) != NULL)
        return;
    fuzz_accepted++;
    (void)smbios_entry_of_loader(&information, built);
    require(information.module_count <= BOOT_MODULES, "modules stay in their array");
    memset(&pages, 0, sizeof(pages));
    for (size_t i = 0; i < information.map_count; i++) {
        uint64_t begin, bytes;
        uint32_t type;

        boot_information_memory(&information, i, &begin, &bytes, &type);
        (void)pages_set(&pages, begin, begin + bytes, type);
    }
    for (unsigned i = 0; i < pages.count; i++) {
        require(pages.ranges[i].begin < pages.ranges[i].end, "a range has pages");
        require(i == 0 || pages.ranges[i - 1].end <= pages.ranges[i].begin, "ranges are sorted");
    }
}

static void check_image(const uint8_t *input, size_t size)
{
    struct pe_image image;
    uint8_t *memory;

    if (pe_image_read(&image, input, size) != NULL)
        return;
    fuzz_accepted++;
    memory = malloc(image.bytes + 1);
    if (memory != NULL)
        pe_image_load(&image, memory);
    free(memory);
}

static void check_entry_point(const uint8_t *input, size_t size)
{
    const uint8_t *entry = smbios_entry_search(input, size);
    uint64_t address;
    size_t table;

    if (entry == NULL)
        return;
    fuzz_accepted++;
    require((size_t)(entry - input) % 16 == 0, "an entry point is on a boundary of 16 bytes");
    require(smbios_table(entry, &address, &table) == RC_OK,
            "an entry point that is found is sound");
    require(address + table <= PAGES_REACH, "its tables are mapped");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct power power;
    uint8_t *copy;

    if (size < 2)
        return 0;
    copy = malloc(size - 1); /* so that the first byte beyond it is noticed */
    if (copy == NULL)
        return 0;
    memcpy(copy, input + 1, size - 1);
    if (input[0] & 1)
        check_image(copy, size - 1);
    else
        check_information(copy, size - 1);
    check_entry_point(copy, size - 1);
    (void)power_read(&power, copy, size - 1, copy, size - 1);
    free(copy);
    return 0;
}
