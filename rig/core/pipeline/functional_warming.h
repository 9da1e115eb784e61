/* Instructions whose signals are not observed (is_unobserved). */
#ifndef RIG_CORE_PIPELINE_FUNCTIONAL_WARMING_H
#define RIG_CORE_PIPELINE_FUNCTIONAL_WARMING_H

#include "core/cycle/state.h"

/* To be called before the first such instruction, and after the last. */
RIG_RARE void warming_begin(struct model *model);
RIG_RARE void warming_end(struct model *model);
__attribute__((noinline)) void functional_warming(struct model *model,
                                                  const struct executed *executed);
/* The same before anybody observed: time passes, and nothing is learned. */
__attribute__((noinline)) void fast_forward(struct model *model, const struct executed *executed);

#endif
