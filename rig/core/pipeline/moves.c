/* Move elimination: after an eliminated move two registers share a physical one. The renamer has
 * slots to count how many registers do; a move that finds none free is executed ("Move
 * Elimination" in the Optimization Reference Manual: both registers should be overwritten soon, so
 * that internal resources are not held). How many slots there are and when they are free again
 * follows "uiCA" (A. Abel, J. Reineke), measured. */
#include "moves.h"

static bool is_vector(unsigned id)
{
    return id >= REG_VECTOR;
}

/* A slot is free again behind a cycle without eliminations when one register is left in it, except
 * for general registers where all of them must be overwritten. */
static bool frees_early(const struct model_parameters *p, bool vector)
{
    return vector || !p->move_slots_until_all;
}

/* The last register of a slot leaves it. */
static void free_slot(struct renamer *renamer, uint64_t now, unsigned n)
{
    for (unsigned id = 0; renamer->moves.slot[n].registers > 0; id++)
        if (renamer->sharing >> id & 1 && renamer->moves.slot_of[id] == n)
            moves_written(renamer, now, id);
}

/* A cycle without eliminations is over: slots that one register had before it are free. */
static void free_singles(const struct model_parameters *p, struct renamer *renamer, uint64_t now,
                         bool vector, bool last)
{
    const struct moves *moves = &renamer->moves;

    for (unsigned n = 0; n < MOVE_SLOTS && frees_early(p, vector); n++) {
        const struct move_slot *slot = &moves->slot[n];

        if (slot->taken && slot->vector == vector && slot->registers == 1 &&
            !(last && slot->single == moves->cycle))
            free_slot(renamer, now, n);
    }
}

/* One more cycle is over. */
static void remember(struct moves *moves, bool vector)
{
    moves->eliminated[vector] <<= 8;
    moves->held[vector] = (moves->held[vector] | moves->taken[vector]) << 8;
}

/* The cycle that looked at a move last is over, and all `passed` cycles with it, those left out in
 * which the back end had no room. What more than MOVE_CYCLES do, these have done. */
static void pass_cycles(const struct model_parameters *p, struct renamer *renamer, uint64_t now,
                        bool vector, uint64_t passed)
{
    struct moves *moves = &renamer->moves;

    if ((moves->eliminated[vector] | moves->held[vector] | moves->taken[vector]) == 0)
        return;
    for (uint64_t i = 0; i < passed && i <= MOVE_CYCLES; i++) {
        if ((moves->eliminated[vector] & 0xff) == 0 && moves->taken[vector] > 0)
            free_singles(p, renamer, now, vector, i == 0);
        remember(moves, vector);
    }
}

static void reach_cycle(const struct model_parameters *p, struct renamer *renamer, uint64_t now)
{
    struct moves *moves = &renamer->moves;
    uint64_t passed;

    if (moves->cycle == now)
        return;
    passed = now - moves->cycle - moves->full_cycles;
    pass_cycles(p, renamer, now, false, passed);
    pass_cycles(p, renamer, now, true, passed);
    moves->cycle = now;
    moves->full_cycles = 0;
}

/* A move finds a slot if so many are left by the moves of this cycle and of those before it that
 * are still on their way, and by the registers that shared one when the last of these began. */
static bool has_slot(const struct model_parameters *p, const struct moves *moves, bool vector)
{
    unsigned used = moves->held[vector] >> 8 * p->move_cycles & 0xff;

    for (unsigned back = 0; back < p->move_cycles; back++)
        used += moves->eliminated[vector] >> 8 * back & 0xff;
    return used < p->move_slots;
}

/* A slot that is not taken: has_slot leaves fewer than MOVE_SLOTS taken. */
static unsigned take_slot_of(struct moves *moves, bool vector)
{
    unsigned n = 0;

    while (moves->slot[n].taken)
        n++;
    moves->slot[n] = (struct move_slot){.taken = true, .vector = vector};
    moves->taken[vector]++;
    return n;
}

static void share(struct renamer *renamer, uint64_t now, unsigned id, unsigned n)
{
    struct moves *moves = &renamer->moves;

    if (renamer->sharing >> id & 1 && moves->slot_of[id] == n)
        return;
    if (renamer->sharing >> id & 1)
        moves_written(renamer, now, id);
    renamer->sharing |= UINT64_C(1) << id;
    moves->slot_of[id] = (uint8_t)n;
    moves->slot[n].registers++;
}

bool moves_eliminate(const struct model_parameters *p, struct renamer *renamer, uint64_t now,
                     const struct uop *uop)
{
    struct moves *moves = &renamer->moves;
    const unsigned from = uop->sources[0], to = uop->destinations[0];
    const bool vector = is_vector(to);
    unsigned n;

    if (p->move_slots == 0)
        return true;
    reach_cycle(p, renamer, now);
    if (!has_slot(p, moves, vector))
        return false;
    moves->eliminated[vector]++;
    n = renamer->sharing >> from & 1 ? moves->slot_of[from] : take_slot_of(moves, vector);
    share(renamer, now, from, n);
    share(renamer, now, to, n);
    return true;
}

void moves_written(struct renamer *renamer, uint64_t now, unsigned id)
{
    struct moves *moves = &renamer->moves;
    struct move_slot *slot = &moves->slot[moves->slot_of[id]];

    renamer->sharing &= ~(UINT64_C(1) << id);
    slot->registers--;
    if (slot->registers == 1)
        slot->single = now;
    if (slot->registers > 0)
        return;
    slot->taken = false;
    moves->taken[slot->vector]--;
}

void moves_overwrite(struct renamer *renamer, uint64_t now, uint64_t registers)
{
    for (uint64_t rest = renamer->sharing & registers; rest != 0; rest &= rest - 1)
        moves_written(renamer, now, (unsigned)__builtin_ctzll(rest));
}
