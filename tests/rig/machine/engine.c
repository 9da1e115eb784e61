/* An emulator engine for one core: memory map, hooks, and the two things libunicorn 2.0.1 needs
 * help with (how to start a core in real mode, and how to make it forget the last exception). */
#include <stdlib.h>
#include <string.h>

#include "instruction.h"
#include "machine.h"

#define OPEN_BUS_END       0x100000000u
#define PROBE_ADDRESS      0x1000u
#define NO_EXCEPTION       (-1)
#define GENERAL_PROTECTION 13
#define RESET_MXCSR        0x1f80u
#define RESET_FPCW         0x037fu
#define RESET_FPTAG        0xffffu /* empty, which the emulator's registers are not */

uint64_t core_register(const struct core *core, int id)
{
    uint64_t value = 0;

    uc_reg_read(core->uc, id, &value);
    return value;
}

void core_set_register(struct core *core, int id, uint64_t value)
{
    uc_reg_write(core->uc, id, &value);
}

static uint64_t on_hpet_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    return hpet_read(user, offset, size);
}

static void on_hpet_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    (void)uc;
    hpet_write(user, offset, size, value);
}

static uint64_t on_ioapic_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    (void)size;
    return ioapic_read(user, offset);
}

static void on_ioapic_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                            void *user)
{
    (void)uc;
    (void)size;
    ioapic_write(user, offset, value);
}

static uint64_t apic_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    (void)size;
    return apic_mmio_read(user, (uint32_t)offset);
}

static void apic_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    (void)uc;
    (void)size;
    apic_mmio_write(user, (uint32_t)offset, (uint32_t)value);
}

/* Nobody answers: reads give ones, writes are lost. */
static uint64_t open_bus_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    (void)offset;
    (void)size;
    (void)user;
    return UINT64_MAX;
}

static void open_bus_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                           void *user)
{
    (void)uc;
    (void)offset;
    (void)size;
    (void)value;
    (void)user;
}

static uint32_t on_in(uc_engine *uc, uint32_t port, int size, void *user)
{
    (void)uc;
    return port_read(user, (uint16_t)port, (unsigned)size);
}

static void on_out(uc_engine *uc, uint32_t port, int size, uint32_t value, void *user)
{
    (void)uc;
    port_write(user, (uint16_t)port, (unsigned)size, value);
}

static bool on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                        void *user)
{
    (void)uc;
    (void)type;
    (void)size;
    (void)value;
    core_on_unmapped(user, address);
    return false;
}

static uc_err map_open_bus(uc_engine *uc, uint64_t begin, uint64_t end)
{
    return begin == end
               ? UC_ERR_OK
               : uc_mmio_map(uc, begin, end - begin, open_bus_read, NULL, open_bus_write, NULL);
}

static uc_err map(struct core *core)
{
    struct guest_memory *memory = &core->machine->memory;
    uc_err error = uc_mem_map_ptr(core->uc, 0, LEGACY_BEGIN, UC_PROT_ALL, memory->ram);

    if (!error)
        error = map_open_bus(core->uc, LEGACY_BEGIN, LEGACY_END);
    if (!error)
        error = uc_mem_map_ptr(core->uc, LEGACY_END, memory->size - LEGACY_END, UC_PROT_ALL,
                               memory->ram + LEGACY_END);
    if (!error)
        error = map_open_bus(core->uc, memory->size, FRAMEBUFFER_BASE);
    if (!error)
        error = uc_mem_map_ptr(core->uc, FRAMEBUFFER_BASE, FRAMEBUFFER_BYTES, UC_PROT_ALL,
                               memory->framebuffer);
    if (!error)
        error = map_open_bus(core->uc, FRAMEBUFFER_BASE + FRAMEBUFFER_BYTES, IOAPIC_BASE);
    if (!error)
        error = uc_mmio_map(core->uc, IOAPIC_BASE, PAGE_BYTES, on_ioapic_read, core,
                            on_ioapic_write, core);
    if (!error)
        error = map_open_bus(core->uc, IOAPIC_BASE + PAGE_BYTES, HPET_BASE);
    if (!error)
        error =
            uc_mmio_map(core->uc, HPET_BASE, PAGE_BYTES, on_hpet_read, core, on_hpet_write, core);
    if (!error)
        error = map_open_bus(core->uc, HPET_BASE + PAGE_BYTES, APIC_BASE);
    if (!error)
        error = uc_mmio_map(core->uc, APIC_BASE, PAGE_BYTES, apic_read, core, apic_write, core);
    if (!error)
        error = map_open_bus(core->uc, APIC_BASE + PAGE_BYTES, OPEN_BUS_END);
    return error;
}

