#include "fault.h"

#include <efi.h>

#include "device/platform.h"
#include "state.h"

/* A status that the UEFI specification lists for the service under "Status Codes Returned".
 * EFI_SUCCESS: the service cannot fail, because it has no status, does not return or is no service
 * of the specification. */
static uint64_t failure_of(enum service service)
{
    switch (service) {
    case SERVICE_raise_tpl:
    case SERVICE_restore_tpl:
    case SERVICE_copy_memory:
    case SERVICE_set_memory:
    case SERVICE_reset_system:
    case SERVICE_exit_image:
    case SERVICE_power_on:
    case SERVICE_image_returned:
    case SERVICE_unload_returned:
    case SERVICE_notify_returned:
        return EFI_SUCCESS;
    case SERVICE_allocate_pages:
    case SERVICE_allocate_pool:
    case SERVICE_create_event:
    case SERVICE_create_event_ex:
    case SERVICE_locate_handle_buffer:
    case SERVICE_install_protocol:
    case SERVICE_install_protocols:
    case SERVICE_open_volume:
    case SERVICE_load_image:
        return EFI_OUT_OF_RESOURCES;
    case SERVICE_handle_protocol:
    case SERVICE_open_protocol:
    case SERVICE_set_watchdog_timer:
    case SERVICE_stall:
    case SERVICE_file_get_info:
        return EFI_UNSUPPORTED;
    case SERVICE_locate_protocol:
    case SERVICE_locate_handle:
    case SERVICE_locate_device_path:
    case SERVICE_get_variable:
        return EFI_NOT_FOUND;
    case SERVICE_get_memory_map:
    case SERVICE_exit_boot_services:
    case SERVICE_free_pages:
    case SERVICE_free_pool:
    case SERVICE_set_timer:
    case SERVICE_wait_for_event:
    case SERVICE_check_event:
    case SERVICE_close_event:
    case SERVICE_signal_event:
    case SERVICE_start_image:
    case SERVICE_unload_image:
        return EFI_INVALID_PARAMETER;
    default:
        return EFI_DEVICE_ERROR;
    }
}

_Static_assert(SERVICE_COUNT <= SERVICES_MOST, "a count for each service");

bool fault_can(enum service service)
{
    return failure_of(service) != EFI_SUCCESS;
}

/* Calls of one service are numbered apart. */
static bool is_meant(const struct fault_request *request, enum service service, uint64_t call,
                     uint64_t of_service)
{
    const uint64_t k = request->service < 0 ? call : of_service;

    return request->row->act == ACT_CALL_FAILS &&
           (request->service < 0 || request->service == (int)service) && k >= request->first &&
           k <= request->last;
}

uint64_t fault_of_call(struct firmware *firmware, const struct core *core, enum service service)
{
    const uint64_t status = failure_of(service);
    struct points *points = firmware->points;
    uint64_t call, of_service;
    bool fails = false;

    if (firmware->waiting || !status)
        return EFI_SUCCESS;
    call = point_pass(points, POINT_CALL);
    of_service = ++firmware->calls[service];
    for (unsigned i = 0; i < points->count; i++) {
        if (!is_meant(&points->request[i], service, call, of_service))
            continue;
        fails = true;
        fault_happened(&points->request[i], true, core_number(core), core_window(core), "%s",
                       service_name(service));
    }
    return fails ? status : EFI_SUCCESS;
}

uint64_t fault_room(const struct firmware *firmware)
{
    return firmware->stick_room > firmware->stick_written
               ? firmware->stick_room - firmware->stick_written
               : 0;
}

uint64_t fault_of_write(struct firmware *firmware, uint64_t bytes)
{
    if (firmware->stick == STICK_LIMITED && bytes > fault_room(firmware))
        return EFI_VOLUME_FULL;
    firmware->stick_written += bytes;
    firmware->stick_writes++;
    if (firmware->stick == STICK_FULL && firmware->stick_written > STICK_ROOM)
        return EFI_VOLUME_FULL;
    return firmware->stick == STICK_ERROR && firmware->stick_writes > 1 ? EFI_DEVICE_ERROR
                                                                        : EFI_SUCCESS;
}
