/* A core without a machine: nobody counts what it does, and all memory is one large page. */
#ifndef RIG_BLOCKS_BARE_CORE_H
#define RIG_BLOCKS_BARE_CORE_H

#include "core/model.h"

struct bare_core {
    struct shared_cache *shared;
    struct model *model;
};

/* False: the host's memory ran out, and nothing is to be freed. */
bool bare_core_new(struct bare_core *bare, const struct model_parameters *parameters);
void bare_core_free(struct bare_core *bare);

#endif