/* libunicorn takes callbacks of every type as void pointers. */
#define CALLBACK(function)                                                                         \
    ((union {                                                                                      \
         void (*f)(void);                                                                          \
         void *p;                                                                                  \
     }){.f = (void (*)(void))(function)}                                                           \
         .p)

static uc_err hook(struct core *core)
{
    uc_hook ignored;
    uc_err error = uc_hook_add(core->uc, &ignored, UC_HOOK_CODE, CALLBACK(core_on_code), core,
                               (uint64_t)1, (uint64_t)0);

    if (!error)
        error = uc_hook_add(core->uc, &ignored, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
                            CALLBACK(core_on_memory), core, (uint64_t)1, (uint64_t)0);
    if (!error)
        error = uc_hook_add(core->uc, &ignored, UC_HOOK_MEM_UNMAPPED, CALLBACK(on_unmapped), core,
                            (uint64_t)1, (uint64_t)0);
    if (!error)
        error = uc_hook_add(core->uc, &ignored, UC_HOOK_INTR, CALLBACK(core_on_interrupt), core,
                            (uint64_t)1, (uint64_t)0);
    if (!error)
        error = uc_hook_add(core->uc, &ignored, UC_HOOK_INSN_INVALID, CALLBACK(core_on_undefined),
                            core, (uint64_t)1, (uint64_t)0);
    if (!error)
        error = uc_hook_add(core->uc, &ignored, UC_HOOK_INSN, CALLBACK(on_in), core, (uint64_t)1,
                            (uint64_t)0, UC_X86_INS_IN);
    if (!error)
        error = uc_hook_add(core->uc, &ignored, UC_HOOK_INSN, CALLBACK(on_out), core, (uint64_t)1,
                            (uint64_t)0, UC_X86_INS_OUT);
    return error;
}

bool engine_new(struct core *core, char *why, size_t why_size)
{
    uc_err error = uc_open(UC_ARCH_X86, UC_MODE_64, &core->uc);

    /* With an end address the engine looks that address up at every start, and when it is not
     * mapped that counts as a page fault for the double-fault rules. */
    if (!error)
        error = uc_ctl_exits_enable(core->uc);
    if (!error)
        error = map(core);
    if (!error)
        error = hook(core);
    if (!error)
        error = uc_context_alloc(core->uc, &core->scratch);
    core->instructions = calloc(INSTRUCTION_SLOTS, sizeof(*core->instructions));
    core->code_lines = calloc(core->machine->memory.size / 64 / 8 + 1, 1);
    if (error || core->instructions == NULL || core->code_lines == NULL) {
        snprintf(why, why_size, "no engine for processor %u: %s", core->index,
                 error ? uc_strerror(error) : "out of memory");
        return false;
    }
    core_set_register(core, UC_X86_REG_MXCSR, RESET_MXCSR);
    core_set_register(core, UC_X86_REG_FPCW, RESET_FPCW);
    core_set_register(core, UC_X86_REG_FPTAG, RESET_FPTAG);
    return true;
}

void engine_free(struct core *core)
{
    if (core->scratch != NULL)
        uc_context_free(core->scratch);
    if (core->uc != NULL)
        uc_close(core->uc);
    free(core->instructions);
    free(core->code_lines);
}

