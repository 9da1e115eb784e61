/* Which port a uop takes of those that are free when it begins. */
#ifndef RIG_CORE_CYCLE_PORTS_H
#define RIG_CORE_CYCLE_PORTS_H

#include "state.h"

/* Of these ports the one that the fewest uops took of late; the uop is counted there. 0: none is
 * free. */
uint16_t ports_lightest(struct model *model, uint16_t free);

/* The port that the uop takes; 0: none is free. */
static inline uint16_t ports_choose(struct model *model, uint16_t free)
{
    return model->p->balances_ports ? ports_lightest(model, free) : (uint16_t)(free & -free);
}

#endif
