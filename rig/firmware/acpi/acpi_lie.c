#include "acpi_lie.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    enum acpi_lie lie;
} names[] = {
    {"madt:twice", LIE_MADT_TWICE},   {"madt:nobody", LIE_MADT_NOBODY},
    {"srat:nobody", LIE_SRAT_NOBODY}, {"srat:no-memory", LIE_SRAT_NO_MEMORY},
    {"slit:short", LIE_SLIT_SHORT},   {"slit:long", LIE_SLIT_LONG},
    {"slit:cut", LIE_SLIT_CUT},       {"mcfg:memory", LIE_MCFG_MEMORY},
    {"mcfg:cut", LIE_MCFG_CUT},
};

bool acpi_lie_parse(unsigned *lies, const char *text)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(text, names[i].name) == 0) {
            *lies |= names[i].lie;
            return true;
        }
    return false;
}
