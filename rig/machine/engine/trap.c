#include "trap.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "access.h"
#include "cet.h"
#include "device/platform.h"
#include "engine.h"
#include "instruction.h"
#include "paging.h"
#include "pmi_wait.h"
#include "pmi_way.h"
#include "follow/profile.h"
#include "pmu/pmu.h"
#include "registers.h"
#include "state.h"

/* Cleared on the way into an interrupt gate. */
#define RFLAGS_CLEARED  (RFLAGS_TF | RFLAGS_IF | RFLAGS_NT | RFLAGS_RF | RFLAGS_VM)
#define GATE_PRESENT    0x80u
#define IN_IDT          2u /* of an error code: the index is that of a gate */
#define EXTERNAL        1u /* and what led there was no INT n */
#define GATE_INTERRUPT  0x0eu
#define GATE_TRAP       0x0fu
#define CODE_PRESENT_64 0x20u
#define TSS_RSP0        4u
#define TSS_IST1        0x24u

unsigned trap_cpl(const struct core *core)
{
    return core->long_mode ? (unsigned)core_register(core, UC_X86_REG_CS) & 3 : 0;
}

bool trap_interrupt_ready(struct core *core, bool shadow)
{
    if (!core->long_mode)
        return false;
    if (shadow && instruction_switches_stack(core->pending.instruction))
        return false;
    if (pmi_is_early(core))
        return false;
    if (core->nmi_pending && !core->nmi_blocked)
        return true;
    if (apic_pending(&core->apic) < 0 && !irq_external(&core->apic)) {
        if (!core->nmi_pending) /* one that is held back comes when an IRET is complete */
            core->attention &= ~(unsigned)ATTENTION_INTERRUPT;
        return false;
    }
    return !shadow && trap_takes_interrupts(core);
}

bool trap_takes_interrupts(const struct core *core)
{
    return core_register(core, UC_X86_REG_EFLAGS) & RFLAGS_IF;
}

bool trap_single_steps(const struct core *core)
{
    return core->long_mode && core_register(core, UC_X86_REG_EFLAGS) & RFLAGS_TF;
}

static uint64_t die(struct core *core, unsigned vector, uint64_t rip, const char *why)
{
    machine_end(core->machine, 1, "processor %u: triple fault: vector %u at 0x%llx: %s",
                core->index, vector, (unsigned long long)rip, why);
    return rip;
}

/* A stack pointer in the TSS, 0 when the TSS is too short or no RAM. */
static uint64_t tss_stack(struct core *core, unsigned offset)
{
    uc_x86_mmr tr = {0, 0, 0, 0};
    const uint8_t *place;
    uint64_t stack = 0;

    uc_reg_read(core->uc, UC_X86_REG_TR, &tr);
    if (offset + 8 > tr.limit + 1u)
        return 0;
    place = memory_at(&core->machine->memory, tr.base + offset, 8);
    if (place != NULL)
        memcpy(&stack, place, sizeof(stack));
    return stack;
}

/* Handlers are played in ring 0 only. From another level SS becomes null, as the manual says; the
 * stack pointer alone says where the stack is. */
static const char *load_code_segment(struct core *core, uint16_t selector, unsigned cpl)
{
    uc_x86_mmr gdt;
    const uint8_t *descriptor;
    const uint16_t no_segment = 0;

    uc_reg_read(core->uc, UC_X86_REG_GDTR, &gdt);
    descriptor = (selector & 0xfff8u) && (selector | 7u) <= gdt.limit
                     ? memory_at(&core->machine->memory, gdt.base + (selector & 0xfff8u), 8)
                     : NULL;
    if (descriptor == NULL || !(descriptor[5] & GATE_PRESENT) || !(descriptor[6] & CODE_PRESENT_64))
        return "the gate's selector names no 64-bit code segment";
    if (descriptor[5] >> 5 & 3)
        return "the gate's code segment is not of ring 0";
    selector &= 0xfffc;
    if (cpl) {
        engine_set_level(core, 0);
        core->attention |= ATTENTION_MODE;
        if (uc_reg_write(core->uc, UC_X86_REG_SS, &no_segment))
            return "the stack segment cannot be cleared";
    } else if ((core_register(core, UC_X86_REG_CS) & 0xffff) == selector) {
        return NULL;
    }
    return uc_reg_write(core->uc, UC_X86_REG_CS, &selector)
               ? "the gate's code segment cannot be loaded"
               : NULL;
}

