#include "builtin.h"

#include <stdint.h>

#include "boot/text.h"

/* An entry of the linker section `cpus`, laid out by cpu_file.asm. */
struct builtin {
    const char *name;
    const char *text;
    uint64_t size;
};

extern const struct builtin __start_cpus[], __stop_cpus[];

const char *builtin_name(unsigned index)
{
    return index < (size_t)(__stop_cpus - __start_cpus) ? __start_cpus[index].name : NULL;
}

const char *builtin_text(const char *name, size_t *size)
{
    for (const struct builtin *cpu = __start_cpus; cpu < __stop_cpus; cpu++)
        if (strcmp(cpu->name, name) == 0) {
            *size = (size_t)cpu->size;
            return cpu->text;
        }
    return NULL;
}
