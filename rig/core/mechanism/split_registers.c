#include "split_registers.h"

#include "core/mechanism_rules.h"
#include "core/parameters.h"

uint64_t *split_registers_first(const struct split_registers_figures *figures,
                                struct split_registers_state *state)
{
    uint64_t *first = &state->free[0];

    for (unsigned i = 1; i < figures->count; i++)
        if (state->free[i] < *first)
            first = &state->free[i];
    return first;
}

static void relative(struct split_registers_state *copy, uint64_t now)
{
    for (unsigned i = 0; i < SPLIT_REGISTERS; i++)
        copy->free[i] = cycles_ahead(copy->free[i], now);
}

const struct split_registers_rules split_registers_rules = {
    .ideals = IDEAL_MEMORY,
    .relative = relative,
};
