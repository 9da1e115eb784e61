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
static bool frees_early(const struct model *model, bool vector)
{
    return vector || !model->p->move_slots_until_all;
}

/* The last register of a slot leaves it. */
static void free_slot(struct model *model, unsigned n)
{
    for (unsigned id = 0; model->moves.slot[n].registers > 0; id++)
        if (model->sharing >> id & 1 && model->moves.slot_of[id] == n)
            moves_written(model, id);
}

/* A cycle without eliminations is over: slots that one register had before it are free. */
static void free_singles(struct model *model, bool vector, bool last)
{
    const struct moves *moves = &model->moves;

    for (unsigned n = 0; n < MOVE_SLOTS && frees_early(model, vector); n++) {
        const struct move_slot *slot = &moves->slot[n];

        if (slot->taken && slot->vector == vector && slot->registers == 1 &&
            !(last && slot->single == moves->cycle))
            free_slot(model, n);
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
static void pass_cycles(struct model *model, bool vector, uint64_t passed)
{
    struct moves *moves = &model->moves;

    if ((moves->eliminated[vector] | moves->held[vector] | moves->taken[vector]) == 0)
        return;
    for (uint64_t i = 0; i < passed && i <= MOVE_CYCLES; i++) {
        if ((moves->eliminated[vector] & 0xff) == 0 && moves->taken[vector] > 0)
            free_singles(model, vector, i == 0);
        remember(moves, vector);
    }
}

static void reach_cycle(struct model *model)
{
    struct moves *moves = &model->moves;
    uint64_t passed;

    if (moves->cycle == model->now)
        return;
    passed = model->now - moves->cycle - moves->full_cycles;
    pass_cycles(model, false, passed);
    pass_cycles(model, true, passed);
    moves->cycle = model->now;
    moves->full_cycles = 0;
}

/* A move finds a slot if so many are left by the moves of this cycle and of those before it that
 * are still on their way, and by the registers that shared one when the last of these began. */
static bool has_slot(const struct model *model, bool vector)
{
    const struct moves *moves = &model->moves;
    unsigned used = moves->held[vector] >> 8 * model->p->move_cycles & 0xff;

    for (unsigned back = 0; back < model->p->move_cycles; back++)
        used += moves->eliminated[vector] >> 8 * back & 0xff;
    return used < model->p->move_slots;
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

static void share(struct model *model, unsigned id, unsigned n)
{
    struct moves *moves = &model->moves;

    if (model->sharing >> id & 1 && moves->slot_of[id] == n)
        return;
    if (model->sharing >> id & 1)
        moves_written(model, id);
    model->sharing |= UINT64_C(1) << id;
    moves->slot_of[id] = (uint8_t)n;
    moves->slot[n].registers++;
}

bool moves_eliminate(struct model *model, const struct uop *uop)
{
    struct moves *moves = &model->moves;
    const unsigned from = uop->sources[0], to = uop->destinations[0];
    const bool vector = is_vector(to);
    unsigned n;

    if (model->p->move_slots == 0)
        return true;
    reach_cycle(model);
    if (!has_slot(model, vector))
        return false;
    moves->eliminated[vector]++;
    n = model->sharing >> from & 1 ? moves->slot_of[from] : take_slot_of(moves, vector);
    share(model, from, n);
    share(model, to, n);
    return true;
}

void moves_written(struct model *model, unsigned id)
{
    struct moves *moves = &model->moves;
    struct move_slot *slot = &moves->slot[moves->slot_of[id]];

    model->sharing &= ~(UINT64_C(1) << id);
    slot->registers--;
    if (slot->registers == 1)
        slot->single = model->now;
    if (slot->registers > 0)
        return;
    slot->taken = false;
    moves->taken[slot->vector]--;
}

void moves_overwrite(struct model *model, uint64_t registers)
{
    for (uint64_t rest = model->sharing & registers; rest != 0; rest &= rest - 1)
        moves_written(model, (unsigned)__builtin_ctzll(rest));
}
