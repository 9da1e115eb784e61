#include "boot_information.h"

#include "boot/text.h"

enum {
    TAG_END = 0,
    TAG_COMMAND_LINE = 1,
    TAG_LOADER = 2,
    TAG_MODULE = 3,
    TAG_MEMORY_MAP = 6,
    TAG_FRAMEBUFFER = 8,
    TAG_SMBIOS = 13,
    TAG_RSDP_1 = 14,
    TAG_RSDP_2 = 15,
};
#define HEADER          8u  /* of the information and of a tag */
#define MODULE_NAME     16u /* in its tag */
#define MAP_ENTRIES     16u
#define MAP_ENTRY_LEAST 20u
#define SMBIOS_TABLES   16u /* in its tag: version and reserved bytes are in front of them */
#define RSDP_1_BYTES    20u
#define RSDP_2_BYTES    36u
#define FRAMEBUFFER_MIN 30u
#define FRAMEBUFFER_EGA 2
#define COLUMNS         80u
#define VGA_TEXT        0xb8000u

static uint32_t read_32(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static uint64_t read_64(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

/* The text that begins there and ends before the tag does; "" when it has no end. */
static const char *text_at(const uint8_t *tag, size_t offset, size_t size)
{
    if (offset >= size || memchr(tag + offset, 0, size - offset) == NULL)
        return "";
    return (const char *)tag + offset;
}

static void read_module(const uint8_t *tag, size_t size, struct boot_information *information)
{
    struct boot_module module;

    if (size < MODULE_NAME)
        return;
    module =
        (struct boot_module){read_32(tag + 8), read_32(tag + 12), text_at(tag, MODULE_NAME, size)};
    if (module.end < module.begin || information->module_count == BOOT_MODULES)
        information->modules_left_out++;
    else
        information->modules[information->module_count++] = module;
}

static void read_map(const uint8_t *tag, size_t size, struct boot_information *information)
{
    uint32_t entry;

    if (size < MAP_ENTRIES)
        return;
    entry = read_32(tag + 8);
    if (entry < MAP_ENTRY_LEAST)
        return;
    information->map = tag + MAP_ENTRIES;
    information->map_entry = entry;
    information->map_count = (size - MAP_ENTRIES) / entry;
}

static void read_smbios(const uint8_t *tag, size_t size, struct boot_information *information)
{
    if (size <= SMBIOS_TABLES)
        return;
    information->smbios_major = tag[HEADER];
    information->smbios_minor = tag[HEADER + 1];
    information->smbios = tag + SMBIOS_TABLES;
    information->smbios_size = size - SMBIOS_TABLES;
}

static void read_tag(const uint8_t *tag, size_t size, struct boot_information *information)
{
    switch (read_32(tag)) {
    case TAG_COMMAND_LINE:
        information->command_line = text_at(tag, HEADER, size);
        break;
    case TAG_LOADER:
        information->loader = text_at(tag, HEADER, size);
        break;
    case TAG_MODULE:
        read_module(tag, size, information);
        break;
    case TAG_MEMORY_MAP:
        read_map(tag, size, information);
        break;
    case TAG_FRAMEBUFFER:
        information->text_screen = size >= FRAMEBUFFER_MIN && read_64(tag + 8) == VGA_TEXT &&
                                   read_32(tag + 20) == COLUMNS && tag[29] == FRAMEBUFFER_EGA;
        break;
    case TAG_SMBIOS:
        read_smbios(tag, size, information);
        break;
    case TAG_RSDP_1:
        if (size >= HEADER + RSDP_1_BYTES && !information->rsdp_2)
            information->rsdp = tag + HEADER;
        break;
    case TAG_RSDP_2:
        if (size >= HEADER + RSDP_2_BYTES) {
            information->rsdp = tag + HEADER;
            information->rsdp_2 = true;
        }
        break;
    default:
        break;
    }
}

const char *boot_information_read(const void *start, size_t limit,
                                  struct boot_information *information)
{
    const uint8_t *bytes = start;
    size_t at = HEADER;

    *information = (struct boot_information){.start = start, .command_line = "", .loader = ""};
    if (limit < HEADER || read_32(bytes) > limit || read_32(bytes) < 2 * HEADER)
        return "the boot information has no length that can be";
    information->size = read_32(bytes);
    while (information->size - at >= HEADER) {
        const size_t size = read_32(bytes + at + 4), step = (size + 7) & ~(size_t)7;

        if (read_32(bytes + at) == TAG_END)
            return information->map != NULL ? NULL : "the loader has no memory map";
        if (size < HEADER || size > information->size - at)
            return "a tag of the boot information is longer than all of it";
        read_tag(bytes + at, size, information);
        if (step > information->size - at)
            break;
        at += step;
    }
    return "the boot information has no end";
}

void boot_information_memory(const struct boot_information *information, size_t n, uint64_t *begin,
                             uint64_t *bytes, uint32_t *type)
{
    const uint8_t *entry = information->map + n * information->map_entry;

    *begin = read_64(entry);
    *bytes = read_64(entry + 8);
    *type = read_32(entry + 16);
}
