/* Checks the headers, places the sections and applies the base relocations. "Microsoft Portable
 * Executable and Common Object File Format Specification"; UEFI specification, "UEFI Images". */
#include "pe.h"

#include <stdio.h>
#include <string.h>

#include "device/guest_memory.h"
#include "memory_map.h"

#define MACHINE_X64          0x8664u
#define MAGIC_PE32_PLUS      0x20bu
#define RELOCS_STRIPPED      0x0001u
#define EXECUTABLE           0x0002u
#define DIRECTORY_RELOCATION 5u
#define SECTION_HEADER       40u
#define RELOCATION_ABSOLUTE  0u
#define RELOCATION_DIR64     10u

struct pe_file {
    const uint8_t *bytes;
    size_t size;
    bool beyond; /* a field beyond the end of the file was read */
};

static uint64_t field(struct pe_file *reader, uint64_t offset, unsigned size)
{
    uint64_t value = 0;

    if (offset > reader->size || size > reader->size - offset) {
        reader->beyond = true;
        return 0;
    }
    memcpy(&value, reader->bytes + offset, size);
    return value;
}

struct headers {
    uint64_t coff, optional, sections;
    unsigned section_count, directories, subsystem;
    uint64_t entry, base, image_size, header_size;
    bool stripped;
};

static const char *read_headers(struct pe_file *file, struct headers *headers)
{
    uint64_t pe, optional_size;

    if (file->size < 64 || field(file, 0, 2) != 0x5a4d)
        return "it is not a PE image";
    pe = field(file, 0x3c, 4);
    if (field(file, pe, 4) != 0x4550)
        return file->beyond ? "it is truncated" : "it is not a PE image";
    headers->coff = pe + 4;
    headers->optional = headers->coff + 20;
    if (field(file, headers->coff, 2) != MACHINE_X64)
        return file->beyond ? "it is truncated" : "it is for another machine than x86-64";
    headers->section_count = (unsigned)field(file, headers->coff + 2, 2);
    optional_size = field(file, headers->coff + 16, 2);
    headers->stripped = field(file, headers->coff + 18, 2) & RELOCS_STRIPPED;
    if (!(field(file, headers->coff + 18, 2) & EXECUTABLE))
        return "it is not marked as executable";
    if (optional_size < 112 || field(file, headers->optional, 2) != MAGIC_PE32_PLUS)
        return file->beyond ? "it is truncated" : "its optional header is not PE32+";
    headers->subsystem = (unsigned)field(file, headers->optional + 68, 2);
    if (headers->subsystem < IMAGE_SUBSYSTEM_EFI_APPLICATION ||
        headers->subsystem > IMAGE_SUBSYSTEM_EFI_RUNTIME_DRIVER)
        return "it is not an EFI application";
    headers->entry = field(file, headers->optional + 16, 4);
    headers->base = field(file, headers->optional + 24, 8);
    headers->image_size = field(file, headers->optional + 56, 4);
    headers->header_size = field(file, headers->optional + 60, 4);
    headers->directories = (unsigned)field(file, headers->optional + 108, 4);
    if (headers->directories > (optional_size - 112) / 8)
        return "its data directories do not fit its optional header";
    headers->sections = headers->optional + optional_size;
    field(file, headers->sections, headers->section_count ? 8 : 0);
    if (file->beyond || headers->header_size > file->size)
        return "it is truncated";
    if (headers->image_size == 0 || headers->image_size > LARGEST_IMAGE_FILE ||
        headers->header_size > headers->image_size || headers->entry >= headers->image_size ||
        headers->section_count > 96)
        return "its sizes are impossible";
    return NULL;
}

