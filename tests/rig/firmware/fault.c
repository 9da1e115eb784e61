/* --fault uefi:K: which firmware calls can fail, and how real firmware would put it. Statuses are
 * those that the UEFI specification lists under "Status Codes Returned" of the service. */
#include "inside.h"

/* EFI_SUCCESS stands for a service that cannot fail: it has no status, does not return, or is the
 * machine's own. */
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

uint64_t firmware_failure(struct firmware *firmware, enum service service)
{
    struct faults *faults = &firmware->machine->faults;
    uint64_t status = failure_of(service);

    if (firmware->waiting || !status || ++faults->uefi_seen != faults->uefi)
        return EFI_SUCCESS;
    return status;
}
