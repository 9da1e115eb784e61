/* Calls of the firmware: which entry point, by which processor, in what state, and the return. */
#include "firmware.h"

#include <efi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/guest_memory.h"
#include "device/platform.h"
#include "event.h"
#include "fault.h"
#include "kept_memory.h"
#include "lacking.h"
#include "processor.h"
#include "service.h"
#include "state.h"

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

const char *service_name(enum service service)
{
    return names[service];
}

int firmware_service(const char *name)
{
    for (int i = 0; i < SERVICE_COUNT; i++)
        if (names[i] != NULL && strcmp(names[i], name) == 0 && fault_can((enum service)i))
            return i;
    return -1;
}

const uint64_t *firmware_calls(const struct firmware *firmware)
{
    return firmware->calls;
}

void firmware_points(const struct firmware *firmware, FILE *out)
{
    for (unsigned i = 0; i < SERVICE_COUNT; i++)
        if (firmware->calls[i] > 0)
            points_write_class(out, "uefi:", names[i], firmware->calls[i]);
}

void firmware_entries(const struct firmware *firmware, uint64_t *begin, uint64_t *end)
{
    *begin = firmware->stubs;
    *end = firmware->stubs + STUBS_BYTES;
}

static void unexpected_vector(const struct firmware *firmware, const struct core *core,
                              unsigned vector)
{
    uint64_t stack = processor_register(core, UC_X86_REG_RSP), frame[2] = {0, 0};
    bool with_error = vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21;
    const void *place = memory_at(firmware->memory, stack, sizeof(frame));

    if (place != NULL)
        memcpy(frame, place, sizeof(frame));
    if (vector == 14)
        machine_end(firmware->machine, 1,
                    "processor %u: page fault at 0x%llx on 0x%llx, under the firmware's handlers",
                    core_number(core), (unsigned long long)frame[with_error],
                    (unsigned long long)processor_register(core, UC_X86_REG_CR2));
    else
        machine_end(firmware->machine, 1,
                    "processor %u: vector %u at 0x%llx, under the firmware's handlers",
                    core_number(core), vector, (unsigned long long)frame[with_error]);
}

/* Real firmware takes its timer interrupt through its own table: a caller that left another table
 * in place crashes there at random, and here always. */
static bool is_fit_to_call(const struct firmware *firmware, const struct core *core,
                           enum service service)
{
    bool runtime = service >= SERVICE_get_time && service <= SERVICE_query_variable_info;
    bool own_idt;

    if (!core_is_bsp(core)) {
        machine_end(firmware->machine, 1,
                    "processor %u calls the firmware (%s); only the boot processor may",
                    core_number(core), names[service]);
        return false;
    }
    if (firmware->left && (runtime || service == SERVICE_notify_returned))
        return true;
    if (firmware->left) {
        machine_end(firmware->machine, 1, "the firmware's %s is called after ExitBootServices",
                    names[service]);
        return false;
    }
    if (firmware->cet && service != SERVICE_power_on && !processor_enforces(core)) {
        machine_end(firmware->machine, 1,
                    "the firmware's %s is called without the control-flow enforcement that the "
                    "firmware had on",
                    names[service]);
        return false;
    }
    own_idt = processor_idt(core) == firmware->idt;
    if (!own_idt || processor_page_table(core) != firmware->cr3) {
        machine_end(firmware->machine, 1, "the firmware's %s is called with a foreign %s",
                    names[service], own_idt ? "page table" : "interrupt descriptor table");
        return false;
    }
    return true;
}

/* Returns to the caller. When the service waits, lets time and the other cores go on instead: then
 * the service is entered again. */
static void leave_service(struct call *call, enum service service, uint64_t result)
{
    struct core *core = call->core;
    uint64_t back = 0;

    if (call->then) {
        processor_idle_until(core, machine_cycles(call->machine, call->then));
        processor_yield(core);
        return;
    }
    if (!get(call, call->stack, &back, sizeof(back))) {
        machine_end(call->machine, 1, "the firmware's %s is called with a stack outside memory",
                    names[service]);
        return;
    }
    processor_set_register(core, UC_X86_REG_RAX, result);
    processor_set_register(core, UC_X86_REG_RSP, call->stack + 8);
    processor_return(core, back);
}

void image_ends_run(const struct call *call, const char *how, uint64_t status)
{
    if (call->firmware->special && !special_memory_is_whole(call->firmware))
        return;
    machine_end(call->machine, EFI_ERROR(status) ? STATUS_FAILED : 0,
                "%s, status 0x%llx: the image says that its run failed", how,
                (unsigned long long)status);
}

void firmware_call(struct firmware *firmware, struct core *core)
{
    unsigned stub = (unsigned)((processor_rip(core) - firmware->stubs) / STUB_BYTES);
    enum service service = (enum service)(stub - VECTORS);
    struct call call = {.firmware = firmware, .machine = firmware->machine, .core = core};
    uint64_t result;

    if (stub < VECTORS) {
        unexpected_vector(firmware, core, stub);
        return;
    }
    if (!is_fit_to_call(firmware, core, service) ||
        (firmware->low_used && !firmware->left && !low_memory_is_whole(firmware)))
        return;
    call.stack = processor_register(core, UC_X86_REG_RSP);
    call.arguments[0] = processor_register(core, UC_X86_REG_RCX);
    call.arguments[1] = processor_register(core, UC_X86_REG_RDX);
    call.arguments[2] = processor_register(core, UC_X86_REG_R8);
    call.arguments[3] = processor_register(core, UC_X86_REG_R9);
    events_advance(firmware, core_ticks(core));
    result = fault_of_call(firmware, core, service);
    if (!result)
        result = services[service](&call);
    firmware->waiting = call.then != 0;
    if (!firmware->waiting)
        fault_spoil(firmware, core);
    if (call.leaves || machine_has_ended(firmware->machine))
        return;
    leave_service(&call, service, result);
    if (!machine_has_ended(firmware->machine))
        events_dispatch(firmware, core);
}

bool firmware_has_interrupts(const struct firmware *firmware, const struct core *core)
{
    return processor_idt(core) == firmware->idt;
}

void firmware_line_written(const struct firmware *firmware, uint64_t address)
{
    line_memory_written(firmware, address);
}

uint64_t firmware_tick_due(const struct firmware *firmware, const struct core *core)
{
    return events_tick_due(firmware, core);
}

uint64_t firmware_next_tick(const struct firmware *firmware, const struct core *core)
{
    return events_next_tick(firmware, core);
}

bool firmware_tick(struct firmware *firmware, struct core *core)
{
    return events_tick_due(firmware, core) <= core_now(core) && events_dispatch(firmware, core);
}

void firmware_lacking(const struct firmware *firmware, FILE *out)
{
    lacking_write(firmware, out);
}

bool firmware_has_left(const struct firmware *firmware)
{
    return firmware->left;
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
        processor_state_free(firmware->interrupted[i]);
    if (firmware->root >= 0)
        close(firmware->root);
    memory_map_free(&firmware->map);
    free(firmware);
}
