/* The code hook fires before an instruction, and only then is the instruction before known to be
 * complete. An instruction that the emulator must not run is never begun: the hook stops the
 * emulator before it, and the loop plays it. */
#include "exec.h"

#include "device/platform.h"
#include "exec_inside.h"
#include "machine/engine/cet.h"
#include "machine/engine/clock.h"
#include "machine/engine/complete.h"
#include "machine/engine/code.h"
#include "machine/engine/debug.h"
#include "machine/engine/engine.h"
#include "machine/engine/inject/inject.h"
#include "machine/engine/instruction.h"
#include "machine/engine/paging.h"
#include "machine/engine/pmi_way.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "machine/special/special.h"
#include "pmu/pmu.h"

#define SEGMENT_L 0x20u /* in byte 6 of a code segment descriptor */
#define SEGMENT_D 0x40u

/* Between two looks at the host's time, where no simulated time passes. */
#define UNTIMED 1000000 /* instructions */
#define STOPS   1024    /* of the emulator */

RIG_RARE static void stop_emulator(struct core *core, enum stop why, uint64_t rip)
{
    core->stop = why;
    core->rip = rip;
    uc_emu_stop(core->uc);
}

/* ---- hooks ---- */

static void look_at_control(struct core *core)
{
    const uint64_t cr3 = core->cr3;

    core->cr0 = core_register(core, UC_X86_REG_CR0);
    core->cr3 = core_register(core, UC_X86_REG_CR3);
    core->cr4 = core_register(core, UC_X86_REG_CR4);
    cet_look(core);
    if (core->long_mode)
        model_flush_tlb(core->model);
    if (core->long_mode && cr3 != 0 && core->cr3 != cr3)
        inject_cr3(core);
}

/* Width and base of the code segment. A core that has just set CR0.PE still runs in the segment of
 * its start. */
static unsigned look_at_segment(struct core *core)
{
    uint64_t selector = core_register(core, UC_X86_REG_CS) & 0xffffu;
    uc_x86_mmr gdt;
    const uint8_t *descriptor;

    if (!core->long_mode && selector == core->boot_selector)
        return core->code_bits;
    if (!(core_register(core, UC_X86_REG_CR0) & CR0_PE)) {
        core->code_base = selector << 4;
        return 16;
    }
    uc_reg_read(core->uc, UC_X86_REG_GDTR, &gdt);
    descriptor = memory_at(&core->machine->memory, gdt.base + (selector & 0xfff8u), 8);
    core->code_base = 0;
    if (descriptor == NULL)
        return 32;
    if (descriptor[6] & SEGMENT_L && engine_msr(core, MSR_EFER) & EFER_LMA)
        return 64;
    core->code_base =
        descriptor[2] | descriptor[3] << 8 | descriptor[4] << 16 | (uint64_t)descriptor[7] << 24;
    return descriptor[6] & SEGMENT_D ? 32 : 16;
}

static void look_at_mode(struct core *core)
{
    unsigned bits = look_at_segment(core);
    bool is = bits == 64 && (core->long_mode ||
                             (core_register(core, UC_X86_REG_CS) & 0xffff) != core->boot_selector);

    core->code_bits = bits;
    if (is && trap_cpl(core) != core->cpl) {
        core->cpl = trap_cpl(core);
        model_drain(core->model);
        pmu_privilege(core->pmu, core->cpl);
        cet_look(core);
    }
    if (is && !core->long_mode) {
        core->long_mode = true;
        look_at_control(core);
    } else if (!is && core->long_mode) {
        machine_end(core->machine, 1,
                    "processor %u leaves 64-bit mode at 0x%llx, which the rig does not support",
                    core->index, (unsigned long long)core->rip);
    }
}

/* A new privilege level takes effect on the counters when the other thread has come as far, as does
 * an exception or interrupt on the record of branches. */
static bool must_wait(const struct core *core, unsigned attention)
{
    bool level = attention & ATTENTION_MODE && core->long_mode && trap_cpl(core) != core->cpl;

    return (level || attention & ATTENTION_EVENT) && model_must_wait(core->model);
}

