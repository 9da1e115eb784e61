/* How a played instruction ends: complete, with a fault, or with the run. */
#include <stdio.h>

#include "device/platform.h"
#include "inside.h"
#include "machine/engine/complete.h"
#include "machine/engine/debug.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"
#include "special.h"

void special_done(struct core *core, const struct instruction *instruction)
{
    core->rip = instruction->address + instruction->length;
    complete_played(core, instruction, core->rip, END_NEXT, NULL, 0);
}

void special_fault_with(struct core *core, const struct instruction *instruction, unsigned vector,
                        int64_t error)
{
    uint64_t handler;

    debug_forget(core);
    handler = trap_fault_with(core, vector, error, instruction->address);

    complete_played(core, instruction, handler, END_FAULT, NULL, 0);
    core->rip = handler;
}

void special_fault(struct core *core, const struct instruction *instruction, unsigned vector)
{
    special_fault_with(core, instruction, vector, vector == EXCEPTION_GP ? 0 : NO_ERROR_CODE);
}

uint64_t special_pair(const struct core *core)
{
    return (core_register(core, UC_X86_REG_RAX) & UINT32_MAX) | core_register(core, UC_X86_REG_RDX)
                                                                    << 32;
}

void special_set_pair(struct core *core, uint64_t value)
{
    core_set_register(core, UC_X86_REG_RAX, (uint32_t)value);
    core_set_register(core, UC_X86_REG_RDX, value >> 32);
}

void special_step(struct core *core)
{
    core->step = false;
    if (pmu_steps_branches(core->pmu))
        return;
    debug_report(core);
    core_set_register(core, UC_X86_REG_DR6, core_register(core, UC_X86_REG_DR6) | DR6_BS);
    core->rip = trap_deliver(core, EXCEPTION_DB, NO_ERROR_CODE, core->rip);
}

void special_unsupported(struct core *core, const struct instruction *instruction)
{
    char bytes[3 * INSTRUCTION_BYTES + 1] = "";
    unsigned length = instruction->length > 1 ? instruction->length : INSTRUCTION_BYTES - 1;

    for (unsigned i = 0; i < length; i++)
        snprintf(bytes + 3 * i, sizeof(bytes) - 3 * i, " %02x", instruction->bytes[i]);
    machine_end(core->machine, 1,
                "processor %u: the emulator cannot execute the instruction at 0x%llx:%s",
                core->index, (unsigned long long)instruction->address, bytes);
}