struct trap_frame {
    uint64_t error, rip, cs, rflags, rsp, ss;
};

static const char *push(struct core *core, const struct trap_frame *frame, uint64_t stack,
                        bool with_error)
{
    unsigned size = with_error ? 48 : 40;
    uint64_t at;
    void *place;

    at = (stack & ~UINT64_C(15)) - size;
    place = memory_at(&core->machine->memory, at, size);
    if (place == NULL || !paging_maps(core, at) || !paging_maps(core, at + size - 1))
        return "the stack is not memory";
    memcpy(place, with_error ? &frame->error : &frame->rip, size);
    access_wrote(core, at, size);
    core_set_register(core, UC_X86_REG_RSP, at);
    return NULL;
}

static const uint8_t *gate_of(const struct core *core, unsigned vector)
{
    uc_x86_mmr idt;

    uc_reg_read(core->uc, UC_X86_REG_IDTR, &idt);
    return vector * 16 + 15 <= idt.limit
               ? memory_at(&core->machine->memory, idt.base + vector * 16, 16)
               : NULL;
}

bool trap_gate_is_open(const struct core *core, unsigned vector)
{
    const uint8_t *gate = gate_of(core, vector);

    return gate != NULL && (gate[5] >> 5 & 3) >= trap_cpl(core);
}

bool trap_gate_is_present(const struct core *core, unsigned vector)
{
    const uint8_t *gate = gate_of(core, vector);

    return gate != NULL && gate[5] & GATE_PRESENT;
}

static const char *enter(struct core *core, unsigned vector, int64_t error_code,
                         uint64_t return_rip, uint64_t *handler)
{
    const uint8_t *gate = gate_of(core, vector);
    struct trap_frame frame = {0};
    uint64_t stack;
    unsigned cpl = trap_cpl(core), type;
    const char *why;

    if (gate == NULL)
        return "no entry in the interrupt descriptor table";
    type = gate[5] & 0x1fu;
    if (!(gate[5] & GATE_PRESENT) || (type != GATE_INTERRUPT && type != GATE_TRAP))
        return "the entry in the interrupt descriptor table is no present gate";
    frame.error = (uint64_t)error_code;
    frame.rip = return_rip;
    frame.cs = core_register(core, UC_X86_REG_CS) & 0xffff;
    frame.rflags = core_register(core, UC_X86_REG_EFLAGS);
    frame.rsp = core_register(core, UC_X86_REG_RSP);
    frame.ss = core_register(core, UC_X86_REG_SS) & 0xffff;
    stack = gate[4] & 7 ? tss_stack(core, TSS_IST1 + 8u * ((gate[4] & 7u) - 1))
            : cpl       ? tss_stack(core, TSS_RSP0)
                        : frame.rsp;
    if (!stack)
        return "the TSS has no stack for it";
    why = push(core, &frame, stack, error_code != NO_ERROR_CODE);
    if (why == NULL)
        why = load_code_segment(core, (uint16_t)(gate[2] | gate[3] << 8), cpl);
    if (why != NULL)
        return why;
    cet_delivered(core, frame.cs, return_rip, (gate[4] & 7) != 0 || cpl != 0);
    frame.rflags &= ~(uint64_t)RFLAGS_CLEARED;
    if (type == GATE_TRAP)
        frame.rflags |= core_register(core, UC_X86_REG_EFLAGS) & RFLAGS_IF;
    core_set_register(core, UC_X86_REG_EFLAGS, frame.rflags);
    *handler = gate[0] | gate[1] << 8 | (uint64_t)gate[6] << 16 | (uint64_t)gate[7] << 24;
    for (unsigned i = 0; i < 4; i++)
        *handler |= (uint64_t)gate[8 + i] << (32 + 8 * i);
    return NULL;
}

/* A second exception on the way to the handler of one of these is a double fault. */
static bool is_contributory(unsigned vector)
{
    return vector == EXCEPTION_DE || (vector >= EXCEPTION_TS && vector <= EXCEPTION_PF) ||
           vector == EXCEPTION_DF || vector == EXCEPTION_CP;
}

