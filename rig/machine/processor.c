/* Defines what firmware/processor.h declares. */
#include "firmware/processor.h"

#include "machine/engine/cet.h"
#include "machine/engine/clock.h"
#include "machine/engine/code.h"
#include "machine/engine/engine.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"

struct guest_memory *machine_memory(struct machine *machine)
{
    return &machine->memory;
}

void machine_code_written(struct machine *machine, uint64_t address, uint64_t size)
{
    code_written(NULL, machine, address, size);
}

uint64_t processor_register(const struct core *core, int id)
{
    return core_register(core, id);
}

void processor_set_register(struct core *core, int id, uint64_t value)
{
    core_set_register(core, id, value);
}

void processor_xmm(const struct core *core, unsigned n, uint8_t value[16])
{
    uc_reg_read(core->uc, UC_X86_REG_XMM0 + (int)n, value);
}

void processor_set_xmm(struct core *core, unsigned n, const uint8_t value[16])
{
    uc_reg_write(core->uc, UC_X86_REG_XMM0 + (int)n, value);
}

uint64_t processor_rip(const struct core *core)
{
    return core->rip;
}

void processor_go_to(struct core *core, uint64_t rip)
{
    core->rip = rip;
}

uint64_t processor_page_table(const struct core *core)
{
    return core->cr3;
}

uint64_t processor_idt(const struct core *core)
{
    uc_x86_mmr idt;

    uc_reg_read(core->uc, UC_X86_REG_IDTR, &idt);
    return idt.base;
}

bool processor_takes_interrupts(const struct core *core)
{
    return trap_takes_interrupts(core);
}

void processor_power_on(struct core *core, const struct processor_tables *tables, uint64_t rip)
{
    const uc_x86_mmr gdt = {0, tables->gdt, tables->gdt_limit, 0};
    const uc_x86_mmr idt = {0, tables->idt, tables->idt_limit, 0};

    uc_reg_write(core->uc, UC_X86_REG_GDTR, &gdt);
    uc_reg_write(core->uc, UC_X86_REG_IDTR, &idt);
    core->rip = rip;
    core->code_bits = 64;
    core->boot_selector = core_register(core, UC_X86_REG_CS) & 0xffff;
}

/* struct processor_state is the emulator's context under a name that the firmware may know. */

struct processor_state *processor_save(const struct core *core)
{
    uc_context *context;

    if (uc_context_alloc(core->uc, &context))
        return NULL;
    uc_context_save(core->uc, context);
    return (struct processor_state *)context;
}

void processor_restore(struct core *core, struct processor_state *state)
{
    uc_context_restore(core->uc, (uc_context *)state);
    processor_state_free(state);
}

void processor_state_free(struct processor_state *state)
{
    uc_context_free((uc_context *)state);
}

void processor_return(struct core *core, uint64_t rip)
{
    cet_return(core, rip);
    core->rip = rip;
}

void processor_enforce(struct core *core, uint64_t ssp)
{
    cet_hand_over(core, ssp);
}

bool processor_enforces(const struct core *core)
{
    return core_register(core, UC_X86_REG_CR4) & CR4_CET;
}

void processor_idle_until(struct core *core, uint64_t cycle)
{
    core_idle_until(core, cycle);
}

void processor_yield(struct core *core)
{
    core->yielding = true;
}
