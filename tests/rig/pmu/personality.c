/* Finding a personality. The linker collects all of them in one section (PERSONALITY). */
#include "personality.h"

#include <stddef.h>
#include <string.h>

extern const struct personality *const __start_personalities[];
extern const struct personality *const __stop_personalities[];

const struct personality *personality_find(const char *name)
{
    const struct personality *const *entry;

    for (entry = __start_personalities; entry < __stop_personalities; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

const struct personality *personality_of_core(const struct personality *personality, unsigned core,
                                              unsigned cores)
{
    return personality->small != NULL && core >= cores - cores / 2 ? personality->small
                                                                   : personality;
}

void personality_list(void (*line)(const struct personality *personality))
{
    const struct personality *const *entry;

    for (entry = __start_personalities; entry < __stop_personalities; entry++)
        line(*entry);
}
