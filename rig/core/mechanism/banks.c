/* Two loads of a cycle whose addresses have the same bits 2 to 5 read one bank, and can both have
 * it only if they read the same set of the cache (bits 6 to 12); else the younger is delayed
 * (Optimization Reference Manual, "Handling L1D Cache Bank Conflict", on Sandy Bridge; that bits 2
 * to 5 are right and not 2 to 4, as the manual has it elsewhere: J. McCalpin, in A. Fog's blog,
 * 2013). From measured blocks of Ivy Bridge (doc/model.md): the delayed load has used its port,
 * takes it again, and then has the bank in any case. */
#include "banks.h"

#include "core/pipeline/flow.h"

static struct bank_use *use_in(struct banks_state *state, uint64_t cycle)
{
    return &state->uses[cycle % BANK_USES];
}

uint64_t banks_turn(struct model *model, const struct access *access, uint64_t begun)
{
    struct banks_state *state = &model->mechanisms.banks;
    const uint8_t bank = access->address >> 2 & 0xf, set = access->address >> 6 & 0x7f;
    const uint16_t port = model->loads.second_port ? PORT(2) : PORT(3); /* bound last */
    struct bank_use *use = use_in(state, begun);

    if (use->cycle == begun) {
        if (use->bank != bank || use->set == set)
            return begun;
        begun = take_this_port(model, port, begun + 1);
        cycle_at(&model->time, begun)->executed--; /* the same uop */
        use = use_in(state, begun);
    }
    *use = (struct bank_use){.cycle = begun, .bank = bank, .set = set};
    return begun;
}

/* The uses from `now` on, in their order; the others concern no load any more. */
static void relative(struct banks_state *copy, uint64_t now)
{
    const struct banks_state state = *copy;

    for (unsigned i = 0; i < BANK_USES; i++) {
        const struct bank_use *use = &state.uses[(now + i) % BANK_USES];

        copy->uses[i] = use->cycle < now ? (struct bank_use){0}
                                         : (struct bank_use){.cycle = use->cycle - now + 1,
                                                             .bank = use->bank,
                                                             .set = use->set};
    }
}

/* No load waits for another one where nothing holds up a hit, nor where ports are without end. */
const struct banks_rules banks_rules = {
    .ideals = IDEAL_MEMORY | IDEAL_CORE,
    .relative = relative,
};
