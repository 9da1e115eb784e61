/* Images that a program loads, from a buffer or by device path from the volume, and starts. UEFI
 * specification, "Image Services".
 *
 * A started image runs on its caller's stack. When it returns or calls Exit(), the registers that
 * the calling convention preserves get back the values that StartImage found, as after a long jump.
 */
#include <stdlib.h>
#include <string.h>

#include "image.h"

#include "device/guest_memory.h"
#include "device/platform.h"
#include "guest.h"
#include "host_folder.h"
#include "pe.h"
#include "processor.h"
#include "mp_services.h"
#include "protocol.h"
#include "service.h"
#include "state.h"

#define PATH_LIMIT 4096u /* bytes of a device path */

static const int preserved[PRESERVED] = {
    UC_X86_REG_RBX, UC_X86_REG_RBP, UC_X86_REG_RDI, UC_X86_REG_RSI,
    UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15,
};

static struct image *image_of(struct firmware *firmware, uint64_t token)
{
    for (unsigned i = 0; token && i < IMAGES; i++)
        if (firmware->image[i].token == token)
            return &firmware->image[i];
    return NULL;
}

bool image_is(struct firmware *firmware, uint64_t token)
{
    return token && (token == firmware->image_handle || image_of(firmware, token) != NULL);
}

/* ---- loading ---- */

/* The length of the nodes before the end node; false when there is no end node. */
static bool path_length(const struct call *call, uint64_t path, uint64_t *length)
{
    EFI_DEVICE_PATH node;

    for (*length = 0; *length < PATH_LIMIT;) {
        unsigned size;

        if (!get(call, path + *length, &node, sizeof(node)))
            return false;
        if (node.Type == END_DEVICE_PATH_TYPE)
            return true;
        size = (unsigned)DevicePathNodeLength(&node);
        if (size < sizeof(node))
            return false;
        *length += size;
    }
    return false;
}

/* The part of the path behind the volume's own path, 0 when the path is on no volume. */
static uint64_t on_volume(const struct call *call, uint64_t path, uint64_t length)
{
    uint64_t device = handle_interface(handle_of(call->firmware, call->firmware->device_handle),
                                       &guid_device_path),
             prefix;
    const void *a, *b;

    if (!device || !path_length(call, device, &prefix) || prefix > length)
        return 0;
    a = view(call, device, prefix);
    b = view(call, path, prefix);
    return a != NULL && b != NULL && memcmp(a, b, prefix) == 0 ? path + prefix : 0;
}

static bool is_file_node(const EFI_DEVICE_PATH *node)
{
    return node->Type == MEDIA_DEVICE_PATH && node->SubType == MEDIA_FILEPATH_DP;
}

/* The file that the nodes at `rest` name, one node or several. */
static bool file_name(const struct call *call, uint64_t rest, uint16_t name[NAME_LIMIT])
{
    unsigned used = 0;
    EFI_DEVICE_PATH node = {0};

    while (get(call, rest, &node, sizeof(node)) && is_file_node(&node)) {
        unsigned size = (unsigned)DevicePathNodeLength(&node);

        for (unsigned at = sizeof(node); at + 2 <= size; at += 2) {
            uint16_t letter;

            if (used == NAME_LIMIT - 2 || !get(call, rest + at, &letter, 2))
                return false;
            if (!letter)
                break;
            name[used++] = letter;
        }
        rest += size;
        if (get(call, rest, &node, sizeof(node)) && node.Type == MEDIA_DEVICE_PATH && used &&
            name[used - 1] != '\\')
            name[used++] = '\\';
    }
    name[used] = 0;
    return used && node.Type == END_DEVICE_PATH_TYPE;
}

static uint64_t read_file(struct call *call, const uint16_t *name, uint8_t **bytes, size_t *size)
{
    switch (host_read_file(call->firmware->root, name, LARGEST_IMAGE_FILE, bytes, size)) {
    case HOST_OK:
        return EFI_SUCCESS;
    case HOST_NOT_FOUND:
    case HOST_BAD_NAME:
        return EFI_NOT_FOUND;
    default:
        return EFI_DEVICE_ERROR;
    }
}

/* The bytes of the image's file: from memory, or from the volume. */
static uint64_t source(struct call *call, uint64_t rest, uint8_t **bytes, size_t *size)
{
    uint64_t buffer = argument(call, 3);
    uint16_t name[NAME_LIMIT];
    const void *from;

    if (!buffer)
        return rest && file_name(call, rest, name) ? read_file(call, name, bytes, size)
                                                   : EFI_NOT_FOUND;
    *size = argument(call, 4);
    from = *size && *size <= LARGEST_IMAGE_FILE ? view(call, buffer, *size) : NULL;
    if (from == NULL)
        return EFI_LOAD_ERROR;
    *bytes = malloc(*size);
    if (*bytes == NULL)
        return EFI_OUT_OF_RESOURCES;
    memcpy(*bytes, from, *size);
    return EFI_SUCCESS;
}

