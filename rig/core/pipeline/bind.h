/* Which of several ports a uop is bound to when it is allocated. */
#ifndef RIG_CORE_PIPELINE_BIND_H
#define RIG_CORE_PIPELINE_BIND_H

#include "core/cycle/state.h"

#define LOAD_PORTS (PORT(2) | PORT(3))

static inline bool binds(const struct model_parameters *p, uint16_t ports)
{
    return p->binds_ports == BINDS_ALL || ports == LOAD_PORTS;
}

/* One of `ports`, at least one, for a uop whose slot was taken last; the uop is counted there. */
uint16_t bind_port(struct model *model, uint16_t ports);

#endif