/* The slow part of the code hook. False when the instruction at `address` must not begin. */
RIG_RARE static bool attend(struct core *core, uint64_t address)
{
    unsigned attention = core->attention;

    if (attention & (ATTENTION_MODE | ATTENTION_EVENT) && must_wait(core, attention)) {
        stop_emulator(core, STOP_SLICE, address);
        return false;
    }
    if (attention & ATTENTION_WATCH) {
        stop_emulator(core, STOP_WATCH, address);
        return false;
    }
    if (attention & ATTENTION_IRET) {
        core->nmi_blocked = false;
        debug_resume(core);
    }
    if (attention & ATTENTION_CONTROL)
        look_at_control(core);
    if (attention & ATTENTION_MODE) {
        core->rip = address;
        look_at_mode(core);
    }
    if (attention & ATTENTION_EVENT) {
        model_drain(core->model);
        pmu_event(core->pmu);
        pmu_delivered(core->pmu, core->event_from, address);
    }
    core->attention &=
        ~(unsigned)(ATTENTION_IRET | ATTENTION_CONTROL | ATTENTION_MODE | ATTENTION_EVENT);
    if (attention & ATTENTION_IRET && pmi_way_returned(core, address)) {
        stop_emulator(core, STOP_RETURNED, core->thrown.next);
        return false;
    }
    if (attention & ATTENTION_INTERRUPT && trap_interrupt_ready(core, core->shadow)) {
        stop_emulator(core, STOP_INTERRUPT, address); /* a PMI of the instruction before */
        return false;
    }
    if (attention & ATTENTION_YIELD && core->long_mode) {
        core->attention &= ~(unsigned)ATTENTION_YIELD;
        stop_emulator(core, STOP_SLICE, address);
        return false;
    }
    if (attention & ATTENTION_BREAKPOINT && core->long_mode && debug_breaks(core, address)) {
        stop_emulator(core, STOP_BREAKPOINT, address);
        return false;
    }
    return !core->machine->ended;
}

/* The emulator restarts an instruction that wrote into its own block: the hooks fire twice. */
RIG_RARE static bool is_restart(struct core *core, uint64_t address)
{
    struct pending *pending = &core->pending;

    if (address != pending->record.rip || !pending->wrote_code ||
        pending->instruction->flags & FLAG_BRANCH)
        return false;
    return !(pending->instruction->flags & FLAG_REPEAT) ||
           core_register(core, UC_X86_REG_RCX) == pending->count;
}

/* An exception of the instruction before, which is complete, comes before an interrupt. */
static bool is_interrupted(struct core *core)
{
    return (core->attention & (ATTENTION_INTERRUPT | ATTENTION_WATCH)) == ATTENTION_INTERRUPT &&
           trap_interrupt_ready(core, core->shadow);
}

static void begin(struct core *core, struct instruction *instruction)
{
    struct pending *pending = &core->pending;

    pending->live = true;
    pending->wrote_code = false;
    pending->pieces = 0;
    pending->instruction = instruction;
    if (instruction->flags & FLAG_REPEAT)
        pending->count = core_register(core, UC_X86_REG_RCX);
    pending->record.rip = instruction->address;
    pending->record.bytes = instruction->bytes;
    pending->record.kept = &instruction->decoded;
    pending->record.length = instruction->length;
    pending->record.accesses = 0;
    pending->record.assist =
        instruction->flags & FLAG_MULTIPLIES && special_assists(core, instruction);
}

/* Whether the emulator may run an instruction whose rules it does not know. */
static bool runs_by_itself(struct core *core, const struct instruction *instruction)
{
    switch (instruction->kind) {
    case KIND_PORT:
        return special_port_is_open(core, instruction);
    case KIND_CONTROL:
        return special_control_is_taken(core, instruction);
    case KIND_ENABLE:
        core->enables = !trap_takes_interrupts(core);
        return true;
    case KIND_ALIGNED:
        return special_is_aligned(core, instruction);
    case KIND_FLOAT_ALIGNED:
        return special_is_aligned(core, instruction) && special_floats(core, instruction);
    case KIND_FLOAT:
        return special_floats(core, instruction);
    default:
        return false;
    }
}

/* The instruction is complete: whether interrupts wait for the next one. An STI that begins with
 * interrupts on holds none back (SDM 2, "STI"). */
static void look_at_shadow(struct core *core)
{
    const struct instruction *instruction = core->pending.instruction;

    core->shadow = instruction->flags & FLAG_SHADOW &&
                   (core->enables || instruction_switches_stack(instruction));
}

/* The fuel is used up: whether the slice ends. Before 64-bit mode no time passes, so it does not.
 */
static bool is_over(struct core *core)
{
    if (core->long_mode) {
        core->fuel = core->refill;
        return model_slice_over(core->model, core->limit) || inject_arrives(core);
    }
    core->fuel = UNTIMED;
    machine_look_at_time(core->machine);
    return core->machine->ended;
}

