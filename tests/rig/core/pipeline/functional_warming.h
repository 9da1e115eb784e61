/* Instructions while nobody looks at the signals: is_unobserved. */
#ifndef RIG_CORE_FUNCTIONAL_WARMING_H
#define RIG_CORE_FUNCTIONAL_WARMING_H

#include "state.h"

/* Before the first of these instructions, and after the last one. */
RIG_RARE void warming_begin(struct model *model);
RIG_RARE void warming_end(struct model *model);
__attribute__((noinline)) void functional_warming(struct model *model,
                                                  const struct executed *executed);

#endif
