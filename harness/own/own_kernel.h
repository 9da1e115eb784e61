/* A kernel of the user's own: machine code and its expectations, from two files of the stick. */
#ifndef HARNESS_OWN_OWN_KERNEL_H
#define HARNESS_OWN_OWN_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "boot/text.h"
#include "kernels/kernel.h"

/* A file of the stick, as it was read. */
struct own_file {
    const char *name; /* in \\slotscope\\ */
    const char *bytes;
    size_t size;
};

enum own_part { OWN_CODE, OWN_EXPECTED, OWN_FILES };

struct own_kernel {
    struct own_kernel *next;
    struct kernel kernel; /* as a built-in one; `code` is the bytes of its file, which cells copy */
    uint32_t deadline_us; /* of one call of the kernel */
    struct own_file files[OWN_FILES];
};

/* The own kernel that this kernel is; null: it is a built-in one. */
static inline const struct own_kernel *own_kernel_of(const struct own_kernel *list,
                                                     const struct kernel *kernel)
{
    while (list != NULL && &list->kernel != kernel)
        list = list->next;
    return list;
}

/* The own kernel of this name; null: there is none. */
static inline const struct own_kernel *own_kernel_named(const struct own_kernel *list,
                                                        const char *name)
{
    while (list != NULL && strcmp(list->kernel.name, name) != 0)
        list = list->next;
    return list;
}

#endif
