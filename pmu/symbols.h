/* What the names of a description mean: an open hash table, so that evaluating a formula does not
 * compare every name. */
#ifndef PMU_SYMBOLS_H
#define PMU_SYMBOLS_H

#include "description.h"

enum symbol_kind { SYMBOL_NONE, SYMBOL_EVENT, SYMBOL_PARAMETER, SYMBOL_NODE };

struct symbol {
    uint8_t kind;
    uint8_t source; /* which file of the `like` chain said it last */
    uint16_t index; /* into the description's array of that kind */
};

/* The symbol of that name; SYMBOL_NONE when the name means nothing. Without a search when `name` is
 * what symbol_name gave. */
struct symbol symbol_find(const struct description *description, const char *name);
/* The name as it stands in what it names, for as long as the description lasts. */
char *symbol_name(const struct description *description, struct symbol symbol);
/* The place of that name in the table, empty (SYMBOL_NONE) when it is new. The table always has an
 * empty place. */
struct symbol *symbol_place(const struct description *description, const char *name);
/* What the symbol names loses its name, and so is found no more. It keeps its place in the table
 * and in the description's array until parse_close_up. */
void symbol_forget(struct description *description, const struct symbol *symbol);

#endif
