/* Platform Initialization specification, volume 2, "MP Services Protocol". How a processor comes
 * back, and that the firmware waits without an end for one that does not look at its memory any
 * more, is EDK2's (UefiCpuPkg/Library/MpInitLib: ResetProcessorToIdleState and the handler of
 * ExitBootServices). */
#include "mp_services.h"

#include <efi.h>

#include "device/apic.h"
#include "device/platform.h"
#include "guest.h"
#include "protocol.h"
#include "service.h"
#include "state.h"

#define IS_BOOT_PROCESSOR 1u
#define IS_ENABLED        2u
#define IS_HEALTHY        4u

static const EFI_GUID guid_mp_services = {
    0x3fdda605, 0xa76e, 0x4f46, {0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08}};

static unsigned processors(const struct firmware *firmware)
{
    unsigned count = 0;

    while (machine_apic(firmware->machine, count) != NULL)
        count++;
    return count;
}

uint64_t firmware_mp_number_of_processors(struct call *call)
{
    const unsigned count = processors(call->firmware);
    unsigned enabled = 0;

    for (unsigned i = 0; i < count; i++)
        enabled += !call->firmware->mp.disabled[i];
    return put64(call, argument(call, 1), count) && put64(call, argument(call, 2), enabled)
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

uint64_t firmware_mp_processor_info(struct call *call)
{
    const uint64_t number = argument(call, 1), place = argument(call, 2);
    const bool disabled = number < MP_PROCESSORS && call->firmware->mp.disabled[number];
    const struct apic *apic = machine_apic(call->firmware->machine, (unsigned)number);
    struct {
        uint64_t id;
        uint32_t flags, package, core, thread;
    } info = {.flags =
                  IS_HEALTHY | (disabled ? 0 : IS_ENABLED) | (number == 0 ? IS_BOOT_PROCESSOR : 0)};

    if (number >= MP_PROCESSORS || apic == NULL)
        return EFI_NOT_FOUND;
    info.id = apic->id;
    return put(call, place, &info, sizeof(info)) ? EFI_SUCCESS : EFI_INVALID_PARAMETER;
}

uint64_t firmware_mp_enable_disable(struct call *call)
{
    struct firmware *firmware = call->firmware;
    const uint64_t number = argument(call, 1);
    struct apic *apic = machine_apic(firmware->machine, (unsigned)number);

    if (number == 0)
        return EFI_INVALID_PARAMETER;
    if (number >= MP_PROCESSORS || apic == NULL)
        return EFI_NOT_FOUND;
    firmware->mp.disabled[number] = (argument(call, 2) & 0xff) == 0;
    if (!firmware->mp.disabled[number] && core_init(apic->core, core_now(call->core))) {
        apic_reset(apic);
        firmware->mp.inits[number] = core_inits(apic->core);
    }
    return EFI_SUCCESS;
}

bool mp_services_build(struct firmware *firmware)
{
    static const enum service slots[] = {SERVICE_mp_number_of_processors,
                                         SERVICE_mp_processor_info,
                                         SERVICE_mp_startup_all,
                                         SERVICE_mp_startup_this,
                                         SERVICE_mp_switch_bsp,
                                         SERVICE_mp_enable_disable,
                                         SERVICE_mp_who_am_i};
    const unsigned count = sizeof(slots) / sizeof(slots[0]);
    uint64_t table;

    if (firmware->mp.way == MP_SERVICES_NONE)
        return true;
    table = firmware_room(firmware, EfiBootServicesData, 8 * count);
    for (unsigned i = 0; table && i < count; i++)
        firmware_set(firmware, table + 8 * i, stub_of(firmware, slots[i]), 8);
    return table && handle_add(handle_new(firmware), &guid_mp_services, table);
}

void mp_services_look(struct firmware *firmware)
{
    const unsigned count = processors(firmware);

    for (unsigned i = 1; firmware->mp.way == MP_SERVICES_MEMORY && i < count; i++)
        if (core_inits(machine_apic(firmware->machine, i)->core) != firmware->mp.inits[i] ||
            firmware->mp.disabled[i])
            machine_end(firmware->machine, 1,
                        "the firmware waits for processor %u without an end: an INIT took it out "
                        "of the firmware's loop, and nobody gave it back",
                        i);
}
