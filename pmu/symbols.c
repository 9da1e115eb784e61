#include "symbols.h"

#include "boot/text.h"

/* FNV-1a. */
static uint32_t hash(const char *name)
{
    uint32_t sum = 2166136261u;

    for (; *name; name++)
        sum = (sum ^ (uint8_t)*name) * 16777619u;
    return sum;
}

struct symbol *symbols_place(const struct symbols *symbols, const char *name)
{
    uint32_t at = hash(name) & symbols->mask;

    while (symbols->places[at].kind != SYMBOL_NONE && strcmp(symbols->places[at].name, name) != 0)
        at = (at + 1) & symbols->mask;
    return &symbols->places[at];
}
