/* The registry. Every kernel file has put one struct kernel into the section `kernels`, in the
 * order of linking; callers see the kernels in the order of their names. */
#include "kernels/kernel.h"

#include <stdbool.h>
#include <stddef.h>

/* The linker defines these bounds of the section. The section is one array because kernel.inc lays
 * out exactly a struct kernel. */
extern const struct kernel __start_kernels[] __attribute__((visibility("hidden")));
extern const struct kernel __stop_kernels[] __attribute__((visibility("hidden")));

_Static_assert(sizeof(struct kernel) == 32 * 8, "kernel.inc lays out 32 words");
_Static_assert(sizeof(struct kernel_expectation) == 3 * 8, "kernel.inc lays out three words");
_Static_assert(sizeof(struct kernel_branch) == 2 * 8, "kernel.inc lays out two words");
_Static_assert(sizeof(struct kernel_step) == 3 * 8, "kernel.inc lays out three words");

static int name_compare(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

/* In the order of names, and for equal names of addresses. */
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

const struct kernel *kernels_linked(unsigned index)
{
    return index < kernels_count() ? &__start_kernels[index] : NULL;
}

const struct kernel *kernels_named(const char *name)
{
    for (const struct kernel *kernel = __start_kernels; kernel < __stop_kernels; kernel++)
        if (name_compare(kernel->name, name) == 0)
            return kernel;
    return NULL;
}

/* By insertion: files are linked in the order of their names, so there is little to move. */
void kernels_sort(const struct kernel *sorted[])
{
    unsigned count = 0;

    for (const struct kernel *kernel = __start_kernels; kernel < __stop_kernels; kernel++) {
        unsigned to = count++;

        for (; to > 0 && comes_before(kernel, sorted[to - 1]); to--)
            sorted[to] = sorted[to - 1];
        sorted[to] = kernel;
    }
}
