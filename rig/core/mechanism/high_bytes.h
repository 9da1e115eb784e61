/* AH, BH, CH and DH, which the renamer keeps apart from the rest of their registers. What it does
 * about them is measured ("uiCA", A. Abel, J. Reineke):
 *
 * - Where a wider part of the register is read after the high byte was written, the renamer adds a
 *   uop that merges the two, on port 1 or 5, and nothing else is allocated in its cycle.
 * - A high byte that is read and was not written since takes a cycle longer. */
#ifndef RIG_CORE_MECHANISM_HIGH_BYTES_H
#define RIG_CORE_MECHANISM_HIGH_BYTES_H

#include <stdbool.h>
#include <stdint.h>

struct decoded;
struct flow;
struct model;

struct high_bytes_figures {
    bool apart; /* they are renamed apart from their registers, and merged when these are read */
};

struct high_bytes_state {
    uint8_t written; /* a bit for each of AH, CH, DH, BH that was written and not merged */
};

/* Whether an instruction does anything about high bytes. `high_byte`: it names one (decoded.h). */
static inline bool high_bytes_matter(const struct high_bytes_state *state, bool high_byte)
{
    return high_byte | (state->written != 0);
}

/* Before its uops: merges what it needs. Gives the uops added. */
unsigned high_bytes_merge(struct model *model, struct flow *flow);
/* Then: which high bytes it has to wait for, as a bit for each register, until high_bytes_done. */
unsigned high_bytes_wait(struct model *model, const struct decoded *decoded);
/* After its uops. */
void high_bytes_done(struct model *model, const struct decoded *decoded, unsigned waited);

#endif

#ifdef MECHANISM
MECHANISM(high_bytes)
#endif
