#include "kernels/kernel_map.h"

#include <stdbool.h>
#include <stddef.h>

/* Made at build time by tools/kernel_maps.c; a null pointer ends it. */
extern const struct kernel_map *const kernel_maps[] __attribute__((visibility("hidden")));

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const struct kernel_map *kernel_map_of(const char *kernel)
{
    for (const struct kernel_map *const *map = kernel_maps; *map != NULL; map++)
        if (same((*map)->kernel, kernel))
            return *map;
    return NULL;
}
