#include "block_counts.h"

#include "boot/text.h"
#include "parameters.h"
#include "pmu/formula/formula.h"

static double value_of(const char *text, const struct counts *given, struct pool *pool)
{
    struct formula_error error;
    struct formula_result result;
    struct formula formula;

    if (text == NULL || formula_compile(&formula, text, strlen(text), pool, &error) != RC_OK)
        return -1;
    topdown_evaluate(given, &formula, &result);
    return result.finite ? result.value : -1;
}

bool block_counts(double *executed, const struct kernel_map *map, const struct counts *given,
                  uint64_t n, struct pool *pool)
{
    struct extra extras[PARAMETERS_MAX + 1];
    struct counts with_n = *given;
    bool any = false;

    with_n.extras = extras;
    with_n.extra_count = 0;
    for (unsigned i = 0; i < given->extra_count && i < PARAMETERS_MAX; i++)
        if (strcmp(given->extras[i].name, "n") != 0)
            extras[with_n.extra_count++] = given->extras[i];
    extras[with_n.extra_count++] = (struct extra){"n", (double)n};
    for (uint32_t b = 0; b < map->block_count; b++) {
        executed[b] = value_of(map->blocks[b].count, &with_n, pool);
        any = any || executed[b] >= 0;
    }
    return any;
}