void exec_on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct core *core = user;
    struct pending *pending = &core->pending;
    struct instruction *instruction;

    (void)uc;
    (void)size;
    if (pending->live) {
        look_at_shadow(core);
        if (pending->wrote_code && is_restart(core, address)) {
            pending->record.accesses = 0;
            pending->pieces = 0;
            pending->wrote_code = false;
            return;
        }
        if (is_interrupted(core)) {
            stop_emulator(core, STOP_INTERRUPT, address);
            return;
        }
        complete_pending(core, address, END_NEXT);
        if (--core->fuel <= 0 && !core->shadow && is_over(core)) {
            stop_emulator(core, STOP_SLICE, address);
            return;
        }
    } else if (is_interrupted(core)) {
        stop_emulator(core, STOP_INTERRUPT, address);
        return;
    }
    if (core->attention && !attend(core, address)) {
        if (core->stop == STOP_NONE)
            stop_emulator(core, STOP_SLICE, address);
        return;
    }
    instruction = pending->instruction != NULL ? code_behind(core, pending->instruction, address)
                                               : code_at(core, address);
    if (core->cet.watched) {
        core->cet.error = cet_check(core, instruction);
        if (core->cet.error != CET_PASSED) {
            stop_emulator(core, STOP_CONTROL, address);
            return;
        }
    }
    if (instruction->kind != KIND_ORDINARY && !runs_by_itself(core, instruction)) {
        stop_emulator(core, STOP_SPECIAL, address);
        return;
    }
    begin(core, instruction);
    /* What comes next: it most often, and what the model knows of this one, always. */
    __builtin_prefetch(instruction + 1);
    __builtin_prefetch(instruction->decoded);
}

void exec_on_interrupt(uc_engine *uc, uint32_t vector, void *user)
{
    struct core *core = user;

    core->fault_vector = vector;
    core->stop = STOP_FAULT;
    uc_emu_stop(uc);
}

bool exec_on_undefined(uc_engine *uc, void *user)
{
    struct core *core = user;

    (void)uc;
    core->stop = STOP_UNDEFINED;
    return false;
}

bool exec_on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *user)
{
    struct core *core = user;

    (void)uc;
    (void)type;
    (void)size;
    (void)value;
    core->fault_address = address;
    core->stop = STOP_UNMAPPED;
    return false;
}

/* ---- the loop ---- */

static void take_interrupt(struct core *core)
{
    bool complete = core->pending.live;
    uint64_t handler;

    debug_resumed(core);
    if (complete && core->watched) { /* sampling records the state before the handler */
        complete_pending(core, core->rip, END_NEXT);
        complete = false;
    }
    handler = trap_deliver_interrupt(core);
    if (complete)
        complete_pending(core, handler, END_INTERRUPT);
    else
        model_interrupt(core->model);
    core->rip = handler;
}

/* Single-stepping on branches: whether the instruction that is complete was no taken branch. */
static bool steps_over(const struct core *core, uint64_t next)
{
    const struct pending *pending = &core->pending;

    if (!pmu_steps_branches(core->pmu))
        return false;
    return !pending->live || !(pending->instruction->flags & FLAG_BRANCH) ||
           (pending->instruction->flags & FLAG_CONDITIONAL &&
            next == pending->record.rip + pending->record.length);
}

static void step_over(struct core *core, uint64_t next)
{
    engine_forget_exception(core);
    core_set_register(core, UC_X86_REG_DR6, core_register(core, UC_X86_REG_DR6) & ~DR6_BS);
    if (core->pending.live) {
        look_at_shadow(core);
        complete_pending(core, next, END_NEXT);
    }
    core->rip = next;
}

/* #DB in place of the instruction at core->rip: one that faults, but without RF. */
static void take_breakpoint(struct core *core)
{
    const struct instruction *instruction = code_at(core, core->rip);
    uint64_t handler;

    debug_resumed(core);
    debug_report(core);
    handler = trap_deliver(core, EXCEPTION_DB, NO_ERROR_CODE, core->rip);
    complete_played(core, instruction, handler, END_FAULT, NULL, 0);
    core->rip = handler;
}

/* #DB behind the instruction, which is complete. */
static void take_watch(struct core *core)
{
    debug_resumed(core);
    debug_report(core);
    core->rip = trap_deliver(core, EXCEPTION_DB, NO_ERROR_CODE, core->rip);
    model_interrupt(core->model);
}

static void take_fault(struct core *core, unsigned vector)
{
    uint64_t rip = core_register(core, UC_X86_REG_RIP);
    uint64_t handler;

    if (vector == EXCEPTION_DB && core_register(core, UC_X86_REG_DR6) & DR6_BS &&
        steps_over(core, rip)) {
        step_over(core, rip);
        return;
    }
    engine_forget_exception(core);
    core->rip = rip;
    if (vector == EXCEPTION_DB)
        debug_report(core);
    else
        debug_forget(core);
    /* A fault of the fetch: the instruction before is complete. */
    if (core->pending.live && core->pending.record.rip != rip && vector != EXCEPTION_DB)
        complete_pending(core, rip, END_NEXT);
    handler = trap_fault(core, vector, rip);
    if (core->pending.live)
        complete_pending(core, handler, vector == EXCEPTION_DB ? END_INTERRUPT : END_FAULT);
    core->rip = handler;
}

