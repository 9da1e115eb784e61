#include "ideal_personality.h"

#include <stddef.h>

#include "core/ideal.h"

static void make(struct personality *made, struct model_parameters *core,
                 const struct personality *personality, unsigned ideals)
{
    *made = *personality;
    *core = *personality->core;
    ideal_core(core, ideals);
    made->core = core;
}

const struct personality *ideal_personality(struct ideal_personality *made,
                                            const struct personality *personality, unsigned ideals)
{
    if (ideals == 0)
        return personality;
    make(&made->first, &made->first_core, personality, ideals);
    if (personality->small != NULL) {
        make(&made->small, &made->small_core, personality->small, ideals);
        made->first.small = &made->small;
    }
    return &made->first;
}
