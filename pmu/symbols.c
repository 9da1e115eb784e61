#include "symbols.h"

#include "boot/text.h"

static uint64_t add(uint64_t sum, const char *bytes, size_t size)
{
    uint64_t word = 0;

    memcpy(&word, bytes, size);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio */
    return sum ^ sum >> 32;
}

/* Eight bytes at a time, as most names have over twenty. The last eight may be there twice. */
static uint32_t hash(const char *name)
{
    const size_t length = strlen(name);
    uint64_t sum = length;

    if (length < 8)
        return (uint32_t)add(sum, name, length);
    for (size_t at = 0; at + 8 < length; at += 8)
        sum = add(sum, name + at, 8);
    return (uint32_t)add(sum, name + length - 8, 8);
}

struct symbol *symbols_place(const struct symbols *symbols, const char *name)
{
    uint32_t at = hash(name) & symbols->mask;

    while (symbols->places[at].kind != SYMBOL_NONE && strcmp(symbols->places[at].name, name) != 0)
        at = (at + 1) & symbols->mask;
    return &symbols->places[at];
}