uint64_t trap_deliver(struct core *core, unsigned vector, int64_t error_code, uint64_t return_rip)
{
    uint64_t handler = 0;
    const char *why;

    if (!core->long_mode) {
        machine_end(core->machine, 1, "processor %u: exception %u at 0x%llx before 64-bit mode",
                    core->index, vector, (unsigned long long)return_rip);
        return return_rip;
    }
    core->shadow = false;
    if (vector == EXCEPTION_DB) {
        pmu_debug_exception(core->pmu);
        core->debug.control &= ~DR7_GD; /* the handler may use the debug registers */
    } else if (pmu_keeps_events(core->pmu))
        core->attention |= ATTENTION_EVENT;
    core->event_from = return_rip;
    why = enter(core, vector, error_code, return_rip, &handler);
    if (why == NULL)
        return handler;
    if (!is_contributory(vector) && !trap_gate_is_present(core, vector) &&
        enter(core, gate_of(core, vector) != NULL ? EXCEPTION_NP : EXCEPTION_GP,
              vector * 8 + IN_IDT + EXTERNAL, return_rip, &handler) == NULL)
        return handler;
    if (vector == EXCEPTION_DF || enter(core, EXCEPTION_DF, 0, return_rip, &handler) != NULL)
        return die(core, vector, return_rip, why);
    return handler;
}

uint64_t trap_deliver_interrupt(struct core *core)
{
    const uint64_t saved = pmi_way_saved(core);
    unsigned vector;

    if (core->nmi_pending && !core->nmi_blocked) {
        core->nmi_pending = false;
        core->nmi_blocked = true;
        vector = EXCEPTION_NMI;
    } else if (irq_external(&core->apic)) { /* priorities of the local APIC do not matter */
        vector = irq_acknowledge(&core->apic);
    } else {
        vector = (unsigned)apic_pending(&core->apic);
        apic_accept(&core->apic, vector);
    }
    profile_taken(core->machine->profile, core, vector, saved);
    return trap_deliver(core, vector, NO_ERROR_CODE, saved);
}

/* The error code of a segment load that faults is its selector. */
static int64_t selector_error(const struct core *core)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

    if (!core->pending.live)
        return 0;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, core->pending.record.bytes,
                                             core->pending.record.length, &decoded, operands)) ||
        decoded.mnemonic != ZYDIS_MNEMONIC_MOV || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
        ZydisRegisterGetClass(operands[0].reg.value) != ZYDIS_REGCLASS_SEGMENT ||
        operands[1].type != ZYDIS_OPERAND_TYPE_REGISTER ||
        ZydisRegisterGetId(operands[1].reg.value) > 7)
        return 0;
    return (int64_t)(core_register(core, engine_general(
                                             (unsigned)ZydisRegisterGetId(operands[1].reg.value))) &
                     0xfffc);
}

static int64_t page_error(const struct core *core)
{
    const struct executed *record = &core->pending.record;
    unsigned error = 0;

    if (core->cr0 & CR0_PG && paging_maps(core, core_register(core, UC_X86_REG_CR2)))
        error |= PF_PRESENT;
    if (trap_cpl(core) == 3)
        error |= PF_USER;
    if (!core->pending.live)
        error |= engine_msr(core, MSR_EFER) & EFER_NXE ? PF_FETCH : 0;
    else if (record->accesses && record->access[record->accesses - 1].write)
        error |= PF_WRITE;
    return error;
}

uint64_t trap_fault_with(struct core *core, unsigned vector, int64_t error_code, uint64_t rip)
{
    core_set_register(core, UC_X86_REG_EFLAGS, core_register(core, UC_X86_REG_EFLAGS) | RFLAGS_RF);
    return trap_deliver(core, vector, error_code, rip);
}

static bool is_fault(unsigned vector)
{
    return vector != EXCEPTION_DF && vector != EXCEPTION_DB && vector != EXCEPTION_BP &&
           vector != EXCEPTION_OF;
}

uint64_t trap_fault(struct core *core, unsigned vector, uint64_t rip)
{
    int64_t error = NO_ERROR_CODE;

    if (vector == EXCEPTION_PF)
        error = page_error(core);
    else if (vector == EXCEPTION_DF || vector == EXCEPTION_AC)
        error = 0;
    else if (vector >= EXCEPTION_TS && vector <= EXCEPTION_GP)
        error = selector_error(core);
    if (is_fault(vector))
        return trap_fault_with(core, vector, error, rip);
    return trap_deliver(core, vector, error, rip);
}
