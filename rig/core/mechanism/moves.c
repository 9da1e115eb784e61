/* Move elimination: after an eliminated move two registers share a physical one. The renamer has
 * slots to count how many registers do; a move that finds none free is executed ("Move
 * Elimination" in the Optimization Reference Manual: both registers should be overwritten soon, so
 * that internal resources are not held). How many slots there are and when they are free again
 * follows "uiCA" (A. Abel, J. Reineke), measured. */
#include "moves.h"

#include "core/decode/decoded.h"
#include "core/mechanism_rules.h"

_Static_assert(REG_COUNT <= MOVE_REGISTERS, "a slot for each register");

static bool is_vector(unsigned id)
{
    return id >= REG_VECTOR;
}

/* A slot is free again behind a cycle without eliminations when one register is left in it, except
 * for general registers where all of them must be overwritten. */
static bool frees_early(const struct moves_figures *figures, bool vector)
{
    return vector || !figures->until_all;
}

/* The last register of a slot leaves it. */
static void free_slot(struct moves_state *moves, uint64_t now, unsigned n)
{
    for (unsigned id = 0; moves->slot[n].registers > 0; id++)
        if (moves->sharing >> id & 1 && moves->slot_of[id] == n)
            moves_written(moves, now, id);
}

/* A cycle without eliminations is over: slots that one register had before it are free. */
static void free_singles(const struct moves_figures *figures, struct moves_state *moves,
                         uint64_t now, bool vector, bool last)
{
    for (unsigned n = 0; n < MOVE_SLOTS && frees_early(figures, vector); n++) {
        const struct move_slot *slot = &moves->slot[n];

        if (slot->taken && slot->vector == vector && slot->registers == 1 &&
            !(last && slot->single == moves->cycle))
            free_slot(moves, now, n);
    }
}

/* One more cycle is over. */
static void remember(struct moves_state *moves, bool vector)
{
    moves->eliminated[vector] <<= 8;
    moves->held[vector] = (moves->held[vector] | moves->taken[vector]) << 8;
}

/* The cycle that looked at a move last is over, and all `passed` cycles with it, those left out in
 * which the back end had no room. What more than MOVE_CYCLES do, these have done. */
static void pass_cycles(const struct moves_figures *figures, struct moves_state *moves,
                        uint64_t now, bool vector, uint64_t passed)
{
    if ((moves->eliminated[vector] | moves->held[vector] | moves->taken[vector]) == 0)
        return;
    for (uint64_t i = 0; i < passed && i <= MOVE_CYCLES; i++) {
        if ((moves->eliminated[vector] & 0xff) == 0 && moves->taken[vector] > 0)
            free_singles(figures, moves, now, vector, i == 0);
        remember(moves, vector);
    }
}

static void reach_cycle(const struct moves_figures *figures, struct moves_state *moves,
                        uint64_t now)
{
    uint64_t passed;

    if (moves->cycle == now)
        return;
    passed = now - moves->cycle - moves->full_cycles;
    pass_cycles(figures, moves, now, false, passed);
    pass_cycles(figures, moves, now, true, passed);
    moves->cycle = now;
    moves->full_cycles = 0;
}

/* A move finds a slot if so many are left by the moves of this cycle and of those before it that
 * are still on their way, and by the registers that shared one when the last of these began. */
static bool has_slot(const struct moves_figures *figures, const struct moves_state *moves,
                     bool vector)
{
    unsigned used = moves->held[vector] >> 8 * figures->cycles & 0xff;

    for (unsigned back = 0; back < figures->cycles; back++)
        used += moves->eliminated[vector] >> 8 * back & 0xff;
    return used < figures->slots;
}

/* A slot that is not taken: has_slot leaves fewer than MOVE_SLOTS taken. */
static unsigned take_slot_of(struct moves_state *moves, bool vector)
{
    unsigned n = 0;

    while (moves->slot[n].taken)
        n++;
    moves->slot[n] = (struct move_slot){.taken = true, .vector = vector};
    moves->taken[vector]++;
    return n;
}

static void share(struct moves_state *moves, uint64_t now, unsigned id, unsigned n)
{
    if (moves->sharing >> id & 1 && moves->slot_of[id] == n)
        return;
    if (moves->sharing >> id & 1)
        moves_written(moves, now, id);
    moves->sharing |= UINT64_C(1) << id;
    moves->slot_of[id] = (uint8_t)n;
    moves->slot[n].registers++;
}

bool moves_eliminate(const struct moves_figures *figures, struct moves_state *moves, uint64_t now,
                     const struct uop *uop)
{
    const unsigned from = uop->sources[0], to = uop->destinations[0];
    const bool vector = is_vector(to);
    unsigned n;

    if (figures->slots == 0)
        return true;
    reach_cycle(figures, moves, now);
    if (!has_slot(figures, moves, vector))
        return false;
    moves->eliminated[vector]++;
    n = moves->sharing >> from & 1 ? moves->slot_of[from] : take_slot_of(moves, vector);
    share(moves, now, from, n);
    share(moves, now, to, n);
    return true;
}

void moves_written(struct moves_state *moves, uint64_t now, unsigned id)
{
    struct move_slot *slot = &moves->slot[moves->slot_of[id]];

    moves->sharing &= ~(UINT64_C(1) << id);
    slot->registers--;
    if (slot->registers == 1)
        slot->single = now;
    if (slot->registers > 0)
        return;
    slot->taken = false;
    moves->taken[slot->vector]--;
}

void moves_overwrite(struct moves_state *moves, uint64_t now, uint64_t registers)
{
    for (uint64_t rest = moves->sharing & registers; rest != 0; rest &= rest - 1)
        moves_written(moves, now, (unsigned)__builtin_ctzll(rest));
}

/* Of the cycle that looked at a move last only how long it is ago counts, without those cycles that
 * do not; beyond MOVE_CYCLES all is remembered that ever will be. */
static void relative(struct moves_state *copy, uint64_t now)
{
    const uint64_t passed = now - copy->cycle - copy->full_cycles, looked = copy->cycle;

    for (unsigned i = 0; i < MOVE_SLOTS; i++) {
        struct move_slot *slot = &copy->slot[i];

        slot->single = (uint64_t)(slot->single == looked) << 1 | (slot->single == now);
    }
    copy->cycle = passed < 2 * MOVE_CYCLES ? passed : 2 * MOVE_CYCLES;
    copy->full_cycles = looked == now;
}

const struct moves_rules moves_rules = {.ideals = IDEAL_CORE, .relative = relative};