static const char *place_sections(struct pe_file *file, const struct headers *headers,
                                  uint8_t *image)
{
    memcpy(image, file->bytes, headers->header_size);
    for (unsigned i = 0; i < headers->section_count; i++) {
        uint64_t header = headers->sections + i * SECTION_HEADER;
        uint64_t memory_size = field(file, header + 8, 4), address = field(file, header + 12, 4);
        uint64_t raw_size = field(file, header + 16, 4), raw = field(file, header + 20, 4);
        uint64_t copied = memory_size && memory_size < raw_size ? memory_size : raw_size;
        uint64_t room = memory_size > copied ? memory_size : copied;

        if (file->beyond)
            return "it is truncated";
        if (address > headers->image_size || room > headers->image_size - address)
            return "a section lies outside the image";
        if (copied == 0)
            continue;
        if (raw > file->size || copied > file->size - raw)
            return "it is truncated";
        memcpy(image + address, file->bytes + raw, copied);
    }
    return NULL;
}

static const char *relocate(struct pe_file *file, const struct headers *headers, uint8_t *image,
                            uint64_t delta)
{
    uint64_t entry = headers->optional + 112 + DIRECTORY_RELOCATION * 8;
    uint64_t at, end;

    if (delta == 0)
        return NULL;
    if (headers->stripped)
        return "it has no relocations and its base address is taken";
    if (headers->directories <= DIRECTORY_RELOCATION)
        return NULL;
    at = field(file, entry, 4);
    end = at + field(file, entry + 4, 4);
    if (end > headers->image_size)
        return "its relocations lie outside the image";
    while (end - at >= 8) {
        struct pe_file loaded = {image, headers->image_size, false};
        uint64_t page = field(&loaded, at, 4), size = field(&loaded, at + 4, 4);

        if (size < 8 || size > end - at)
            return "a relocation block has an impossible size";
        for (uint64_t i = at + 8; i + 2 <= at + size; i += 2) {
            unsigned item = (unsigned)field(&loaded, i, 2);
            uint64_t target = page + (item & 0xfff), value;

            if (item >> 12 == RELOCATION_ABSOLUTE)
                continue;
            if (item >> 12 != RELOCATION_DIR64)
                return "it has a relocation type that x86-64 does not";
            if (target + 8 > headers->image_size)
                return "a relocation lies outside the image";
            memcpy(&value, image + target, 8);
            value += delta;
            memcpy(image + target, &value, 8);
        }
        at += size;
    }
    return NULL;
}

bool pe_is_foreign(const uint8_t *bytes, size_t size)
{
    struct pe_file file = {bytes, size, false};
    uint64_t pe = field(&file, 0x3c, 4);

    return field(&file, 0, 2) == 0x5a4d && field(&file, pe, 4) == 0x4550 &&
           field(&file, pe + 4, 2) != MACHINE_X64 && !file.beyond;
}

bool pe_load(const struct guest_memory *memory, struct memory_map *map, const uint8_t *bytes,
             size_t size, struct pe_image *image, char *why, size_t why_size)
{
    struct pe_file file = {bytes, size, false};
    struct headers headers = {0};
    const char *problem = read_headers(&file, &headers);
    uint8_t *place;

    if (problem == NULL) {
        image->size = headers.image_size;
        image->subsystem = headers.subsystem;
        image->base = memory_map_allocate(map, AllocateAddress, EfiLoaderCode,
                                          PAGES_OF(image->size), headers.base);
        if (!image->base)
            image->base =
                memory_map_allocate(map, AllocateAnyPages, EfiLoaderCode, PAGES_OF(image->size), 0);
        place = image->base ? memory_at(memory, image->base, image->size) : NULL;
        if (place == NULL)
            problem = "there is no memory for it";
        if (problem == NULL)
            problem = place_sections(&file, &headers, place);
        if (problem == NULL)
            problem = relocate(&file, &headers, place, image->base - headers.base);
        image->entry = image->base + headers.entry;
        if (problem != NULL && image->base)
            memory_map_release(map, image->base, PAGES_OF(image->size));
    }
    if (problem != NULL)
        snprintf(why, why_size, "%s", problem);
    return problem == NULL;
}
