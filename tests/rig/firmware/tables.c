/* What firmware leaves in memory for an application: the service tables and the protocols. */
#include <string.h>
#include <zlib.h>

#include "inside.h"
#include "host_folder.h"

#define TABLE_REVISION 0x00020046u /* 2.70 */
#define TABLE_HEADER   24u
#define SYSTEM_BYTES   120u

const struct guid guid_acpi_20 = {{0x71, 0xe8, 0x68, 0x88, 0xf1, 0xe4, 0xd3, 0x11, 0xbc, 0x22, 0x00,
                                   0x80, 0xc7, 0x3c, 0x88, 0x81}};
const struct guid guid_acpi_10 = {{0x30, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11, 0x9a, 0x16, 0x00,
                                   0x90, 0x27, 0x3f, 0xc1, 0x4d}};

static const enum service boot_slots[] = {
#define SLOT(name) SERVICE_##name,
    BOOT_SERVICES(SLOT)};
static const enum service runtime_slots[] = {RUNTIME_SERVICES(SLOT)};
static const enum service input_slots[] = {TEXT_INPUT(SLOT)};
static const enum service output_slots[] = {TEXT_OUTPUT(SLOT)};
static const enum service graphics_slots[] = {GRAPHICS(SLOT)};
static const enum service volume_slots[] = {VOLUME(SLOT)};
static const enum service file_slots[] = {FILES(SLOT)};
#undef SLOT
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

uint8_t *firmware_at(const struct firmware *firmware, uint64_t address, uint64_t size)
{
    return memory_at(&firmware->machine->memory, address, size);
}

void firmware_set(const struct firmware *firmware, uint64_t address, uint64_t value, unsigned size)
{
    uint8_t *place = firmware_at(firmware, address, size);

    if (place != NULL)
        memcpy(place, &value, size);
}

uint64_t firmware_room(struct firmware *firmware, uint8_t type, uint64_t bytes)
{
    uint64_t address = memory_pool(&firmware->machine->memory, type, bytes);

    if (address)
        memset(firmware_at(firmware, address, bytes), 0, bytes);
    return address;
}

void table_seal(struct firmware *firmware, uint64_t table)
{
    uint32_t size;

    memcpy(&size, firmware_at(firmware, table + 12, 4), 4);
    firmware_set(firmware, table + 16, 0, 4);
    firmware_set(firmware, table + 16, crc32(0, firmware_at(firmware, table, size), size), 4);
}

static uint64_t slots(struct firmware *firmware, uint8_t type, uint64_t head,
                      const enum service *list, size_t count, uint64_t tail)
{
    uint64_t table = firmware_room(firmware, type, head + count * 8 + tail);

    for (size_t i = 0; table && i < count; i++)
        firmware_set(firmware, table + head + 8 * i, stub_of(firmware, list[i]), 8);
    return table;
}

static uint64_t headed(struct firmware *firmware, uint8_t type, uint64_t signature,
                       const enum service *list, size_t count, uint64_t tail)
{
    uint64_t table = slots(firmware, type, TABLE_HEADER, list, count, tail);

    if (!table)
        return 0;
    firmware_set(firmware, table, signature, 8);
    firmware_set(firmware, table + 8, TABLE_REVISION, 4);
    firmware_set(firmware, table + 12, TABLE_HEADER + count * 8 + tail, 4);
    table_seal(firmware, table);
    return table;
}

static uint64_t wide_string(struct firmware *firmware, uint8_t type, const char *text,
                            uint64_t *bytes)
{
    size_t room = strlen(text) + 1;
    uint64_t place = firmware_room(firmware, type, room * 2);
    size_t used =
        place ? host_utf16(text, (uint16_t *)(void *)firmware_at(firmware, place, room * 2), room)
              : 0;

    if (bytes != NULL)
        *bytes = (used + 1) * 2;
    return place;
}

/* ---- protocols ---- */

