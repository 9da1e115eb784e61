/* The instructions the machine plays itself: registers of the PMU and the machine, waiting, and
 * what the emulator lacks. */
#include <stdio.h>

#include "exec.h"
#include "firmware/firmware.h"
#include "instruction.h"
#include "machine.h"

#define MSR_MISC_FEATURE_CONTROL 0x1a4u
#define CR4_TSD                  0x004u
#define CR4_PCE                  0x100u
#define DR6_BS                   UINT64_C(0x4000)
#define DB                       1
#define GP                       13
#define UD                       6
#define STATE_LEAF               0xdu /* of CPUID: what XSAVE saves */
#define IN_IDT                   2    /* in an error code: the index is of a gate */

typedef const struct instruction insn;

static uint64_t following(insn *instruction)
{
    return instruction->address + instruction->length;
}

static void done(struct core *core, insn *instruction)
{
    core->rip = following(instruction);
    core_account(core, instruction, core->rip, END_NEXT, NULL, 0);
}

void core_fault_with(struct core *core, insn *instruction, unsigned vector, int64_t error)
{
    uint64_t handler = trap_deliver(core, vector, error, instruction->address);

    core_account(core, instruction, handler, END_FAULT, NULL, 0);
    core->rip = handler;
}

void core_fault(struct core *core, insn *instruction, unsigned vector)
{
    core_fault_with(core, instruction, vector, vector == GP ? 0 : NO_ERROR_CODE);
}

static void set_pair(struct core *core, uint64_t value)
{
    core_set_register(core, UC_X86_REG_RAX, (uint32_t)value);
    core_set_register(core, UC_X86_REG_RDX, value >> 32);
}

void core_unsupported(struct core *core, insn *instruction)
{
    char bytes[3 * INSTRUCTION_BYTES + 1] = "";
    unsigned length = instruction->length > 1 ? instruction->length : INSTRUCTION_BYTES - 1;

    for (unsigned i = 0; i < length; i++)
        snprintf(bytes + 3 * i, sizeof(bytes) - 3 * i, " %02x", instruction->bytes[i]);
    machine_end(core->machine, 1,
                "processor %u: the emulator cannot execute the instruction at 0x%llx:%s",
                core->index, (unsigned long long)instruction->address, bytes);
}

static void read_msr(struct core *core, insn *instruction)
{
    uint32_t msr = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = 0;
    enum access_result result;

    if (trap_cpl(core) > 0 || fault_msr(core)) {
        core_fault(core, instruction, GP);
        return;
    }
    model_drain(core->model);
    result = machine_rdmsr(core, msr, &value);
    if (result == ACCESS_NOT_MINE)
        result = pmu_rdmsr(core->pmu, msr, &value);
    if (result != ACCESS_OK) {
        core_fault(core, instruction, GP);
        return;
    }
    fault_after_read(core, msr, &value);
    set_pair(core, value);
    done(core, instruction);
}

void core_late_write(struct core *core)
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
        core->rip = trap_deliver(core, GP, 0, write.address);
        return;
    }
    if (write.msr == MSR_MISC_FEATURE_CONTROL)
        model_prefetch(core->model, write.value);
    fault_after_write(core, write.msr, write.value);
    if (core->step)
        core_step(core);
}

/* The WRMSR itself has retired when the write takes effect: it is not counted by what it enables,
 * and is by what it disables. A write that faults leaves every register as it was and does not
 * retire. */
static void write_msr(struct core *core, insn *instruction)
{
    uint32_t msr = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = (core_register(core, UC_X86_REG_RAX) & UINT32_MAX) |
                     core_register(core, UC_X86_REG_RDX) << 32;
    enum access_result result;

    if (trap_cpl(core) > 0 || fault_msr(core)) {
        core_fault(core, instruction, GP);
        return;
    }
    result = machine_wrmsr(core, msr, value);
    if (result == ACCESS_NOT_MINE && !pmu_wrmsr_faults(core->pmu, msr, value)) {
        done(core, instruction);
        core->write = (struct late_write){true, msr, value, instruction->address};
        core_late_write(core);
        return;
    }
    if (result == ACCESS_OK)
        done(core, instruction);
    else
        core_fault(core, instruction, GP);
}

static void read_counter(struct core *core, insn *instruction)
{
    uint64_t value = 0;

    model_drain(core->model);
    if (pmu_rdpmc(core->pmu, (uint32_t)core_register(core, UC_X86_REG_RCX), trap_cpl(core),
                  core->cr4 & CR4_PCE, &value) != ACCESS_OK) {
        core_fault(core, instruction, GP);
        return;
    }
    set_pair(core, value);
    done(core, instruction);
}

static void identify(struct core *core, insn *instruction)
{
    struct cpuid_result result =
        pmu_cpuid(core->pmu, (uint32_t)core_register(core, UC_X86_REG_RAX),
                  (uint32_t)core_register(core, UC_X86_REG_RCX), core->cr4);

    if ((uint32_t)core_register(core, UC_X86_REG_RAX) == STATE_LEAF)
        vector_identify(core, (uint32_t)core_register(core, UC_X86_REG_RCX), &result);
    core_set_register(core, UC_X86_REG_RAX, result.eax);
    core_set_register(core, UC_X86_REG_RBX, result.ebx);
    core_set_register(core, UC_X86_REG_RCX, result.ecx);
    core_set_register(core, UC_X86_REG_RDX, result.edx);
    done(core, instruction);
}