static void stop_at_once(uc_engine *uc, uint32_t vector, void *user)
{
    (void)vector;
    (void)user;
    uc_emu_stop(uc);
}

/* The engine remembers the vector of the last fault for the double-fault rules and never clears it.
 * Where it keeps it differs from build to build, so look: an int that was "none" before a #GP and
 * is 13 after it. */
bool engine_find_old_exception(struct machine *machine)
{
    static const uint8_t load_bad_selector[] = {0xb8, 0xf8, 0xff, 0x00,
                                                0x00, 0x8e, 0xd8}; /* mov eax, 0xfff8; mov ds, ax */
    uc_engine *uc;
    uc_context *before, *after;
    uc_hook ignored;
    size_t size, found = 0;
    bool one = false;

    if (uc_open(UC_ARCH_X86, UC_MODE_64, &uc))
        return false;
    if (uc_mem_map(uc, PROBE_ADDRESS, PAGE_BYTES, UC_PROT_ALL) || uc_context_alloc(uc, &before) ||
        uc_context_alloc(uc, &after))
        return false;
    uc_mem_write(uc, PROBE_ADDRESS, load_bad_selector, sizeof(load_bad_selector));
    uc_hook_add(uc, &ignored, UC_HOOK_INTR, CALLBACK(stop_at_once), NULL, (uint64_t)1, (uint64_t)0);
    uc_context_save(uc, before);
    uc_emu_start(uc, PROBE_ADDRESS, UINT64_MAX, 0, 2);
    uc_context_save(uc, after);
    size = uc_context_size(uc);
    for (size_t at = 0; at + sizeof(int) <= size; at += sizeof(int)) {
        int was, is;

        memcpy(&was, (const uint8_t *)before + at, sizeof(was));
        memcpy(&is, (const uint8_t *)after + at, sizeof(is));
        if (was == NO_EXCEPTION && is == GENERAL_PROTECTION) {
            one = found == 0;
            found = at;
        }
    }
    uc_context_free(before);
    uc_context_free(after);
    uc_close(uc);
    machine->old_exception = found;
    return one;
}

void engine_forget_exception(struct core *core)
{
    int none = NO_EXCEPTION;

    uc_context_save(core->uc, core->scratch);
    memcpy((uint8_t *)core->scratch + core->machine->old_exception, &none, sizeof(none));
    uc_context_restore(core->uc, core->scratch);
}

/* An engine in 64-bit mode cannot be sent back to real mode; the state of a fresh 16-bit engine can
 * be put into it. */
bool core_start(struct core *core, uint8_t vector, uint64_t now)
{
    uc_engine *real;
    uc_context *reset;
    uint16_t selector = (uint16_t)(vector << 8);

    if (core->state != CORE_WAIT_SIPI || fault_is_silent(core->machine, core->index))
        return false;
    if (uc_open(UC_ARCH_X86, UC_MODE_16, &real) || uc_context_alloc(real, &reset)) {
        machine_end(core->machine, 1, "no engine to start processor %u with", core->index);
        return false;
    }
    uc_reg_write(real, UC_X86_REG_CS, &selector);
    uc_context_save(real, reset);
    uc_context_restore(core->uc, reset);
    uc_context_free(reset);
    uc_close(real);
    core_set_register(core, UC_X86_REG_MXCSR, RESET_MXCSR);
    core_set_register(core, UC_X86_REG_FPCW, RESET_FPCW);
    core_set_register(core, UC_X86_REG_FPTAG, RESET_FPTAG);
    core_set_register(core, UC_X86_REG_RDX, pmu_cpuid(core->pmu, 1, 0, 0).eax);
    core->rip = (uint64_t)vector << 12;
    core->long_mode = false;
    core->code_bits = 16;
    core->code_base = core->rip;
    core->boot_selector = selector;
    core->state = CORE_RUNNING;
    core->attention = 0;
    core->pending.live = false;
    core_idle_until(core, now);
    return true;
}
