#include "pe_image.h"

#include <stdbool.h>

#include "boot/text.h"

/* Offsets in the file's headers. */
#define PE_OFFSET      0x3c /* in the DOS header: where the PE header begins */
#define PE_HEADER      24u  /* signature and COFF header */
#define SECTION        40u  /* one entry of the table of sections */
#define OPTIONAL_LEAST 64u
#define MOST_BYTES     (64u << 20)
#define MACHINE_X64    0x8664
#define MAGIC_PE32PLUS 0x20b

static uint16_t read_16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t read_32(const uint8_t *at)
{
    return read_16(at) | (uint32_t)read_16(at + 2) << 16;
}

struct section {
    uint32_t address, bytes; /* in memory */
    uint32_t from, length;   /* in the file */
};

static struct section section_of(const struct pe_image *image, unsigned n)
{
    const uint8_t *entry = image->file + image->sections + n * SECTION;

    return (struct section){read_32(entry + 12), read_32(entry + 8), read_32(entry + 20),
                            read_32(entry + 16)};
}

static bool within(uint64_t at, uint64_t bytes, uint64_t whole)
{
    return at <= whole && bytes <= whole - at;
}

static bool sections_fit(const struct pe_image *image)
{
    for (unsigned i = 0; i < image->section_count; i++) {
        const struct section section = section_of(image, i);

        if (!within(section.address, section.bytes, image->bytes) ||
            !within(section.address, section.length, image->bytes) ||
            !within(section.from, section.length, image->size))
            return false;
    }
    return true;
}

const char *pe_image_read(struct pe_image *image, const void *file, size_t size)
{
    const uint8_t *bytes = file, *optional;
    uint32_t at;

    *image = (struct pe_image){.file = bytes, .size = size};
    if (size < PE_OFFSET + 4 || bytes[0] != 'M' || bytes[1] != 'Z')
        return "the image is no PE file";
    at = read_32(bytes + PE_OFFSET);
    if (!within(at, PE_HEADER + OPTIONAL_LEAST, size) || memcmp(bytes + at, "PE\0\0", 4) != 0)
        return "the image is no PE file";
    optional = bytes + at + PE_HEADER;
    if (read_16(bytes + at + 4) != MACHINE_X64 || read_16(optional) != MAGIC_PE32PLUS)
        return "the image is for another processor";
    image->section_count = read_16(bytes + at + 6);
    image->sections = at + PE_HEADER + read_16(bytes + at + 20);
    image->entry = read_32(optional + 16);
    image->bytes = read_32(optional + 56);
    image->headers = read_32(optional + 60);
    if (!within(image->sections, (uint64_t)image->section_count * SECTION, size) ||
        image->bytes > MOST_BYTES || image->headers > image->bytes || image->headers > size ||
        image->entry >= image->bytes || !sections_fit(image))
        return "the image is cut or damaged";
    return NULL;
}

void pe_image_load(const struct pe_image *image, uint8_t *memory)
{
    memset(memory, 0, image->bytes);
    memcpy(memory, image->file, image->headers);
    for (unsigned i = 0; i < image->section_count; i++) {
        const struct section section = section_of(image, i);

        memcpy(memory + section.address, image->file + section.from, section.length);
    }
}
