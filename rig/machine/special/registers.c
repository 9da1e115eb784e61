/* Registers of the PMU and of the machine: MSRs, counters, CPUID, the time stamp counter. */
#include "inside.h"
#include "machine/engine/identify.h"
#include "machine/engine/engine.h"
#include "machine/engine/inject/inject.h"
#include "machine/engine/instruction.h"
#include "machine/engine/msr.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"
#include "special.h"

#define MSR_MISC_FEATURE_CONTROL 0x1a4u

void play_rdmsr(struct core *core, const struct instruction *instruction)
{
    uint32_t msr = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = 0, flips = 0;
    enum access_result result;

    if (trap_cpl(core) > 0 || inject_msr(core, msr, false, 0, &flips) == INJECT_GP) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    model_drain(core->model);
    result = core_rdmsr(core, msr, &value);
    if (result == ACCESS_NOT_MINE)
        result = pmu_rdmsr(core->pmu, msr, &value);
    if (result != ACCESS_OK) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    inject_after_read(core, msr, &value);
    special_set_pair(core, value ^ flips);
    special_done(core, instruction);
}

void special_late_write(struct core *core)
{
    const struct late_write write = core->write;

    if (core->long_mode) {
        if (model_must_wait(core->model)) {
            core->yielding = true;
            return;
        }
        model_drain(core->model);
    }
    core->write.live = false;
    if (pmu_wrmsr(core->pmu, write.msr, write.value) != ACCESS_OK) {
        core->rip = trap_fault_with(core, EXCEPTION_GP, 0, write.address);
        return;
    }
    if (write.msr == MSR_MISC_FEATURE_CONTROL)
        model_prefetch(core->model, write.value);
    inject_after_write(core, write.msr, write.value);
    if (core->step)
        special_step(core);
}

/* The WRMSR itself has retired when the write takes effect: counters that it enables do not count
 * it, and counters that it disables do. A write that faults leaves every register as it was and
 * does not retire. */
void play_wrmsr(struct core *core, const struct instruction *instruction)
{
    uint32_t msr = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = special_pair(core), flips = 0;
    enum access_result result;
    enum injected injected =
        trap_cpl(core) > 0 ? INJECT_GP : inject_msr(core, msr, true, value, &flips);

    if (injected == INJECT_GP) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    if (injected == INJECT_LOST) { /* whatever the value is, nothing looks at it */
        special_done(core, instruction);
        return;
    }
    value ^= flips;
    result = core_wrmsr(core, msr, value);
    if (result == ACCESS_NOT_MINE && !pmu_wrmsr_faults(core->pmu, msr, value)) {
        special_done(core, instruction);
        core->write = (struct late_write){true, msr, value, instruction->address};
        special_late_write(core);
        return;
    }
    if (result == ACCESS_OK)
        special_done(core, instruction);
    else
        special_fault(core, instruction, EXCEPTION_GP);
}

void play_rdpmc(struct core *core, const struct instruction *instruction)
{
    const uint32_t index = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = 0;

    model_drain(core->model);
    if (pmu_rdpmc(core->pmu, index, trap_cpl(core), core->cr4 & CR4_PCE, &value) != ACCESS_OK) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    special_set_pair(core, value ^ inject_rdpmc(core, index));
    special_done(core, instruction);
}

void play_cpuid(struct core *core, const struct instruction *instruction)
{
    struct cpuid_result result = core_cpuid(core, (uint32_t)core_register(core, UC_X86_REG_RAX),
                                            (uint32_t)core_register(core, UC_X86_REG_RCX));

    if ((uint32_t)core_register(core, UC_X86_REG_RAX) == CPUID_STATE_LEAF)
        vector_identify(core, (uint32_t)core_register(core, UC_X86_REG_RCX), &result);
    core_set_register(core, UC_X86_REG_RAX, result.eax);
    core_set_register(core, UC_X86_REG_RBX, result.ebx);
    core_set_register(core, UC_X86_REG_RCX, result.ecx);
    core_set_register(core, UC_X86_REG_RDX, result.edx);
    special_done(core, instruction);
}

static void read_tsc(struct core *core, const struct instruction *instruction, bool with_aux)
{
    if (core->cr4 & CR4_TSD && trap_cpl(core) > 0) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    if (with_aux && core->long_mode) { /* RDTSCP waits for everything before it */
        model_drain(core->model);
        core_set_register(core, UC_X86_REG_RCX, core->tsc_aux);
    }
    model_sync(core->model);
    special_set_pair(core, pmu_tsc(core->pmu));
    special_done(core, instruction);
}

void play_rdtsc(struct core *core, const struct instruction *instruction)
{
    read_tsc(core, instruction, false);
}

void play_rdtscp(struct core *core, const struct instruction *instruction)
{
    read_tsc(core, instruction, true);
}
