/* Moves that the renamer eliminates, and the slots that it has for them. */
#ifndef RIG_CORE_PIPELINE_MOVES_H
#define RIG_CORE_PIPELINE_MOVES_H

#include "core/cycle/state.h"

/* Whether the renamer eliminates this move, which is allocated now; if so, its registers share a
 * physical one from now on. */
bool moves_eliminate(const struct model_parameters *p, struct renamer *renamer, uint64_t now,
                     const struct uop *uop);
/* The register, one of renamer->sharing, is written: it shares its physical one no more. */
void moves_written(struct renamer *renamer, uint64_t now, unsigned id);
/* Those of these registers, a bit each, that share their physical one are written. */
RIG_RARE void moves_overwrite(struct renamer *renamer, uint64_t now, uint64_t registers);

#endif
