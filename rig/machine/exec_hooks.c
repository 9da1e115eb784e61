/* An engine with all that surrounds it: guest memory, devices, hooks. */
#include <stdio.h>

#include "device/apic.h"
#include "device/devices.h"
#include "device/xapic.h"
#include "exec.h"
#include "exec_inside.h"
#include "firmware/firmware.h"
#include "machine/engine/access.h"
#include "machine/engine/code.h"
#include "machine/engine/debug.h"
#include "machine/engine/engine.h"
#include "machine/engine/state.h"
#include "machine/special/special.h"

#define OPEN_BUS_END 0x100000000u

/* ---- memory and memory-mapped registers ---- */

static uint64_t on_hpet_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct core *core = user;

    (void)uc;
    return devices_read_hpet(&core->machine->devices, core, offset, size);
}

static void on_hpet_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    struct core *core = user;

    (void)uc;
    devices_write_hpet(&core->machine->devices, core, offset, size, value);
}

static uint64_t on_uart_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct core *core = user;

    (void)uc;
    return devices_read_uart(&core->machine->devices, core, offset, size);
}

static void on_uart_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    struct core *core = user;

    (void)uc;
    devices_write_uart(&core->machine->devices, core, offset, size, value);
}

static uint64_t on_engine_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    const struct core *core = user;

    (void)uc;
    (void)size;
    pci_engine_touched(&core->machine->devices.pci, offset);
    return UINT64_MAX;
}

static void on_engine_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                            void *user)
{
    (void)value;
    (void)on_engine_read(uc, offset, size, user);
}

static uint64_t on_pci_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    const struct core *core = user;

    (void)uc;
    return size > 4 ? UINT64_MAX : pci_read(&core->machine->devices.pci, (uint32_t)offset, size);
}

static void on_pci_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    struct core *core = user;

    (void)uc;
    if (size <= 4)
        pci_write(&core->machine->devices.pci, (uint32_t)offset, size, (uint32_t)value);
}

/* The window of segment 1: its first bus is not bus 0. */
#define SEGMENT_1 (1u << 28 | PCI_FIRST_1 << 20)

static uint64_t on_pci_1_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    return on_pci_read(uc, offset + SEGMENT_1, size, user);
}

static void on_pci_1_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                           void *user)
{
    on_pci_write(uc, offset + SEGMENT_1, size, value, user);
}

static uint64_t on_ioapic_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    const struct core *core = user;

    (void)uc;
    (void)size;
    return devices_read_ioapic(&core->machine->devices, offset);
}

static void on_ioapic_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                            void *user)
{
    struct core *core = user;

    (void)uc;
    (void)size;
    devices_write_ioapic(&core->machine->devices, core, offset, value);
}

static uint64_t on_apic_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct core *core = user;

    (void)uc;
    (void)size;
    return xapic_mmio_read(&core->apic, (uint32_t)offset);
}

static void on_apic_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    struct core *core = user;

    (void)uc;
    (void)size;
    xapic_mmio_write(&core->apic, (uint32_t)offset, (uint32_t)value);
}

/* Where no device answers reads give ones and writes are lost. */
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

static uc_err map_open_bus(uc_engine *uc, uint64_t begin, uint64_t end)
{
    return begin == end
               ? UC_ERR_OK
               : uc_mmio_map(uc, begin, end - begin, open_bus_read, NULL, open_bus_write, NULL);
}

struct device_memory {
    uint64_t base, bytes;
    uc_cb_mmio_read_t read;
    uc_cb_mmio_write_t write;
};

static uc_err map_device(struct core *core, const struct device_memory *device)
{
    return uc_mmio_map(core->uc, device->base, device->bytes, device->read, core, device->write,
                       core);
}

/* The line's registers, and PCI's window, where they are above 4 GiB. */
static uc_err map_high_devices(struct core *core, uint64_t line, bool window)
{
    const struct device_memory configuration = {PCI_HIGH_BASE, PCI_BYTES, on_pci_read,
                                                on_pci_write},
                               uart = {line, PAGE_BYTES, on_uart_read, on_uart_write};
    uc_err error = UC_ERR_OK;

    if (window)
        error = map_device(core, &configuration);
    if (!error && line >= OPEN_BUS_END)
        error = map_device(core, &uart);
    return error;
}

