/* Handles and the protocols on them. UEFI specification, "Protocol Handler Services". */
#include "protocol.h"

#include <string.h>

#include "guest.h"
#include "lacking.h"
#include "service.h"
#include "state.h"

const EFI_GUID guid_loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
const EFI_GUID guid_loaded_image_device_path = EFI_LOADED_IMAGE_DEVICE_PATH_PROTOCOL_GUID;
const EFI_GUID guid_device_path = EFI_DEVICE_PATH_PROTOCOL_GUID;

struct handle *handle_of(struct firmware *firmware, uint64_t token)
{
    for (unsigned i = 0; token && i < HANDLES; i++)
        if (firmware->handle[i].token == token)
            return &firmware->handle[i];
    return NULL;
}

struct handle *handle_new(struct firmware *firmware)
{
    for (unsigned i = 0; i < HANDLES; i++) {
        if (firmware->handle[i].token)
            continue;
        firmware->handle[i].token = firmware_room(firmware, EfiBootServicesData, 16);
        firmware->handle[i].protocols = 0;
        return firmware->handle[i].token ? &firmware->handle[i] : NULL;
    }
    return NULL;
}

static int find(const struct handle *handle, const EFI_GUID *guid)
{
    for (unsigned i = 0; handle != NULL && i < handle->protocols; i++)
        if (memcmp(&handle->protocol[i].guid, guid, sizeof(*guid)) == 0)
            return (int)i;
    return -1;
}

uint64_t handle_interface(const struct handle *handle, const EFI_GUID *guid)
{
    int at = find(handle, guid);

    return at < 0 ? 0 : handle->protocol[at].interface;
}

bool handle_add(struct handle *handle, const EFI_GUID *guid, uint64_t interface)
{
    if (handle == NULL || handle->protocols == PROTOCOLS || find(handle, guid) >= 0)
        return false;
    handle->protocol[handle->protocols].guid = *guid;
    handle->protocol[handle->protocols].interface = interface;
    handle->protocols++;
    return true;
}

bool protocol_exists(const struct firmware *firmware, const EFI_GUID *guid)
{
    for (unsigned i = 0; i < HANDLES; i++)
        if (firmware->handle[i].token && find(&firmware->handle[i], guid) >= 0)
            return true;
    return false;
}

static void note_lack(struct call *call, enum service service, const EFI_GUID *guid)
{
    if (!protocol_exists(call->firmware, guid))
        lacking_protocol(call, service, guid);
}

