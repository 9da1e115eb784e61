/* What the assembled object of a kernel file holds for the map of its code: the code's bytes, and
 * the statements BLOCK and TARGETS (kernels/kernel.inc). */
#ifndef TOOLS_KERNEL_OBJECT_H
#define TOOLS_KERNEL_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* BLOCK .label, count */
struct stated_block {
    uint32_t offset; /* of the label, in bytes from CODE; so are all offsets here */
    const char *label, *count;
};

/* One label of TARGETS .branch, .label, ... */
struct stated_target {
    uint32_t branch, target;
    const char *branch_label, *target_label;
};

struct kernel_object {
    const char *name; /* of the kernel; null: the object holds no statements, so all else is 0 */
    const uint8_t *code;
    uint32_t bytes;
    struct stated_block *blocks; /* in the order of the file */
    struct stated_target *targets;
    uint32_t block_count, target_count;
};

/* Reads an ELF object of `bytes` bytes at `image`, into whose bytes *object points from then on.
 * False: it is not one, or its statements are cut off; *error says what. kernel_object_free takes
 * back the memory, whether it went well or not. */
bool kernel_object_read(struct kernel_object *object, const uint8_t *image, size_t bytes,
                        const char **error);
void kernel_object_free(struct kernel_object *object);

#endif
