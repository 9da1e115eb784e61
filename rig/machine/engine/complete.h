/* Instructions that are complete, on their way into the core model. */
#ifndef RIG_MACHINE_ENGINE_COMPLETE_H
#define RIG_MACHINE_ENGINE_COMPLETE_H

#include <stdint.h>

#include "core/model.h"

struct core;
struct instruction;

/* Accounts for one instruction. */
void complete_record(struct core *core, const struct executed *record);
/* The same for an instruction that the machine played itself, with `count` memory accesses, after
 * which the core goes on at `next`. Before 64-bit mode nothing is accounted for. */
void complete_played(struct core *core, const struct instruction *instruction, uint64_t next,
                     enum executed_end end, const struct access *accesses, unsigned count);
/* The instruction that the emulator executed is complete, and the core goes on at `next`. */
void complete_pending(struct core *core, uint64_t next, enum executed_end end);

#endif
