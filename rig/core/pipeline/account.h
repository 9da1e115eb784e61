/* One executed instruction is accounted for. */
#ifndef RIG_CORE_PIPELINE_ACCOUNT_H
#define RIG_CORE_PIPELINE_ACCOUNT_H

#include "core/cycle/state.h"

/* Takes the instruction through the pipeline, now. */
void account(struct model *model, const struct executed *executed);

#endif
