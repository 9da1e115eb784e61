/* The image as a PE file: where its sections go, and where it begins (Microsoft PE format, PE32+).
 * Pure. */
#ifndef BIOS_PE_IMAGE_H
#define BIOS_PE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct pe_image {
    const uint8_t *file;
    size_t size;       /* of the file */
    uint32_t bytes;    /* of the image in memory */
    uint32_t entry;    /* offset of the first instruction */
    uint32_t headers;  /* bytes of the file that come first in memory */
    uint32_t sections; /* offset of the table of sections in the file */
    unsigned section_count;
};

/* Null, or why the file cannot be loaded. */
const char *pe_image_read(struct pe_image *image, const void *file, size_t size);
/* Lays the image out at memory[image->bytes]. It relocates itself. */
void pe_image_load(const struct pe_image *image, uint8_t *memory);

#endif
