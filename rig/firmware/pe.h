/* The PE/COFF loader: an image from the bytes of its file to its place in guest memory. */
#ifndef RIG_FIRMWARE_PE_H
#define RIG_FIRMWARE_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest_memory;
struct memory_map;

#define LARGEST_IMAGE_FILE (64u << 20) /* bytes; in memory an image is no larger */

struct pe_image {
    uint64_t base, size, entry;
    unsigned subsystem; /* IMAGE_SUBSYSTEM_EFI_ ... */
};

/* Allocates as much as the image needs, at its preferred address if that is free, and loads and
 * relocates it. False, with a line in `why` and nothing allocated, when it is no image for this
 * machine. */
bool pe_load(const struct guest_memory *memory, struct memory_map *map, const uint8_t *bytes,
             size_t size, struct pe_image *image, char *why, size_t why_size);
/* Whether the file is a PE image for another machine than x86-64. */
bool pe_is_foreign(const uint8_t *bytes, size_t size);

#endif
