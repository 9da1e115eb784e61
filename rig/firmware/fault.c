#include "fault.h"

#include <efi.h>

#include "device/platform.h"
#include "guest.h"
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

    return (request->row->act == ACT_CALL_FAILS || request->row->act == ACT_MEMORY) &&
           (request->service < 0 || request->service == (int)service) && k >= request->first &&
           k <= request->last;
}

/* Without the stick: what the specification lists for each function of a file but Close. */
static bool needs_stick(enum service service)
{
    return service >= SERVICE_open_volume && service <= SERVICE_file_flush &&
           service != SERVICE_file_close;
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
        if (points->request[i].row->act == ACT_MEMORY) {
            firmware->spoils = &points->request[i];
            continue;
        }
        fails = true;
        fault_happened(&points->request[i], true, core_number(core), core_window(core), "%s",
                       service_name(service));
    }
    if (!fails && firmware->pulled && needs_stick(service))
        return EFI_NO_MEDIA;
    return fails ? status : EFI_SUCCESS;
}

/* ---- memory ---- */

/* Of all bytes of the ACPI tables one by the number of the call, scattered by Knuth's
 * multiplicative hash (The Art of Computer Programming 3, "Hashing"), and one bit of it. */
void fault_spoil(struct firmware *firmware, const struct core *core)
{
    struct fault_request *request = firmware->spoils;
    uint64_t all = 0, at;

    firmware->spoils = NULL;
    if (request == NULL)
        return;
    for (unsigned i = 0; i < firmware->tables; i++)
        all += firmware->table[i].bytes;
    at = (request->first * UINT64_C(2654435761) & UINT32_MAX) % all;
    for (unsigned i = 0; i < firmware->tables; i++) {
        const uint64_t place = firmware->table[i].place + at;

        if (at < firmware->table[i].bytes) {
            *firmware_at(firmware, place, 1) ^= (uint8_t)(1u << request->first % 8);
            fault_happened(request, true, core_number(core), core_window(core),
                           "bit %u of 0x%llx, byte %llu of a table of ACPI",
                           (unsigned)(request->first % 8), (unsigned long long)place,
                           (unsigned long long)at);
            return;
        }
        at -= firmware->table[i].bytes;
    }
}

/* ---- the stick ---- */

uint64_t fault_room(const struct firmware *firmware)
{
    return firmware->stick_room;
}

static uint64_t blocks(uint64_t bytes)
{
    return (bytes + STICK_BLOCK - 1) / STICK_BLOCK * STICK_BLOCK;
}

bool fault_resizes(struct firmware *firmware, uint64_t from, uint64_t to)
{
    const uint64_t before = blocks(from), after = blocks(to);

    if (firmware->stick_largest != 0 && to > firmware->stick_largest)
        return false;
    if (firmware->stick != STICK_LIMITED)
        return true;
    if (after > before && after - before > firmware->stick_room)
        return false;
    firmware->stick_room = firmware->stick_room + before - after;
    return true;
}

static bool is_lost(struct firmware *firmware, const struct core *core, uint64_t bytes,
                    uint64_t *taken)
{
    struct points *points = firmware->points;
    const uint64_t k = point_pass(points, POINT_FILE_WRITE);
    struct fault_request *request = NULL;

    *taken = bytes;
    while ((request = fault_at(points, POINT_FILE_WRITE, k, request)) != NULL) {
        if (request->row->act == ACT_STICK_PULLED)
            firmware->pulled = true;
        else
            *taken = request->row->act == ACT_WRITE_SHORT ? bytes / 2 : 0;
        fault_happened(request, true, core_number(core), core_window(core), "a write of %llu bytes",
                       (unsigned long long)bytes);
    }
    return firmware->pulled;
}

uint64_t fault_of_write(struct firmware *firmware, const struct core *core, uint64_t bytes,
                        uint64_t *taken)
{
    if (is_lost(firmware, core, bytes, taken))
        return EFI_NO_MEDIA;
    firmware->stick_written += bytes;
    firmware->stick_writes++;
    if (firmware->stick == STICK_FULL && firmware->stick_written > STICK_ROOM)
        return EFI_VOLUME_FULL;
    return firmware->stick == STICK_ERROR && firmware->stick_writes > 1 ? EFI_DEVICE_ERROR
                                                                        : EFI_SUCCESS;
}
