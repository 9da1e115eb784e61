/* Handles and the protocols on them. UEFI specification, "Protocol Handler Services". */
#include <string.h>

#include "inside.h"

#define ATTRIBUTE_TEST_PROTOCOL 4u

const struct guid guid_loaded_image = {{0xa1, 0x31, 0x1b, 0x5b, 0x62, 0x95, 0xd2, 0x11, 0x8e, 0x3f,
                                        0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b}};
const struct guid guid_loaded_image_device_path = {{0x71, 0x52, 0x62, 0xbc, 0x3e, 0x3e, 0x64, 0x4d,
                                                    0x80, 0x3a, 0x0e, 0xc8, 0x53, 0x1c, 0x8c,
                                                    0x0e}};
const struct guid guid_device_path = {{0x91, 0x6e, 0x57, 0x09, 0x3f, 0x6d, 0xd2, 0x11, 0x8e, 0x39,
                                       0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b}};
const struct guid guid_simple_file_system = {{0x22, 0x5b, 0x4e, 0x96, 0x59, 0x64, 0xd2, 0x11, 0x8e,
                                              0x39, 0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b}};
const struct guid guid_text_output = {{0xc2, 0x77, 0x74, 0x38, 0xc7, 0x69, 0xd2, 0x11, 0x8e, 0x39,
                                       0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b}};
const struct guid guid_text_input = {{0xc1, 0x77, 0x74, 0x38, 0xc7, 0x69, 0xd2, 0x11, 0x8e, 0x39,
                                      0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b}};
const struct guid guid_graphics = {{0xde, 0xa9, 0x42, 0x90, 0xdc, 0x23, 0x38, 0x4a, 0x96, 0xfb,
                                    0x7a, 0xde, 0xd0, 0x80, 0x51, 0x6a}};

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
        firmware->handle[i].token = firmware_room(firmware, MEMORY_BOOT_DATA, 16);
        firmware->handle[i].protocols = 0;
        return firmware->handle[i].token ? &firmware->handle[i] : NULL;
    }
    return NULL;
}

static int find(const struct handle *handle, const struct guid *guid)
{
    for (unsigned i = 0; handle != NULL && i < handle->protocols; i++)
        if (memcmp(&handle->protocol[i].guid, guid, sizeof(*guid)) == 0)
            return (int)i;
    return -1;
}

bool handle_add(struct handle *handle, const struct guid *guid, uint64_t interface)
{
    if (handle == NULL || handle->protocols == PROTOCOLS || find(handle, guid) >= 0)
        return false;
    handle->protocol[handle->protocols].guid = *guid;
    handle->protocol[handle->protocols].interface = interface;
    handle->protocols++;
    return true;
}

static uint64_t install(struct call *call, uint64_t handle_place, uint64_t guid_place,
                        uint64_t interface)
{
    struct guid guid;
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
    struct guid guid;
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
    if (argument(call, 2) & UINT32_MAX) /* EFI_NATIVE_INTERFACE is the only interface type */
        return EFI_INVALID_PARAMETER;
    return install(call, argument(call, 0), argument(call, 1), argument(call, 3));
}

uint64_t firmware_uninstall_protocol(struct call *call)
{
    return uninstall(call, argument(call, 0), argument(call, 1), argument(call, 2));
}

/* Pairs of GUID and interface until a null GUID; all or nothing. */
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

static uint64_t open_interface(struct call *call, uint64_t result, bool test_only)
{
    struct guid guid;
    struct handle *handle = handle_of(call->firmware, argument(call, 0));
    int at;

    if (handle == NULL || !get(call, argument(call, 1), &guid, sizeof(guid)) ||
        (!test_only && view(call, result, 8) == NULL))
        return EFI_INVALID_PARAMETER;
    at = find(handle, &guid);
    if (at < 0) {
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
    return open_interface(call, argument(call, 2), false);
}

uint64_t firmware_open_protocol(struct call *call)
{
    uint64_t attributes = argument(call, 5) & UINT32_MAX;

    if (attributes == 0 || attributes > 0x20)
        return EFI_INVALID_PARAMETER;
    return open_interface(call, argument(call, 2), attributes == ATTRIBUTE_TEST_PROTOCOL);
}

uint64_t firmware_close_protocol(struct call *call)
{
    struct guid guid;
    struct handle *handle = handle_of(call->firmware, argument(call, 0));

    if (handle == NULL || !get(call, argument(call, 1), &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    return find(handle, &guid) < 0 ? EFI_NOT_FOUND : EFI_SUCCESS;
}

enum search { SEARCH_ALL, SEARCH_NOTIFY, SEARCH_PROTOCOL };

static unsigned search(struct call *call, uint64_t kind, const struct guid *guid,
                       uint64_t found[HANDLES])
{
    unsigned count = 0;

    for (unsigned i = 0; i < HANDLES; i++) {
        const struct handle *handle = &call->firmware->handle[i];

        if (handle->token && (kind == SEARCH_ALL || find(handle, guid) >= 0))
            found[count++] = handle->token;
    }
    return count;
}

static uint64_t search_arguments(struct call *call, uint64_t found[HANDLES], unsigned *count)
{
    uint64_t kind = argument(call, 0) & UINT32_MAX;
    struct guid guid;

    if (kind == SEARCH_NOTIFY)
        return EFI_NOT_FOUND;
    if (kind > SEARCH_PROTOCOL ||
        (kind == SEARCH_PROTOCOL && !get(call, argument(call, 1), &guid, sizeof(guid))))
        return EFI_INVALID_PARAMETER;
    *count = search(call, kind, &guid, found);
    return *count ? EFI_SUCCESS : EFI_NOT_FOUND;
}

uint64_t firmware_locate_handle(struct call *call)
{
    uint64_t found[HANDLES], size, status;
    unsigned count = 0;

    if (!get(call, argument(call, 3), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    status = search_arguments(call, found, &count);
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
    status = search_arguments(call, found, &count);
    if (status)
        return status;
    buffer = memory_pool(&call->machine->memory, MEMORY_BOOT_DATA, count * 8u);
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
    struct guid guid;
    const struct handle *handle;

    if (!get(call, argument(call, 0), &guid, sizeof(guid)) ||
        view(call, argument(call, 2), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    put64(call, argument(call, 2), 0);
    if (!search(call, SEARCH_PROTOCOL, &guid, found))
        return EFI_NOT_FOUND;
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
    buffer = memory_pool(&call->machine->memory, MEMORY_BOOT_DATA,
                         handle->protocols * (8u + sizeof(struct guid)));
    if (!buffer)
        return EFI_OUT_OF_RESOURCES;
    for (unsigned i = 0; i < handle->protocols; i++) {
        uint64_t guid = buffer + handle->protocols * 8u + i * sizeof(struct guid);

        put64(call, buffer + 8 * i, guid);
        put(call, guid, &handle->protocol[i].guid, sizeof(struct guid));
    }
    put64(call, argument(call, 1), buffer);
    put64(call, argument(call, 2), handle->protocols);
    return EFI_SUCCESS;
}

/* Devices here have no parents with protocols of their own, so only a whole path is ever found. */
uint64_t firmware_locate_device_path(struct call *call)
{
    struct guid guid;
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
    return EFI_NOT_FOUND;
}
