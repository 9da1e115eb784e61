/* A kernel under Linux, once: hosted NAME NNNNNNNN. The number of iterations always has the same
 * number of digits, so that two runs differ in nothing but the kernel's own loop. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/kernel.h"

#define ARENA_MOST ((size_t)8 << 20)
#define ALIGNMENT  ((size_t)2 << 20)

extern const struct kernel __start_kernels[], __stop_kernels[];

int main(int count, char **words)
{
    const struct kernel *kernel = __start_kernels;
    unsigned long long n, bytes;
    void *arena = NULL;

    if (count != 3)
        return 2;
    while (kernel < __stop_kernels && strcmp(kernel->name, words[1]))
        kernel++;
    n = strtoull(words[2], NULL, 10);
    if (kernel == __stop_kernels || !n)
        return 2;
    bytes = strtoull(kernel->arena, NULL, 0);
    if (bytes > ARENA_MOST || posix_memalign(&arena, ALIGNMENT, ARENA_MOST))
        return 2;
    if (mprotect(arena, ARENA_MOST, PROT_READ | PROT_WRITE | PROT_EXEC))
        return 2;
    if (kernel->prepare != NULL)
        kernel_call(kernel->prepare, n, arena, bytes, 0);
    if (kernel->reset != NULL)
        kernel_call(kernel->reset, n, arena, bytes, 0);
    kernel_call(kernel->code, n, arena, bytes, 0);
    return 0;
}
