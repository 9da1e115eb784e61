/* The registry: every kernel file laid one struct kernel into the section `kernels`, in whatever
 * order the linker met them; callers see them by name. */
#include "kernels/kernel.h"

#include <stdbool.h>
#include <stddef.h>

/* Made by the linker around the section; the table is one array because a struct kernel has the
 * size that kernel.inc gives it. */
extern const struct kernel __start_kernels[] __attribute__((visibility("hidden")));
extern const struct kernel __stop_kernels[] __attribute__((visibility("hidden")));

_Static_assert(sizeof(struct kernel) == 17 * 8, "kernel.inc lays out 17 words");
_Static_assert(sizeof(struct kernel_expectation) == 3 * 8, "kernel.inc lays out three words");
_Static_assert(sizeof(struct kernel_branch) == 2 * 8, "kernel.inc lays out two words");

static int name_compare(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

/* By name; by place, should two have the same name. */
static bool comes_before(const struct kernel *kernel, const struct kernel *other)
{
    int order = name_compare(kernel->name, other->name);

    return order < 0 || (order == 0 && kernel < other);
}

static unsigned rank_of(const struct kernel *kernel)
{
    unsigned rank = 0;

    for (const struct kernel *other = __start_kernels; other < __stop_kernels; other++)
        if (comes_before(other, kernel))
            rank++;
    return rank;
}

unsigned kernels_count(void)
{
    return (unsigned)(__stop_kernels - __start_kernels);
}

const struct kernel *kernels_at(unsigned index)
{
    for (const struct kernel *kernel = __start_kernels; kernel < __stop_kernels; kernel++)
        if (rank_of(kernel) == index)
            return kernel;
    return NULL;
}

const struct kernel *kernels_after(const struct kernel *before)
{
    const struct kernel *next = NULL;

    for (const struct kernel *kernel = __start_kernels; kernel < __stop_kernels; kernel++)
        if ((before == NULL || comes_before(before, kernel)) &&
            (next == NULL || comes_before(kernel, next)))
            next = kernel;
    return next;
}
