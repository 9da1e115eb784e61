/* What a Multiboot2 loader hands over: memory map, modules, ACPI root pointer, SMBIOS tables,
 * command line, screen (Multiboot2 specification 2.0, "Boot information format"). Pure. */
#ifndef BIOS_BOOT_INFORMATION_H
#define BIOS_BOOT_INFORMATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_MODULES 64 /* further ones are left out, and counted */

struct boot_module {
    uint64_t begin, end; /* addresses; end is the first byte behind it */
    const char *name;    /* what the loader's configuration writes behind the file */
};

struct boot_information {
    const void *start;
    size_t size;
    const char *command_line, *loader; /* "" when the loader says none */
    const uint8_t *map;                /* entries of the memory map; null: there is none */
    size_t map_entry, map_count;       /* bytes of an entry, entries */
    struct boot_module modules[BOOT_MODULES];
    unsigned module_count, modules_left_out;
    const void *rsdp;      /* a copy of the ACPI root pointer; null: none */
    bool rsdp_2;           /* of ACPI 2.0 or later */
    const uint8_t *smbios; /* a copy of the SMBIOS tables; null: none */
    size_t smbios_size;
    uint8_t smbios_major, smbios_minor;
    bool text_screen; /* a VGA text screen of 80 columns is at 0xB8000 */
};

/* Memory types of the map's entries. */
enum boot_memory { BOOT_AVAILABLE = 1, BOOT_RESERVED, BOOT_ACPI, BOOT_NVS, BOOT_BAD };

/* Reads the information of at most `limit` bytes. Null, or why it cannot be used: then *information
 * must not be. The texts and the map point into the information. */
const char *boot_information_read(const void *start, size_t limit,
                                  struct boot_information *information);
/* Entry n of the memory map, from 0. */
void boot_information_memory(const struct boot_information *information, size_t n, uint64_t *begin,
                             uint64_t *bytes, uint32_t *type);

#endif