static void read_tsc(struct core *core, insn *instruction, bool with_aux)
{
    if (core->cr4 & CR4_TSD && trap_cpl(core) > 0) {
        core_fault(core, instruction, GP);
        return;
    }
    if (with_aux && core->long_mode) { /* RDTSCP waits for everything before it */
        model_drain(core->model);
        core_set_register(core, UC_X86_REG_RCX, core->tsc_aux);
    }
    model_sync(core->model);
    set_pair(core, pmu_tsc(core->pmu));
    done(core, instruction);
}

static void halt(struct core *core, insn *instruction)
{
    if (trap_cpl(core) > 0) {
        core_fault(core, instruction, GP);
        return;
    }
    done(core, instruction);
    if (core->long_mode)
        model_drain(core->model);
    core->state = CORE_HALTED;
}

static void monitor(struct core *core, insn *instruction)
{
    uint64_t address = core_register(core, UC_X86_REG_RAX);
    struct access access = {address, 1, false};

    if (trap_cpl(core) > 0) {
        core_fault(core, instruction, UD);
        return;
    }
    if (core_register(core, UC_X86_REG_RCX)) {
        core_fault(core, instruction, GP);
        return;
    }
    if (!core->armed)
        core->machine->armed++;
    core->armed = true;
    core->monitor = address >> 6;
    core->rip = following(instruction);
    core_account(core, instruction, core->rip, END_NEXT, &access, 1);
}

static void mwait(struct core *core, insn *instruction)
{
    if (trap_cpl(core) > 0) {
        core_fault(core, instruction, UD);
        return;
    }
    core->mwait_break = core_register(core, UC_X86_REG_RCX) & 1;
    done(core, instruction);
    if (core->armed) {
        model_drain(core->model);
        core->state = CORE_MWAIT;
    }
}

static void pause_turn(struct core *core, insn *instruction)
{
    done(core, instruction);
    core->yielding = core->long_mode;
}

static void software_interrupt(struct core *core, insn *instruction)
{
    uint64_t handler;

    if (!trap_gate_is_open(core, instruction->vector)) {
        core_fault_with(core, instruction, GP, instruction->vector * 8 + IN_IDT);
        return;
    }
    if (pmu_keeps_events(core->pmu)) { /* of what came before, not of the INT itself */
        model_drain(core->model);
        pmu_event(core->pmu);
    }
    handler = trap_deliver(core, instruction->vector, NO_ERROR_CODE, following(instruction));
    core->attention &= ~(unsigned)ATTENTION_EVENT;
    core_account(core, instruction, handler, END_NEXT, NULL, 0);
    core->rip = handler;
}

static void call_firmware(struct core *core, insn *instruction)
{
    (void)instruction;
    firmware_call(core);
}

static void undefined(struct core *core, insn *instruction)
{
    core_fault(core, instruction, UD);
}

static void read_tsc_only(struct core *core, insn *instruction)
{
    read_tsc(core, instruction, false);
}

static void read_tsc_and_aux(struct core *core, insn *instruction)
{
    read_tsc(core, instruction, true);
}

static void (*const players[])(struct core *core, insn *instruction) = {
    [KIND_ORDINARY] = core_unsupported,
    [KIND_FIRMWARE] = call_firmware,
    [KIND_RDMSR] = read_msr,
    [KIND_WRMSR] = write_msr,
    [KIND_RDPMC] = read_counter,
    [KIND_CPUID] = identify,
    [KIND_RDTSC] = read_tsc_only,
    [KIND_RDTSCP] = read_tsc_and_aux,
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
    [KIND_PORT] = play_port_fault,
    [KIND_SYSCALL] = play_syscall,
    [KIND_SYSRET] = play_sysret,
    [KIND_XGETBV] = play_xgetbv,
    [KIND_XSETBV] = play_xsetbv,
    [KIND_XSAVE] = play_xsave,
    [KIND_VECTOR] = play_vector,
    [KIND_UNDEFINED] = undefined,
    [KIND_UNSUPPORTED] = core_unsupported,
};

/* What these read or change is exact only when the other thread of the core has come as far. */
static bool is_timed(const struct core *core, enum instruction_kind kind)
{
    if (kind == KIND_INT)
        return pmu_keeps_events(core->pmu);
    return kind == KIND_RDMSR || kind == KIND_WRMSR || kind == KIND_RDPMC || kind == KIND_RDTSCP ||
           kind == KIND_HLT || kind == KIND_MWAIT;
}

void core_step(struct core *core)
{
    core->step = false;
    if (pmu_steps_branches(core->pmu))
        return;
    core_set_register(core, UC_X86_REG_DR6, core_register(core, UC_X86_REG_DR6) | DR6_BS);
    core->rip = trap_deliver(core, DB, NO_ERROR_CODE, core->rip);
}

void core_special(struct core *core, insn *instruction)
{
    bool steps = core_single_steps(core);

    if (is_timed(core, instruction->kind) && core->long_mode && model_must_wait(core->model)) {
        core->yielding = true; /* and the same instruction again */
        return;
    }
    players[instruction->kind](core, instruction);
    /* The emulator sees to the instructions that it runs; those played here are no branches. */
    if (!steps || core->rip != following(instruction) || core->machine->ended)
        return;
    core->step = true;
    if (!core->write.live)
        core_step(core);
}