static uint64_t copy_path(struct call *call, uint64_t path)
{
    uint64_t length, copy = 0;
    const void *from;

    if (!path || !path_length(call, path, &length))
        return 0;
    length += END_DEVICE_PATH_LENGTH;
    from = view(call, path, length);
    copy = firmware_room(call->firmware, EfiBootServicesData, length);
    if (copy && from != NULL)
        put(call, copy, from, length);
    return copy;
}

/* Makes the handle with the two protocols. `path` is the whole device path, `rest` its part on the
 * volume. */
static bool publish(struct call *call, struct image *image, uint64_t path, uint64_t rest)
{
    struct firmware *firmware = call->firmware;
    struct handle *handle = handle_new(firmware);
    bool driver = image->subsystem != IMAGE_SUBSYSTEM_EFI_APPLICATION;
    EFI_LOADED_IMAGE *loaded;

    image->protocol = firmware_room(firmware, EfiBootServicesData, sizeof(*loaded));
    image->path = copy_path(call, path);
    image->rest = copy_path(call, rest);
    if (handle == NULL || !image->protocol)
        return false;
    image->token = handle->token;
    loaded = (EFI_LOADED_IMAGE *)(void *)firmware_at(firmware, image->protocol, sizeof(*loaded));
    loaded->Revision = EFI_LOADED_IMAGE_PROTOCOL_REVISION;
    loaded->ParentHandle = guest_pointer(argument(call, 1));
    loaded->SystemTable = guest_pointer(firmware->system);
    loaded->DeviceHandle = guest_pointer(rest ? firmware->device_handle : 0);
    loaded->FilePath = guest_pointer(image->rest);
    loaded->ImageBase = guest_pointer(image->base);
    loaded->ImageSize = image->size;
    loaded->ImageCodeType = driver ? EfiBootServicesCode : EfiLoaderCode;
    loaded->ImageDataType = driver ? EfiBootServicesData : EfiLoaderData;
    return handle_add(handle, &guid_loaded_image, image->protocol) &&
           handle_add(handle, &guid_loaded_image_device_path, image->path);
}

static void forget_image(struct call *call, struct image *image)
{
    struct memory_map *map = &call->firmware->map;
    struct handle *handle = handle_of(call->firmware, image->token);

    if (handle != NULL) {
        memory_map_pool_release(map, handle->token);
        handle->token = 0;
    }
    memory_map_pool_release(map, image->protocol);
    memory_map_pool_release(map, image->path);
    memory_map_pool_release(map, image->rest);
    memory_map_release(map, image->base, PAGES_OF(image->size));
    memset(image, 0, sizeof(*image));
}

uint64_t firmware_load_image(struct call *call)
{
    struct firmware *firmware = call->firmware;
    uint64_t path = argument(call, 2), length = 0, rest = 0, status;
    struct image *image = firmware->image;
    struct pe_image loaded;
    uint8_t *bytes = NULL;
    size_t size = 0;
    char why[128];

    if (view(call, argument(call, 5), 8) == NULL || !image_is(firmware, argument(call, 1)) ||
        (!path && !argument(call, 3)) || (path && !path_length(call, path, &length)))
        return EFI_INVALID_PARAMETER;
    while (image < firmware->image + IMAGES && image->base)
        image++;
    if (image == firmware->image + IMAGES)
        return EFI_OUT_OF_RESOURCES;
    rest = path ? on_volume(call, path, length) : 0;
    status = source(call, rest, &bytes, &size);
    if (!status &&
        !pe_load(firmware->memory, &firmware->map, bytes, size, &loaded, why, sizeof(why)))
        status = pe_is_foreign(bytes, size) ? EFI_UNSUPPORTED : EFI_LOAD_ERROR;
    free(bytes);
    if (status)
        return status;
    wrote(call, loaded.base, PAGES_OF(loaded.size) * PAGE_BYTES);
    *image = (struct image){.base = loaded.base,
                            .size = loaded.size,
                            .entry = loaded.entry,
                            .subsystem = loaded.subsystem};
    if (!publish(call, image, path, rest)) {
        forget_image(call, image);
        return EFI_OUT_OF_RESOURCES;
    }
    put64(call, argument(call, 5), image->token);
    return EFI_SUCCESS;
}

/* ---- running ---- */

static void keep_registers(const struct core *core, struct image *image)
{
    for (unsigned i = 0; i < PRESERVED; i++)
        image->general[i] = processor_register(core, preserved[i]);
    for (unsigned i = 0; i < PRESERVED_XMM; i++)
        processor_xmm(core, FIRST_PRESERVED_XMM + i, image->xmm[i]);
}

/* Calls a function of the guest with two arguments; the function returns to the stub of `back`. */
static void enter(struct call *call, uint64_t function, uint64_t first, uint64_t second,
                  enum service back)
{
    uint64_t stack = (call->stack & ~UINT64_C(15)) - SHADOW_SPACE - 8;

