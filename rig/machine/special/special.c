/* Dispatch, and the instructions that wait or enter a handler. */
#include "special.h"

#include "firmware/firmware.h"
#include "inside.h"
#include "device/platform.h"
#include "machine/engine/activity.h"
#include "machine/engine/complete.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"

#define IN_IDT 2 /* a bit of an error code: the index is that of a gate */

static void halt(struct core *core, const struct instruction *instruction)
{
    if (trap_cpl(core) > 0) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    special_done(core, instruction);
    if (core->long_mode)
        model_drain(core->model);
    activity_set(core, ACTIVITY_HALTED, core_now(core));
}

static void monitor(struct core *core, const struct instruction *instruction)
{
    uint64_t address = core_register(core, UC_X86_REG_RAX);
    struct access access = {address, 1, false};

    if (trap_cpl(core) > 0) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (core_register(core, UC_X86_REG_RCX)) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    if (!core->armed)
        core->machine->armed++;
    core->armed = true;
    core->monitor = address >> 6;
    core->rip = instruction->address + instruction->length;
    complete_played(core, instruction, core->rip, END_NEXT, &access, 1);
}

static void mwait(struct core *core, const struct instruction *instruction)
{
    if (trap_cpl(core) > 0) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    core->mwait_break = core_register(core, UC_X86_REG_RCX) & 1;
    special_done(core, instruction);
    if (core->armed) {
        model_drain(core->model);
        activity_set(core, ACTIVITY_MWAIT, core_now(core));
    }
}

static void pause_turn(struct core *core, const struct instruction *instruction)
{
    special_done(core, instruction);
    core->yielding = core->long_mode;
}

static void software_interrupt(struct core *core, const struct instruction *instruction)
{
    uint64_t handler;

    if (!trap_gate_is_open(core, instruction->vector)) {
        special_fault_with(core, instruction, EXCEPTION_GP, instruction->vector * 8 + IN_IDT);
        return;
    }
    if (!trap_gate_is_present(core, instruction->vector)) {
        special_fault_with(core, instruction, EXCEPTION_NP, instruction->vector * 8 + IN_IDT);
        return;
    }
    if (pmu_keeps_events(core->pmu)) { /* the last branch before the INT, not the INT itself */
        model_drain(core->model);
        pmu_event(core->pmu);
    }
    handler = trap_deliver(core, instruction->vector, NO_ERROR_CODE,
                           instruction->address + instruction->length);
    core->attention &= ~(unsigned)ATTENTION_EVENT;
    complete_played(core, instruction, handler, END_NEXT, NULL, 0);
    core->rip = handler;
}

static void call_firmware(struct core *core, const struct instruction *instruction)
{
    (void)instruction;
    firmware_call(core->machine->firmware, core);
}

/* Of an instruction that the emulator runs when it breaks no rule: it breaks one. */
static void play_rule_fault(struct core *core, const struct instruction *instruction)
{
    special_fault(core, instruction, EXCEPTION_GP);
}

static void undefined(struct core *core, const struct instruction *instruction)
{
    special_fault(core, instruction, EXCEPTION_UD);
}

/* clang-format off */
static void (*const players[])(struct core *core, const struct instruction *instruction) = {
    [KIND_ORDINARY] = special_unsupported,
    [KIND_FIRMWARE] = call_firmware,
    [KIND_RDMSR] = play_rdmsr,
    [KIND_WRMSR] = play_wrmsr,
    [KIND_RDPMC] = play_rdpmc,
    [KIND_CPUID] = play_cpuid,
    [KIND_RDTSC] = play_rdtsc,
    [KIND_RDTSCP] = play_rdtscp,
    [KIND_HLT] = halt,
    [KIND_PAUSE] = pause_turn,
    [KIND_MONITOR] = monitor,
    [KIND_MWAIT] = mwait,
    [KIND_FLUSH] = play_flush,
    [KIND_POPCNT] = play_transfer,
    [KIND_MOVBE] = play_transfer,
    [KIND_RANDOM] = play_to_register,
    [KIND_RDPID] = play_to_register,
    [KIND_INT] = software_interrupt,
    [KIND_PORT] = play_rule_fault,
    [KIND_CONTROL] = play_rule_fault,
    [KIND_ENABLE] = special_unsupported,
    [KIND_ALIGNED] = play_rule_fault,
    [KIND_FLOAT] = play_float_fault,
    [KIND_FLOAT_ALIGNED] = play_float_fault,
    [KIND_PRIORITY] = play_priority,
    [KIND_DEBUG] = play_debug,
    [KIND_SYSCALL] = play_syscall,
    [KIND_SYSRET] = play_sysret,
    [KIND_XGETBV] = play_xgetbv,
    [KIND_XSETBV] = play_xsetbv,
    [KIND_XSAVE] = play_xsave,
    [KIND_VECTOR] = play_vector,
    [KIND_CET] = play_cet,
    [KIND_UNDEFINED] = undefined,
    [KIND_UNSUPPORTED] = special_unsupported,
};
/* clang-format on */

/* What these instructions read or change is exact only when the other thread of the core has come
 * as far. */
static bool is_timed(const struct core *core, enum instruction_kind kind)
{
    if (kind == KIND_INT)
        return pmu_keeps_events(core->pmu);
    return kind == KIND_RDMSR || kind == KIND_WRMSR || kind == KIND_RDPMC || kind == KIND_RDTSCP ||
           kind == KIND_HLT || kind == KIND_MWAIT;
}

void special_play(struct core *core, const struct instruction *instruction)
{
    bool steps = trap_single_steps(core);

    if (is_timed(core, instruction->kind) && core->long_mode && model_must_wait(core->model)) {
        core->yielding = true; /* the same instruction comes again */
        return;
    }
    core->shadow = false;
    players[instruction->kind](core, instruction);
    /* The emulator raises #DB itself for the instructions that it runs. None of those played here
     * is a branch. */
    if (!steps || core->rip != instruction->address + instruction->length || core->machine->ended)
        return;
    core->step = true;
    if (!core->write.live)
        special_step(core);
}
