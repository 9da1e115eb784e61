/* Moves that the renamer eliminates, and the slots that it has for them. */
#ifndef RIG_CORE_MECHANISM_MOVES_H
#define RIG_CORE_MECHANISM_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model.h"

struct uop;

/* All zero: slots without end. */
struct moves_figures {
    uint8_t slots;  /* for eliminated moves of general and as many of vector registers */
    uint8_t cycles; /* for which a move is on its way to one */
    bool until_all; /* the slot of general registers is free only when all of them have been
                        overwritten, not all but one */
};

#define MOVE_REGISTERS 64u /* at least REG_COUNT */
#define MOVE_SLOTS     16u /* more than the slots of a core for general and for vector registers */
#define MOVE_CYCLES    4u

struct move_slot {
    uint64_t single; /* the cycle in which all but one of its registers had been written */
    uint32_t registers;
    uint16_t taken, vector; /* 0 or 1 */
};

/* Index 1: of vector registers. */
struct moves_state {
    uint64_t sharing;     /* a bit for each register that shares its physical one */
    uint64_t cycle;       /* in which a move was looked at last */
    uint64_t full_cycles; /* since then, in which the back end had no room */
    uint8_t slot_of[MOVE_REGISTERS];
    struct move_slot slot[MOVE_SLOTS];
    unsigned taken[2];
    /* A byte for each of the last cycles as the allocator counts, the current one in the lowest:
     * moves eliminated, and slots taken at its end. */
    uint64_t eliminated[2], held[2];
};

/* Whether the renamer eliminates this move, which is allocated now; if so, its registers share a
 * physical one from now on. */
bool moves_eliminate(const struct moves_figures *figures, struct moves_state *moves, uint64_t now,
                     const struct uop *uop);
/* The register, one of `sharing`, is written: it shares its physical one no more. */
void moves_written(struct moves_state *moves, uint64_t now, unsigned id);
/* Those of these registers, a bit each, that share their physical one are written. */
RIG_RARE void moves_overwrite(struct moves_state *moves, uint64_t now, uint64_t registers);

#endif

#ifdef MECHANISM
MECHANISM(moves)
#endif
