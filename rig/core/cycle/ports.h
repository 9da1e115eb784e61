/* Which port a uop takes of those that are free when it begins. */
#ifndef RIG_CORE_CYCLE_PORTS_H
#define RIG_CORE_CYCLE_PORTS_H

#include "state.h"

/* Of these ports the one that the fewest uops took of late; the uop is counted there. 0: none is
 * free. */
uint16_t ports_lightest(struct dispatch *dispatch, uint16_t free);

/* The port that the uop takes; 0: none is free. */
static inline uint16_t ports_choose(const struct model_parameters *p, struct dispatch *dispatch,
                                    uint16_t free)
{
    return p->balances_ports ? ports_lightest(dispatch, free) : (uint16_t)(free & -free);
}

#endif