static uint64_t install(struct call *call, uint64_t handle_place, uint64_t guid_place,
                        uint64_t interface)
{
    EFI_GUID guid;
    struct handle *handle;
    uint64_t token;

    if (!get(call, handle_place, &token, sizeof(token)) ||
        !get(call, guid_place, &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    handle = token ? handle_of(call->firmware, token) : handle_new(call->firmware);
    if (handle == NULL)
        return token ? EFI_INVALID_PARAMETER : EFI_OUT_OF_RESOURCES;
    if (find(handle, &guid) >= 0)
        return EFI_INVALID_PARAMETER;
    if (!handle_add(handle, &guid, interface))
        return EFI_OUT_OF_RESOURCES;
    put64(call, handle_place, handle->token);
    return EFI_SUCCESS;
}

static uint64_t uninstall(struct call *call, uint64_t token, uint64_t guid_place,
                          uint64_t interface)
{
    EFI_GUID guid;
    struct handle *handle = handle_of(call->firmware, token);
    int at;

    if (handle == NULL || !get(call, guid_place, &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    at = find(handle, &guid);
    if (at < 0 || handle->protocol[at].interface != interface)
        return EFI_NOT_FOUND;
    handle->protocols--;
    memmove(&handle->protocol[at], &handle->protocol[at + 1],
            (handle->protocols - (unsigned)at) * sizeof(handle->protocol[0]));
    if (handle->protocols == 0)
        handle->token = 0;
    return EFI_SUCCESS;
}

uint64_t firmware_install_protocol(struct call *call)
{
    if ((argument(call, 2) & UINT32_MAX) != EFI_NATIVE_INTERFACE)
        return EFI_INVALID_PARAMETER;
    return install(call, argument(call, 0), argument(call, 1), argument(call, 3));
}

uint64_t firmware_uninstall_protocol(struct call *call)
{
    return uninstall(call, argument(call, 0), argument(call, 1), argument(call, 2));
}

/* The arguments are pairs of GUID and interface up to a null GUID. Installs all of them or none. */
uint64_t firmware_install_protocols(struct call *call)
{
    uint64_t status = EFI_SUCCESS, token = 0;
    unsigned n;

    for (n = 1; !status && argument(call, n); n += 2)
        status = install(call, argument(call, 0), argument(call, n), argument(call, n + 1));
    if (!status)
        return EFI_SUCCESS;
    get(call, argument(call, 0), &token, sizeof(token));
    for (n -= 2; n > 1; n -= 2)
        uninstall(call, token, argument(call, n - 2), argument(call, n - 1));
    return status;
}

uint64_t firmware_uninstall_protocols(struct call *call)
{
    uint64_t status = EFI_SUCCESS;

    for (unsigned n = 1; !status && argument(call, n); n += 2)
        status = uninstall(call, argument(call, 0), argument(call, n), argument(call, n + 1));
    return status ? EFI_INVALID_PARAMETER : EFI_SUCCESS;
}

static uint64_t open_interface(struct call *call, enum service service, uint64_t result,
                               bool test_only)
{
    EFI_GUID guid;
    struct handle *handle = handle_of(call->firmware, argument(call, 0));
    int at;

    if (handle == NULL || !get(call, argument(call, 1), &guid, sizeof(guid)) ||
        (!test_only && view(call, result, 8) == NULL))
        return EFI_INVALID_PARAMETER;
    at = find(handle, &guid);
    if (at < 0) {
        note_lack(call, service, &guid);
        if (!test_only)
            put64(call, result, 0);
        return EFI_UNSUPPORTED;
    }
    if (!test_only)
        put64(call, result, handle->protocol[at].interface);
    return EFI_SUCCESS;
}

uint64_t firmware_handle_protocol(struct call *call)
{
    return open_interface(call, SERVICE_handle_protocol, argument(call, 2), false);
}

uint64_t firmware_open_protocol(struct call *call)
{
    uint64_t attributes = argument(call, 5) & UINT32_MAX;

    if (attributes == 0 || attributes > EFI_OPEN_PROTOCOL_EXCLUSIVE)
        return EFI_INVALID_PARAMETER;
    return open_interface(call, SERVICE_open_protocol, argument(call, 2),
                          attributes == EFI_OPEN_PROTOCOL_TEST_PROTOCOL);
}

uint64_t firmware_close_protocol(struct call *call)
{
    EFI_GUID guid;
    struct handle *handle = handle_of(call->firmware, argument(call, 0));

    if (handle == NULL || !get(call, argument(call, 1), &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    return find(handle, &guid) < 0 ? EFI_NOT_FOUND : EFI_SUCCESS;
}

static unsigned search(struct call *call, uint64_t kind, const EFI_GUID *guid,
                       uint64_t found[HANDLES])
{
    unsigned count = 0;

    for (unsigned i = 0; i < HANDLES; i++) {
        const struct handle *handle = &call->firmware->handle[i];

        if (handle->token && (kind == AllHandles || find(handle, guid) >= 0))
            found[count++] = handle->token;
    }
    return count;
}

static uint64_t search_arguments(struct call *call, enum service service, uint64_t found[HANDLES],
                                 unsigned *count)
{
    uint64_t kind = argument(call, 0) & UINT32_MAX;
    EFI_GUID guid;

    if (kind == ByRegisterNotify)
        return EFI_NOT_FOUND;
    if (kind > ByProtocol ||
        (kind == ByProtocol && !get(call, argument(call, 1), &guid, sizeof(guid))))
        return EFI_INVALID_PARAMETER;
    *count = search(call, kind, &guid, found);
    if (*count == 0)
        note_lack(call, service, &guid);
    return *count ? EFI_SUCCESS : EFI_NOT_FOUND;
}

uint64_t firmware_locate_handle(struct call *call)
{
    uint64_t found[HANDLES], size, status;
    unsigned count = 0;

    if (!get(call, argument(call, 3), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    status = search_arguments(call, SERVICE_locate_handle, found, &count);
    if (status)
        return status;
    put64(call, argument(call, 3), count * 8u);
    if (size < count * 8u)
        return EFI_BUFFER_TOO_SMALL;
    return put(call, argument(call, 4), found, count * 8u) ? EFI_SUCCESS : EFI_INVALID_PARAMETER;
}

uint64_t firmware_locate_handle_buffer(struct call *call)
{
    uint64_t found[HANDLES], status, buffer;
    unsigned count = 0;

    if (view(call, argument(call, 3), 8) == NULL || view(call, argument(call, 4), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    put64(call, argument(call, 3), 0);
    put64(call, argument(call, 4), 0);
    status = search_arguments(call, SERVICE_locate_handle_buffer, found, &count);
    if (status)
        return status;
    buffer = memory_map_pool(&call->firmware->map, EfiBootServicesData, count * 8u);
    if (!buffer)
        return EFI_OUT_OF_RESOURCES;
    put(call, buffer, found, count * 8u);
    put64(call, argument(call, 3), count);
    put64(call, argument(call, 4), buffer);
    return EFI_SUCCESS;
}

uint64_t firmware_locate_protocol(struct call *call)
{
    uint64_t found[HANDLES];
    EFI_GUID guid;
    const struct handle *handle;

    if (!get(call, argument(call, 0), &guid, sizeof(guid)) ||
        view(call, argument(call, 2), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    put64(call, argument(call, 2), 0);
    if (!search(call, ByProtocol, &guid, found)) {
        note_lack(call, SERVICE_locate_protocol, &guid);
        return EFI_NOT_FOUND;
    }
    handle = handle_of(call->firmware, found[0]);
    put64(call, argument(call, 2), handle->protocol[find(handle, &guid)].interface);
    return EFI_SUCCESS;
}

uint64_t firmware_protocols_per_handle(struct call *call)
{
    struct handle *handle = handle_of(call->firmware, argument(call, 0));
    uint64_t buffer;

    if (handle == NULL || view(call, argument(call, 1), 8) == NULL ||
        view(call, argument(call, 2), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    buffer = memory_map_pool(&call->firmware->map, EfiBootServicesData,
                             handle->protocols * (8u + sizeof(EFI_GUID)));
    if (!buffer)
        return EFI_OUT_OF_RESOURCES;
    for (unsigned i = 0; i < handle->protocols; i++) {
        uint64_t guid = buffer + handle->protocols * 8u + i * sizeof(EFI_GUID);

        put64(call, buffer + 8 * i, guid);
        put(call, guid, &handle->protocol[i].guid, sizeof(EFI_GUID));
    }
    put64(call, argument(call, 1), buffer);
    put64(call, argument(call, 2), handle->protocols);
    return EFI_SUCCESS;
}

/* No handle has a path that is the beginning of another path, so only whole paths are compared. */
uint64_t firmware_locate_device_path(struct call *call)
{
    EFI_GUID guid;
    uint64_t path;

    if (!get(call, argument(call, 0), &guid, sizeof(guid)) ||
        !get(call, argument(call, 1), &path, sizeof(path)) ||
        view(call, argument(call, 2), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    for (unsigned i = 0; i < HANDLES; i++) {
        const struct handle *handle = &call->firmware->handle[i];
        int device = find(handle, &guid_device_path);

        if (!handle->token || device < 0 || handle->protocol[device].interface != path ||
            find(handle, &guid) < 0)
            continue;
        put64(call, argument(call, 2), handle->token);
        return EFI_SUCCESS;
    }
    note_lack(call, SERVICE_locate_device_path, &guid);
    return EFI_NOT_FOUND;
}
