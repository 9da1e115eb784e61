/* A processor whose cores are without some causes of lost slots (core/ideal.h). */
#ifndef RIG_MACHINE_IDEAL_PERSONALITY_H
#define RIG_MACHINE_IDEAL_PERSONALITY_H

#include "core/parameters.h"
#include "pmu/personality.h"

struct ideal_personality {
    struct personality first, small; /* `small`: of a hybrid part */
    struct model_parameters first_core, small_core;
};

/* Gives `personality` itself without any, else a copy that is kept in `made`. `ideals`: a set of
 * enum ideal. */
const struct personality *ideal_personality(struct ideal_personality *made,
                                            const struct personality *personality, unsigned ideals);

#endif
