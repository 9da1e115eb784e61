#include "kernel_causes.h"

#include <stddef.h>

#include "boot/text.h"

extern const struct kernel_causes __start_causes[], __stop_causes[];

const struct kernel_causes *kernel_causes_of(const char *kernel)
{
    for (const struct kernel_causes *at = __start_causes; at < __stop_causes; at++)
        if (strcmp(at->kernel, kernel) == 0)
            return at;
    return NULL;
}
