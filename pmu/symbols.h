/* A table of names: what kind of thing a name belongs to, and its place in the array of that kind.
 * Open hashing, so that a formula's name is found without comparing it with every other name. Pure.
 */
#ifndef PMU_SYMBOLS_H
#define PMU_SYMBOLS_H

#include <stdint.h>

enum symbol_kind { SYMBOL_NONE, SYMBOL_EVENT, SYMBOL_PARAMETER, SYMBOL_NODE };

struct symbol {
    char *name;     /* in the array entry; cleared ("") when the entry is dropped */
    uint8_t kind;   /* enum symbol_kind; SYMBOL_NONE: an empty place of the table */
    uint8_t source; /* index of the file in the `like` chain that defined the name last */
    uint16_t index; /* into the array of that kind */
};

struct symbols {
    struct symbol *places;
    uint32_t mask; /* number of places - 1; the number is a power of two */
};

/* Returns the place of the name: its symbol, or the empty place (SYMBOL_NONE) where a symbol of
 * that name is to be written. At least one place must be empty. */
struct symbol *symbols_place(const struct symbols *symbols, const char *name);

#endif