    call->leaves = true;
    put64(call, stack, stub_of(call->firmware, back));
    processor_set_register(call->core, UC_X86_REG_RSP, stack);
    processor_set_register(call->core, UC_X86_REG_RCX, first);
    processor_set_register(call->core, UC_X86_REG_RDX, second);
    processor_go_to(call->core, function);
}

/* Returns to the caller of the service that entered the guest. */
static void leave(struct call *call, const struct image *image, uint64_t status)
{
    uint64_t back = 0;

    for (unsigned i = 0; i < PRESERVED; i++)
        processor_set_register(call->core, preserved[i], image->general[i]);
    for (unsigned i = 0; i < PRESERVED_XMM; i++)
        processor_set_xmm(call->core, FIRST_PRESERVED_XMM + i, image->xmm[i]);
    get(call, image->stack, &back, sizeof(back));
    processor_set_register(call->core, UC_X86_REG_RAX, status);
    processor_set_register(call->core, UC_X86_REG_RSP, image->stack + 8);
    call->firmware->level = image->level;
    processor_go_to(call->core, back);
    call->leaves = true;
}

uint64_t firmware_start_image(struct call *call)
{
    struct firmware *firmware = call->firmware;
    struct image *image = image_of(firmware, argument(call, 0));

    if (image == NULL || image->started)
        return EFI_INVALID_PARAMETER;
    image->started = true;
    image->stack = call->stack;
    image->level = firmware->level;
    image->exit_size_place = argument(call, 1);
    image->exit_data_place = argument(call, 2);
    image->caller = firmware->running;
    firmware->running = image->token;
    keep_registers(call->core, image);
    enter(call, image->entry, image->token, firmware->system, SERVICE_image_returned);
    return 0;
}

/* An application is unloaded when it ends, a driver only when it failed. */
static void image_ends(struct call *call, struct image *image, uint64_t status, uint64_t size,
                       uint64_t data)
{
    struct image ended = *image;

    call->firmware->running = image->caller;
    if (image->exit_size_place)
        put64(call, image->exit_size_place, size);
    if (image->exit_data_place)
        put64(call, image->exit_data_place, data);
    if (image->subsystem == IMAGE_SUBSYSTEM_EFI_APPLICATION || status)
        forget_image(call, image);
    leave(call, &ended, status);
}

/* The image from \EFI\BOOT: the run ends with it. */
static void first_image_ends(struct call *call, uint64_t status)
{
    call->leaves = true;
    mp_services_look(call->firmware);
    image_ends_run(call, "the image returned", status);
}

uint64_t firmware_exit_image(struct call *call)
{
    struct firmware *firmware = call->firmware;
    uint64_t token = argument(call, 0), status = argument(call, 1), data = argument(call, 3);
    struct image *image = image_of(firmware, token);

    if (image != NULL && !image->started) {
        forget_image(call, image);
        return EFI_SUCCESS;
    }
    if (token == firmware->image_handle && !firmware->running)
        first_image_ends(call, status);
    else if (image != NULL && token == firmware->running)
        image_ends(call, image, status, data ? argument(call, 2) : 0, data);
    else
        return EFI_INVALID_PARAMETER;
    return 0;
}

uint64_t firmware_image_returned(struct call *call)
{
    uint64_t status = processor_register(call->core, UC_X86_REG_RAX);
    struct image *image = image_of(call->firmware, call->firmware->running);

    if (image != NULL)
        image_ends(call, image, status, 0, 0);
    else
        first_image_ends(call, status);
    return 0;
}

/* The unload function of an image that runs, or of a driver that stayed, decides whether it goes.
 */
uint64_t firmware_unload_image(struct call *call)
{
    struct image *image = image_of(call->firmware, argument(call, 0));
    uint64_t function = 0;

    if (image == NULL)
        return EFI_INVALID_PARAMETER;
    if (!image->started) {
        forget_image(call, image);
        return EFI_SUCCESS;
    }
    get(call, image->protocol + offsetof(EFI_LOADED_IMAGE, Unload), &function, sizeof(function));
    if (!function)
        return EFI_UNSUPPORTED;
    if (call->firmware->unloading)
        return EFI_ACCESS_DENIED; /* not from within an unload function */
    call->firmware->unloading = image->token;
    image->stack = call->stack;
    image->level = call->firmware->level;
    keep_registers(call->core, image);
    enter(call, function, image->token, 0, SERVICE_unload_returned);
    return 0;
}

uint64_t firmware_unload_returned(struct call *call)
{
    uint64_t status = processor_register(call->core, UC_X86_REG_RAX);
    struct image *image = image_of(call->firmware, call->firmware->unloading), ended;

    call->leaves = true;
    if (image == NULL) {
        machine_end(call->machine, 1, "an unload function returns, but none was entered");
        return 0;
    }
    ended = *image;
    call->firmware->unloading = 0;
    if (!status)
        forget_image(call, image);
    leave(call, &ended, status);
    return 0;
}