static uint64_t console_build(struct firmware *firmware, uint64_t *input)
{
    uint64_t output = slots(firmware, MEMORY_BOOT_DATA, 0, output_slots, COUNT(output_slots), 8);
    uint64_t mode = firmware_room(firmware, MEMORY_BOOT_DATA, 24);
    struct handle *handle = handle_new(firmware);

    *input = slots(firmware, MEMORY_BOOT_DATA, 0, input_slots, COUNT(input_slots), 8);
    if (!output || !mode || handle == NULL || !*input)
        return 0;
    firmware_set(firmware, mode, 1, 4); /* one mode, 80 by 25, light grey, cursor hidden */
    firmware_set(firmware, mode + 8, 7, 4);
    firmware_set(firmware, output + COUNT(output_slots) * 8, mode, 8);
    firmware->console_mode = mode;
    firmware->key_event = event_new(firmware, 0x100, 16, 0, 0);
    firmware_set(firmware, *input + COUNT(input_slots) * 8, firmware->key_event, 8);
    firmware->console_handle = handle->token;
    return handle_add(handle, &guid_text_output, output) &&
                   handle_add(handle, &guid_text_input, *input)
               ? output
               : 0;
}

static bool graphics_build(struct firmware *firmware)
{
    uint64_t protocol =
        slots(firmware, MEMORY_BOOT_DATA, 0, graphics_slots, COUNT(graphics_slots), 8);
    uint64_t mode = firmware_room(firmware, MEMORY_BOOT_DATA, 40),
             info = firmware_room(firmware, MEMORY_BOOT_DATA, 36);

    if (!protocol || !mode || !info)
        return false;
    firmware_set(firmware, protocol + COUNT(graphics_slots) * 8, mode, 8);
    firmware_set(firmware, mode, 1, 4);
    firmware_set(firmware, mode + 8, info, 8);
    firmware_set(firmware, mode + 16, 36, 8);
    firmware_set(firmware, mode + 24, FRAMEBUFFER_BASE, 8);
    firmware_set(firmware, mode + 32, FRAMEBUFFER_BYTES, 8);
    firmware_set(firmware, info + 4, FRAMEBUFFER_WIDTH, 4);
    firmware_set(firmware, info + 8, FRAMEBUFFER_HEIGHT, 4);
    firmware_set(firmware, info + 12, 1, 4); /* blue, green, red, reserved */
    firmware_set(firmware, info + 32, FRAMEBUFFER_WIDTH, 4);
    firmware->graphics_info = info;
    return handle_add(handle_of(firmware, firmware->console_handle), &guid_graphics, protocol);
}

static uint64_t device_path(struct firmware *firmware, const uint8_t *bytes, size_t size)
{
    uint64_t path = firmware_room(firmware, MEMORY_BOOT_DATA, size);

    if (path)
        memcpy(firmware_at(firmware, path, size), bytes, size);
    return path;
}

static bool volume_build(struct firmware *firmware)
{
    /* A hard disk partition behind an ACPI PCI root; the node types of the UEFI specification,
     * "Device Path Protocol". */
    static const uint8_t path[] = {
        0x02, 0x01, 0x0c, 0x00, 0xd0, 0x41, 0x03, 0x0a, 0x00, 0x00, 0x00, 0x00, /* ACPI: PNP0A03, 0
                                                                                 */
        0x01, 0x01, 0x06, 0x00, 0x00, 0x1f,                                     /* PCI: 1f.0 */
        0x04, 0x01, 0x2a, 0x00, 0x01, 0x00, 0x00, 0x00, /* hard drive, partition 1 */
        0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* from sector 2048 */
        0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, /* 1 GiB */
        0x51, 0x10, 0x75, 0xc0, 0x9e, 0x01, 0x4b, 0x4f, 0x9a, 0x2e, 0x11, 0x22, 0x33,
        0x44, 0x55, 0x66, 0x02, 0x02, /* GPT */
        0x7f, 0xff, 0x04, 0x00,
    };
    uint64_t protocol = slots(firmware, MEMORY_BOOT_DATA, 8, volume_slots, COUNT(volume_slots), 0);
    uint64_t device = device_path(firmware, path, sizeof(path));
    struct handle *handle = handle_new(firmware);

    firmware->file_template =
        slots(firmware, MEMORY_BOOT_DATA, 8, file_slots, COUNT(file_slots), 0);
    if (!protocol || !device || handle == NULL || !firmware->file_template)
        return false;
    firmware_set(firmware, protocol, 0x00010000, 8);
    firmware_set(firmware, firmware->file_template, 0x00010000, 8);
    firmware->device_handle = handle->token;
    return handle_add(handle, &guid_simple_file_system, protocol) &&
           handle_add(handle, &guid_device_path, device);
}

