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

/* A slot whose last register but one is overwritten is free again in a cycle without eliminations,
 * except for general registers where all of them must be. */
static bool frees_early(const struct model *model, bool vector)
{
    return vector || !model->p->move_slots_until_all;
}

static void leave(struct moves *moves, struct move_slot *slot)
{
    if (slot->registers == 0)
        moves->taken[slot->vector]--;
    slot->taken = slot->registers > 0;
}

/* The cycle that allocated last is over, and `passed` cycles with it, the cycles in which the back
 * end had no room left out. */
static void pass_cycles(struct model *model, uint64_t passed)
{
    struct moves *moves = &model->moves;

    for (unsigned vector = 0; vector < 2; vector++) {
        for (uint64_t i = 0; i < passed && i < MOVE_CYCLES; i++) {
            const bool none = i > 0 || moves->eliminated[vector][0] == 0;

            for (unsigned n = 0; n < MOVE_SLOTS && none && frees_early(model, vector); n++) {
                struct move_slot *slot = &moves->slot[n];

                if (!slot->taken || slot->vector != vector || slot->registers > 1 ||
                    (i == 0 && slot->single == moves->cycle))
                    continue;
                for (unsigned id = 0; slot->registers > 0; id++)
                    if (moves->shared >> id & 1 && moves->slot_of[id] == n)
                        moves_written(model, id);
            }
            for (unsigned back = MOVE_CYCLES - 1; back > 0; back--) {
                moves->eliminated[vector][back] = moves->eliminated[vector][back - 1];
                moves->held[vector][back] = moves->held[vector][back - 1];
            }
            moves->eliminated[vector][0] = 0;
            moves->held[vector][1] = moves->taken[vector];
        }
    }
}

static void reach_cycle(struct model *model)
{
    struct moves *moves = &model->moves;

    if (moves->cycle == model->now)
        return;
    pass_cycles(model, model->now - moves->cycle - moves->full_cycles);
    moves->cycle = model->now;
    moves->full_cycles = 0;
}

/* A move finds a slot if so many are left by the moves of this cycle and of those before it that
 * are still on their way, and by the registers that shared one when the last of these began. */
static bool has_slot(const struct model *model, bool vector)
{
    const struct moves *moves = &model->moves;
    unsigned used = moves->held[vector][model->p->move_cycles];

    for (unsigned back = 0; back < model->p->move_cycles; back++)
        used += moves->eliminated[vector][back];
    return used < model->p->move_slots;
}

static unsigned free_slot(const struct moves *moves)
{
    unsigned n = 0;

    while (n < MOVE_SLOTS - 1 && moves->slot[n].taken)
        n++;
    return n;
}

static void share(struct model *model, unsigned id, unsigned n)
{
    struct moves *moves = &model->moves;

    if (moves->shared >> id & 1 && moves->slot_of[id] == n)
        return;
    if (moves->shared >> id & 1)
        moves_written(model, id);
    moves->shared |= UINT64_C(1) << id;
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
    moves->eliminated[vector][0]++;
    if (moves->shared >> from & 1) {
        n = moves->slot_of[from];
    } else {
        n = free_slot(moves);
        if (moves->slot[n].taken)
            return true; /* never: has_slot leaves more than there can be */
        moves->slot[n] = (struct move_slot){.taken = true, .vector = vector};
        moves->taken[vector]++;
    }
    share(model, from, n);
    share(model, to, n);
    return true;
}

void moves_written(struct model *model, unsigned id)
{
    struct moves *moves = &model->moves;
    struct move_slot *slot = &moves->slot[moves->slot_of[id]];

    moves->shared &= ~(UINT64_C(1) << id);
    slot->registers--;
    if (slot->registers == 1)
        slot->single = model->now;
    leave(moves, slot);
}
