/* What event-based sampling asks of a core: the functions behind struct pmu_host, and a look at
 * every instruction boundary while the core is watched. `core` is a struct core. */
#ifndef RIG_MACHINE_ENGINE_SAMPLING_H
#define RIG_MACHINE_ENGINE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model.h"
#include "pmu/pmu.h"

struct core;

/* Guest memory by linear address; false when not all of it is mapped RAM. */
bool sampling_read(void *core, uint64_t address, void *data, size_t size);
bool sampling_write(void *core, uint64_t address, const void *data, size_t size);
void sampling_registers(void *core, struct pmu_registers *registers);
void sampling_watch(void *core, bool on);
void sampling_subscribe(void *core, struct pmu_subscription subscription);
/* After every instruction while the core is watched. */
RIG_RARE void sampling_boundary(struct core *core, const struct executed *executed);

#endif
