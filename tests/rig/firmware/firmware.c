/* Entry points of the firmware: which one was called, by whom, in what state, and the way back. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static service_function *const services[SERVICE_COUNT] = {
#define SERVICE_ENTRY(name) [SERVICE_##name] = firmware_##name,
    SERVICES(SERVICE_ENTRY)
#undef SERVICE_ENTRY
};

static const char *const names[SERVICE_COUNT] = {
#define SERVICE_NAME(name) [SERVICE_##name] = #name,
    SERVICES(SERVICE_NAME)
#undef SERVICE_NAME
};

uint64_t stub_of(const struct firmware *firmware, enum service service)
{
    return firmware->stubs + (VECTORS + (unsigned)service) * STUB_BYTES;
}

bool firmware_owns(const struct firmware *firmware, uint64_t address)
{
    return firmware != NULL && address >= firmware->stubs &&
           address < firmware->stubs + (VECTORS + SERVICE_COUNT) * STUB_BYTES;
}

bool get(const struct call *call, uint64_t address, void *to, uint64_t size)
{
    const void *from = memory_at(&call->machine->memory, address, size);

    if (from != NULL)
        memcpy(to, from, size);
    return from != NULL;
}

bool put(const struct call *call, uint64_t address, const void *from, uint64_t size)
{
    void *to = memory_at(&call->machine->memory, address, size);

    if (to == NULL)
        return false;
    memmove(to, from, size);
    wrote(call, address, size);
    return true;
}

bool put64(const struct call *call, uint64_t address, uint64_t value)
{
    return put(call, address, &value, sizeof(value));
}

void *view(const struct call *call, uint64_t address, uint64_t size)
{
    return memory_at(&call->machine->memory, address, size);
}

void wrote(const struct call *call, uint64_t address, uint64_t size)
{
    core_code_written(NULL, call->machine, address, size);
}

bool get_string(const struct call *call, uint64_t address, uint16_t *to, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        if (!get(call, address + 2 * i, &to[i], 2))
            return false;
        if (to[i] == 0)
            return true;
    }
    return false;
}

uint64_t argument(const struct call *call, unsigned n)
{
    uint64_t value = 0;

    if (n < 4)
        return call->arguments[n];
    get(call, call->stack + 8 + 8 * (uint64_t)n, &value, sizeof(value));
    return value;
}

static void unexpected_vector(struct core *core, unsigned vector)
{
    uint64_t stack = core_register(core, UC_X86_REG_RSP), frame[2] = {0, 0};
    bool with_error = vector == 8 || (vector >= 10 && vector <= 14) || vector == 17;
    const void *place = memory_at(&core->machine->memory, stack, sizeof(frame));

    if (place != NULL)
        memcpy(frame, place, sizeof(frame));
    if (vector == 14)
        machine_end(core->machine, 1,
                    "processor %u: page fault at 0x%llx on 0x%llx, under the firmware's handlers",
                    core->index, (unsigned long long)frame[with_error],
                    (unsigned long long)core_register(core, UC_X86_REG_CR2));
    else
        machine_end(core->machine, 1,
                    "processor %u: vector %u at 0x%llx, under the firmware's handlers", core->index,
                    vector, (unsigned long long)frame[with_error]);
}

/* Real firmware takes its timer interrupt through its own table; a caller that forgot to put it
 * back crashes there at random, and here always. */
static bool is_fit_to_call(struct core *core, const struct firmware *firmware, enum service service)
{
    uc_x86_mmr idt;
    bool runtime = service >= SERVICE_get_time && service <= SERVICE_query_variable_info;

    if (!core_is_bsp(core)) {
        machine_end(core->machine, 1,
                    "processor %u calls the firmware (%s); only the boot processor may",
                    core->index, names[service]);
        return false;
    }
    if (firmware->left && (runtime || service == SERVICE_notify_returned))
        return true;
    if (firmware->left) {
        machine_end(core->machine, 1, "the firmware's %s is called after ExitBootServices",
                    names[service]);
        return false;
    }
    uc_reg_read(core->uc, UC_X86_REG_IDTR, &idt);
    if (idt.base != firmware->idt || core->cr3 != firmware->cr3) {
        machine_end(core->machine, 1, "the firmware's %s is called with a foreign %s",
                    names[service],
                    idt.base != firmware->idt ? "interrupt descriptor table" : "page table");
        return false;
    }
    return true;
}

void firmware_call(struct core *core)
{
    struct firmware *firmware = core->machine->firmware;
    unsigned stub = (unsigned)((core->rip - firmware->stubs) / STUB_BYTES);
    struct call call = {.firmware = firmware, .machine = core->machine, .core = core};
    uint64_t status, back = 0;

    if (stub < VECTORS) {
        unexpected_vector(core, stub);
        return;
    }
    if (!is_fit_to_call(core, firmware, (enum service)(stub - VECTORS)))
        return;
    call.stack = core_register(core, UC_X86_REG_RSP);
    call.arguments[0] = core_register(core, UC_X86_REG_RCX);
    call.arguments[1] = core_register(core, UC_X86_REG_RDX);
    call.arguments[2] = core_register(core, UC_X86_REG_R8);
    call.arguments[3] = core_register(core, UC_X86_REG_R9);
    events_advance(firmware, core_ticks(core));
    status = firmware_failure(firmware, (enum service)(stub - VECTORS));
    if (!status)
        status = services[stub - VECTORS](&call);
    firmware->waiting = call.then != 0;
    if (call.leaves || core->machine->ended)
        return;
    if (call.then) {
        /* A wait: time goes on, the others get their turn, and the service is entered again. */
        core_idle_until(core, machine_cycles(core->machine, call.then));
        core->yielding = true;
    } else {
        if (!get(&call, call.stack, &back, sizeof(back))) {
            machine_end(core->machine, 1,
                        "the firmware's %s is called with a stack that is not memory",
                        names[stub - VECTORS]);
            return;
        }
        core_set_register(core, UC_X86_REG_RAX, status && !call.plain ? EFI_ERROR(status) : status);
        core_set_register(core, UC_X86_REG_RSP, call.stack + 8);
        core->rip = back;
    }
    events_dispatch(core, firmware);
}

bool firmware_watchdog(const struct firmware *firmware, uint64_t ticks)
{
    return !firmware->left && ticks >= firmware->watchdog;
}

void firmware_free(struct firmware *firmware)
{
    if (firmware == NULL)
        return;
    for (unsigned i = 0; i < FILES_OPEN; i++)
        if (firmware->file[i].token)
            close(firmware->file[i].descriptor);
    for (unsigned i = 0; i < VARIABLES; i++)
        free(firmware->variable[i].data);
    for (unsigned i = 0; i < firmware->nested; i++)
        uc_context_free(firmware->interrupted[i]);
    if (firmware->root >= 0)
        close(firmware->root);
    free(firmware);
}
