/* Memory accesses of a core: what the model gets, which other cores must know, and whether code was
 * overwritten. */
#ifndef RIG_MACHINE_ENGINE_ACCESS_H
#define RIG_MACHINE_ENGINE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <unicorn/unicorn.h>

struct core;

/* The emulator's hook; `user` is the struct core. */
void access_on_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *user);
/* The machine itself accessed, or wrote, [address, address + size) for the core. */
void access_touched(struct core *core, uint64_t address, unsigned size, bool write);
void access_wrote(struct core *core, uint64_t address, unsigned size);

#endif