bool loaded_image_build(struct firmware *firmware, const char *arguments)
{
    uint64_t protocol = firmware_room(firmware, MEMORY_BOOT_DATA, 96), path, bytes, options = 0,
             options_bytes = 0;
    uint64_t name = wide_string(firmware, MEMORY_BOOT_DATA, IMAGE_PATH, &bytes);
    struct handle *handle = handle_new(firmware);

    path = firmware_room(firmware, MEMORY_BOOT_DATA, bytes + 8);
    if (arguments != NULL)
        options = wide_string(firmware, MEMORY_BOOT_DATA, arguments, &options_bytes);
    if (!protocol || !name || handle == NULL || !path || (arguments != NULL && !options))
        return false;
    firmware_set(firmware, path, 0x0404 | (bytes + 4) << 16, 4); /* media device path, file path */
    memcpy(firmware_at(firmware, path + 4, bytes), firmware_at(firmware, name, bytes), bytes);
    firmware_set(firmware, path + 4 + bytes, 0x0004ff7f, 4);
    firmware_set(firmware, protocol, 0x1000, 4);
    firmware_set(firmware, protocol + 16, firmware->system, 8);
    firmware_set(firmware, protocol + 24, firmware->device_handle, 8);
    firmware_set(firmware, protocol + 32, path, 8);
    firmware_set(firmware, protocol + 48, options_bytes, 4);
    firmware_set(firmware, protocol + 56, options, 8);
    firmware_set(firmware, protocol + 64, firmware->image_base, 8);
    firmware_set(firmware, protocol + 72, firmware->image_size, 8);
    firmware_set(firmware, protocol + 80, MEMORY_LOADER_CODE, 4);
    firmware_set(firmware, protocol + 84, MEMORY_LOADER_DATA, 4);
    firmware->image_handle = handle->token;
    return handle_add(handle, &guid_loaded_image, protocol) &&
           handle_add(handle, &guid_loaded_image_device_path, path);
}

bool tables_build(struct firmware *firmware)
{
    uint64_t input, output = console_build(firmware, &input);
    uint64_t vendor = wide_string(firmware, MEMORY_RUNTIME_DATA, "slotscope rig", NULL), rsdp;

    firmware->boot = headed(firmware, MEMORY_BOOT_DATA, UINT64_C(0x56524553544f4f42), boot_slots,
                            COUNT(boot_slots), 0);
    firmware->runtime = headed(firmware, MEMORY_RUNTIME_DATA, UINT64_C(0x56524553544e5552),
                               runtime_slots, COUNT(runtime_slots), 0);
    firmware->system = headed(firmware, MEMORY_RUNTIME_DATA, UINT64_C(0x5453595320494249), NULL, 0,
                              SYSTEM_BYTES - TABLE_HEADER);
    firmware->configuration = firmware_room(firmware, MEMORY_RUNTIME_DATA, CONFIGURATIONS * 24);
    if (!output || !vendor || !firmware->boot || !firmware->runtime || !firmware->system ||
        !firmware->configuration)
        return false;
    firmware_set(firmware, firmware->system + 24, vendor, 8);
    firmware_set(firmware, firmware->system + 32, 1, 4);
    for (unsigned i = 0; i < 3; i++)
        firmware_set(firmware, firmware->system + 40 + 16 * i, firmware->console_handle, 8);
    firmware_set(firmware, firmware->system + 48, input, 8);
    firmware_set(firmware, firmware->system + 64, output, 8);
    firmware_set(firmware, firmware->system + 80, output, 8);
    firmware_set(firmware, firmware->system + 88, firmware->runtime, 8);
    firmware_set(firmware, firmware->system + 96, firmware->boot, 8);
    rsdp = acpi_build(firmware);
    return rsdp && graphics_build(firmware) && volume_build(firmware) &&
           configuration_install(firmware, &guid_acpi_20, rsdp) &&
           configuration_install(firmware, &guid_acpi_10, rsdp);
}
