/* From the loader's hand-over to the image's first instruction. */
#include <efi.h>

#include "boot/cpu.h"
#include "boot/smbios.h"
#include "boot/text.h"
#include "boot_information.h"
#include "pages.h"
#include "pc.h"
#include "pe_image.h"
#include "services.h"
#include "smbios_entry.h"

#define IMAGE_NAME "BOOTX64.EFI"
#define LIMIT      (16u << 20) /* of the boot information */
#define COM1       0x3f8
#define BYTE_US    100 /* a byte at 115200 baud takes 87 us */

/* start.asm calls it with the address of the boot information. Returns when there is nothing to be
 * done; start.asm halts then. */
void bios_main(const void *loader_information);

extern char bios_begin[], bios_end[]; /* bios.ld */

static struct boot_information information;
static struct pages pages;
static uint8_t smbios_built[SMBIOS_BUILT_BYTES];

/* For faults before the image has a console to say them on. */
static void say(const char *what)
{
    static const char program[] = "slotscope: ";
    unsigned column = 0;

    for (const char *text = program; *text; text++)
        pc_put(PC_ROWS - 1, column++, *text, EFI_WHITE);
    for (; *what && column < PC_COLUMNS; what++)
        pc_put(PC_ROWS - 1, column++, *what, EFI_WHITE);
    for (unsigned i = 0; i < column; i++) {
        port_out(COM1,
                 *(const uint8_t *)(uintptr_t)(0xb8000 + 2 * ((PC_ROWS - 1) * PC_COLUMNS + i)));
        pc_wait(BYTE_US);
    }
}

static uint32_t efi_type(uint32_t type)
{
    switch (type) {
    case BOOT_AVAILABLE:
        return PAGES_FREE;
    case BOOT_ACPI:
        return PAGES_ACPI;
    case BOOT_NVS:
        return PAGES_NVS;
    case BOOT_BAD:
        return PAGES_UNUSABLE;
    default:
        return PAGES_RESERVED;
    }
}

/* First what is free, then what is not: where ranges overlap, the memory is not free. */
static bool read_map(bool free)
{
    for (size_t i = 0; i < information.map_count; i++) {
        uint64_t begin, bytes;
        uint32_t type;

        boot_information_memory(&information, i, &begin, &bytes, &type);
        if ((efi_type(type) == PAGES_FREE) == free &&
            !pages_set(&pages, begin, begin + bytes, efi_type(type)))
            return false;
    }
    return true;
}

/* Null: there is none. */
static const void *find_smbios(void)
{
    const void *entry = smbios_entry_of_loader(&information, smbios_built);

    return entry != NULL ? entry
                         : smbios_entry_search((const uint8_t *)(uintptr_t)SMBIOS_SEGMENT,
                                               SMBIOS_SEGMENT_BYTES);
}

/* The real mode's vectors, this program, the boot information, the modules and the SMBIOS tables
 * are in use. */
static bool read_uses(const void *smbios)
{
    const uint64_t at = (uintptr_t)information.start;
    uint64_t table;
    size_t size;
    bool room =
        pages_set(&pages, 0, PAGES_BYTES, PAGES_FIRMWARE_CODE) &&
        pages_set(&pages, (uintptr_t)bios_begin, (uintptr_t)bios_end, PAGES_FIRMWARE_CODE) &&
        pages_set(&pages, at, at + information.size, PAGES_FIRMWARE_CODE);

    for (unsigned i = 0; i < information.module_count && room; i++)
        room = pages_set(&pages, information.modules[i].begin, information.modules[i].end,
                         PAGES_FIRMWARE_CODE);
    if (room && smbios != NULL && smbios_table(smbios, &table, &size) == RC_OK)
        room = pages_set(&pages, table, table + size, PAGES_RESERVED);
    return room;
}

static const struct boot_module *find_image(void)
{
    for (unsigned i = 0; i < information.module_count; i++)
        if (strcmp(information.modules[i].name, IMAGE_NAME) == 0)
            return &information.modules[i];
    return NULL;
}

/* Null, or why the image does not start. */
static const char *start_image(const void *smbios)
{
    const struct boot_module *module = find_image();
    struct pe_image image;
    uint64_t memory;
    const char *why;
    EFI_IMAGE_ENTRY_POINT entry;

    if (module == NULL)
        return "the loader's configuration names no module " IMAGE_NAME;
    why = pe_image_read(&image, (const void *)(uintptr_t)module->begin,
                        (size_t)(module->end - module->begin));
    if (why != NULL)
        return why;
    memory = pages_take(&pages, (image.bytes + PAGES_BYTES - 1) / PAGES_BYTES, PAGES_REACH - 1,
                        PAGES_LOADER_CODE);
    if (!memory)
        return "there is no memory for the image";
    pe_image_load(&image, (uint8_t *)(uintptr_t)memory);
    entry = (EFI_IMAGE_ENTRY_POINT)(uintptr_t)(memory + image.entry);
    entry(services_image(),
          services_start(&information, smbios, &pages, (void *)(uintptr_t)memory, image.bytes));
    return "the image has returned, and a BIOS has nothing to return to";
}

void bios_main(const void *loader_information)
{
    const char *why = boot_information_read(loader_information, LIMIT, &information);
    const void *smbios = why == NULL ? find_smbios() : NULL;

    pc_start(why == NULL ? information.rsdp : NULL);
    if (why == NULL && (!read_map(true) || !read_map(false) || !read_uses(smbios)))
        why = "the memory map has too many ranges";
    if (why == NULL)
        why = start_image(smbios);
    say(why);
}