/* The devices with registers in memory, by address; between them nothing answers. */
static uc_err map_devices(struct core *core, uint64_t from)
{
    const struct serial_line *line = &core->machine->devices.line;
    const bool high = serial_base(line) >= OPEN_BUS_END, window = line->pci == PCI_ECAM_HIGH;
    const struct device_memory devices[] = {
        {PCI_BEGIN_1, PCI_BYTES_1, on_pci_1_read, on_pci_1_write},
        {PCI_BASE, PCI_BYTES, window ? open_bus_read : on_pci_read,
         window ? open_bus_write : on_pci_write},
        {UART_MEMORY_BASE, PAGE_BYTES, high ? open_bus_read : on_uart_read,
         high ? open_bus_write : on_uart_write},
        {ENGINE_BASE, PAGE_BYTES, on_engine_read, on_engine_write},
        {IOAPIC_BASE, PAGE_BYTES, on_ioapic_read, on_ioapic_write},
        {HPET_BASE, PAGE_BYTES, on_hpet_read, on_hpet_write},
        {APIC_BASE, PAGE_BYTES, on_apic_read, on_apic_write},
    };
    uc_err error = UC_ERR_OK;

    for (size_t i = 0; !error && i < sizeof(devices) / sizeof(*devices); i++) {
        error = map_open_bus(core->uc, from, devices[i].base);
        if (!error)
            error = map_device(core, &devices[i]);
        from = devices[i].base + devices[i].bytes;
    }
    if (!error)
        error = map_open_bus(core->uc, from, OPEN_BUS_END);
    return error ? error : map_high_devices(core, serial_base(line), window);
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
    return error ? error : map_devices(core, FRAMEBUFFER_BASE + FRAMEBUFFER_BYTES);
}

/* ---- hooks ---- */

static uint32_t on_in(uc_engine *uc, uint32_t port, int size, void *user)
{
    struct core *core = user;

    (void)uc;
    if (core->debug.ports)
        debug_port(core, (uint16_t)port, (unsigned)size);
    return port_read(&core->machine->devices, core, (uint16_t)port, (unsigned)size);
}

static void on_out(uc_engine *uc, uint32_t port, int size, uint32_t value, void *user)
{
    struct core *core = user;

    (void)uc;
    if (core->debug.ports)
        debug_port(core, (uint16_t)port, (unsigned)size);
    port_write(&core->machine->devices, core, (uint16_t)port, (unsigned)size, value);
}

/* What a table calls registers of a serial line, and is memory. */
static void on_line_memory(uc_engine *uc, int type, uint64_t address, int size, int64_t value,
                           void *user)
{
    const struct core *core = user;

    (void)uc, (void)type, (void)size, (void)value;
    firmware_line_written(core->machine->firmware, address);
}

static uc_err hook_line_memory(struct core *core)
{
    uc_hook ignored;

    return uc_hook_add(core->uc, &ignored, UC_HOOK_MEM_WRITE,
                       ENGINE_CALLBACK((void (*)(void))on_line_memory), core,
                       (uint64_t)UART_RAM_BASE, (uint64_t)UART_RAM_BASE + 31);
}

static uc_err hook(struct core *core)
{
    static const struct {
        int type, instruction;
        void (*function)(void);
    } hooks[] = {
        {UC_HOOK_CODE, 0, (void (*)(void))exec_on_code},
        {UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, 0, (void (*)(void))access_on_memory},
        {UC_HOOK_MEM_UNMAPPED, 0, (void (*)(void))exec_on_unmapped},
        {UC_HOOK_INTR, 0, (void (*)(void))exec_on_interrupt},
        {UC_HOOK_INSN_INVALID, 0, (void (*)(void))exec_on_undefined},
        {UC_HOOK_INSN, UC_X86_INS_IN, (void (*)(void))on_in},
        {UC_HOOK_INSN, UC_X86_INS_OUT, (void (*)(void))on_out},
    };
    uc_err error = UC_ERR_OK;
    uc_hook ignored;

    /* From address 1 to address 0: everywhere. */
    for (size_t i = 0; !error && i < sizeof(hooks) / sizeof(*hooks); i++)
        error = uc_hook_add(core->uc, &ignored, hooks[i].type, ENGINE_CALLBACK(hooks[i].function),
                            core, (uint64_t)1, (uint64_t)0, hooks[i].instruction);
    if (!error && serial_names_memory(core->machine->devices.line.table))
        error = hook_line_memory(core);
    return error;
}

bool exec_new(struct core *core, char *why, size_t why_size)
{
    uc_err error;

    if (!engine_new(core, why, why_size))
        return false;
    error = map(core);
    if (!error)
        error = hook(core);
    if (error || !code_new(core) || !special_new(core)) {
        snprintf(why, why_size, "no engine for processor %u: %s", core->index,
                 error ? uc_strerror(error) : "out of memory");
        return false;
    }
    return true;
}

void exec_free(struct core *core)
{
    engine_free(core);
    code_free(core);
    special_free(core);
}
