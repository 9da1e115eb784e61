/* AH, BH, CH and DH, which the renamer keeps apart from the rest of their registers. What it does
 * about them is measured ("uiCA", A. Abel, J. Reineke):
 *
 * - Where a wider part of the register is read after the high byte was written, the renamer adds a
 *   uop that merges the two, on port 1 or 5, and nothing else is allocated in its cycle.
 * - A high byte that is read and was not written since takes a cycle longer. */
#ifndef RIG_CORE_PIPELINE_HIGH_BYTE_H
#define RIG_CORE_PIPELINE_HIGH_BYTE_H

#include "flow.h"

/* Whether the instruction does anything about high bytes. */
static inline bool high_bytes_matter(const struct renamer *renamer, const struct decoded *decoded)
{
    return decoded->high_byte | (renamer->high_written != 0);
}

/* Before its uops: merges what it needs. Gives the uops added. */
unsigned high_bytes_merge(struct model *model, struct flow *flow);
/* Then: which high bytes it has to wait for, as a bit for each register, until high_bytes_done. */
unsigned high_bytes_wait(struct renamer *renamer, const struct decoded *decoded);
/* After its uops. */
void high_bytes_done(struct renamer *renamer, const struct decoded *decoded, unsigned waited);

#endif