static void end_at_no_memory(struct core *core, uint64_t address)
{
    const uint64_t rip = core_register(core, UC_X86_REG_RIP);
    struct page_walk walk;

    if (core->long_mode && paging_walk(core, address, &walk) && walk.physical != address)
        machine_end(core->machine, 1,
                    "processor %u: the instruction at 0x%llx accesses 0x%llx, which its page table "
                    "maps to 0x%llx: the rig plays no page elsewhere than at its own address",
                    core->index, (unsigned long long)rip, (unsigned long long)address,
                    (unsigned long long)walk.physical);
    else
        machine_end(core->machine, 1,
                    "processor %u: the instruction at 0x%llx accesses 0x%llx, where there is no "
                    "memory and no device",
                    core->index, (unsigned long long)rip, (unsigned long long)address);
}

static void end_by_itself(struct core *core, uc_err error)
{
    const unsigned long long rip = core_register(core, UC_X86_REG_RIP);

    if (error == UC_ERR_FETCH_PROT)
        machine_end(core->machine, 1,
                    "processor %u: the code at 0x%llx runs on to where no memory is to fetch from",
                    core->index, rip);
    else
        machine_end(core->machine, 1, "processor %u: the emulator stopped by itself at 0x%llx: %s",
                    core->index, rip, uc_strerror(error));
}

/* The emulator looks for memory before it checks the address, so addresses that are not canonical
 * and addresses that no page maps both come this way. */
static void take_unmapped(struct core *core)
{
    uint64_t address = core->fault_address, top = address >> 47;
    bool stack;

    if (top != 0 && top != 0x1ffff) {
        stack = address == core_register(core, UC_X86_REG_RSP) ||
                address + 8 == core_register(core, UC_X86_REG_RSP);
        take_fault(core, stack ? EXCEPTION_SS : EXCEPTION_GP);
    } else if (core->long_mode && !paging_maps(core, address)) {
        core_set_register(core, UC_X86_REG_CR2, address);
        take_fault(core, EXCEPTION_PF);
    } else {
        end_at_no_memory(core, address);
    }
}

static void take_undefined(struct core *core)
{
    const struct instruction *instruction = core->pending.instruction;

    core->rip = core_register(core, UC_X86_REG_RIP);
    if (core->pending.live && core->pending.record.rip == core->rip && core->long_mode) {
        core->pending.live = false;
        special_unsupported(core, instruction);
        return;
    }
    take_fault(core, EXCEPTION_UD);
}

void exec_run(struct core *core)
{
    struct machine *machine = core->machine;
    unsigned stops = 0;

    core->fuel = 1;
    if (core->write.live)
        special_late_write(core);
    if (core->yielding) {
        core->yielding = false;
        return;
    }
    while (!machine->ended && core->activity == ACTIVITY_RUNNING) {
        uint64_t base = core->long_mode ? 0 : core->code_base;
        uc_err error;

        if (++stops % STOPS == 0) /* exceptions within exceptions take no simulated time */
            machine_look_at_time(machine);
        core->stop = STOP_NONE;
        error = uc_emu_start(core->uc, core->rip - base, UINT64_MAX, 0, 0);
        switch (core->stop) {
        case STOP_SLICE:
            return;
        case STOP_SPECIAL:
            special_play(core, code_at(core, core->rip));
            break;
        case STOP_CONTROL:
            special_control_protection(core, code_at(core, core->rip));
            break;
        case STOP_BREAKPOINT:
            take_breakpoint(core);
            break;
        case STOP_WATCH:
            take_watch(core);
            break;
        case STOP_INTERRUPT:
            take_interrupt(core);
            break;
        case STOP_FAULT:
            take_fault(core, core->fault_vector);
            break;
        case STOP_UNDEFINED:
            take_undefined(core);
            break;
        case STOP_UNMAPPED:
            take_unmapped(core);
            break;
        case STOP_RETURNED:
            break;
        case STOP_NONE:
            end_by_itself(core, error);
            break;
        }
        if (core->yielding) {
            core->yielding = false;
            return;
        }
        if (core->activity == ACTIVITY_RUNNING && core->long_mode &&
            model_slice_over(core->model, core->limit))
            return;
    }
}
