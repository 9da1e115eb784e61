/* The short way of an instruction that is one uop. */
#ifndef RIG_CORE_PIPELINE_PLAIN_H
#define RIG_CORE_PIPELINE_PLAIN_H

#include "core/cycle/state.h"

/* Takes a plain instruction (decoded->plain) all the way. False: something about it is not plain,
 * and nothing was done. */
bool model_plain(struct model *model, const struct decoded *decoded,
                 const struct executed *executed);

#endif
