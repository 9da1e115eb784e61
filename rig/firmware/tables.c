#include "tables.h"

#include <efi.h>
#include <stddef.h>
#include <string.h>

#include "acpi/acpi.h"
#include "device/guest_memory.h"
#include "event.h"
#include "guest.h"
#include "host_folder.h"
#include "protocol.h"
#include "runtime.h"
#include "service.h"
#include "smbios.h"
#include "state.h"

#define TABLE_REVISION 0x00020046u /* 2.70 */

static const EFI_GUID guid_simple_file_system = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
static const EFI_GUID guid_text_output = EFI_SIMPLE_TEXT_OUTPUT_PROTOCOL_GUID;
static const EFI_GUID guid_text_input = EFI_SIMPLE_TEXT_INPUT_PROTOCOL_GUID;
static const EFI_GUID guid_graphics = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
static const EFI_GUID guid_acpi_20 = ACPI_20_TABLE_GUID;
static const EFI_GUID guid_acpi_10 = ACPI_TABLE_GUID;
static const EFI_GUID guid_smbios = SMBIOS_TABLE_GUID;
static const EFI_GUID guid_smbios_3 = SMBIOS3_TABLE_GUID;

/* The functions of each table, in the order of its members. */
#define SLOT(name) SERVICE_##name,
static const enum service boot_slots[] = {BOOT_SERVICES(SLOT)};
static const enum service runtime_slots[] = {RUNTIME_SERVICES(SLOT)};
static const enum service input_slots[] = {TEXT_INPUT(SLOT)};
static const enum service output_slots[] = {TEXT_OUTPUT(SLOT)};
static const enum service graphics_slots[] = {GRAPHICS(SLOT)};
static const enum service volume_slots[] = {VOLUME(SLOT)};
static const enum service file_slots[] = {FILES(SLOT)};
#undef SLOT
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* `head` bytes, the addresses of the entry points, `tail` bytes. Gives 0 when there is no room. */
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
    EFI_TABLE_HEADER header = {.Signature = signature,
                               .Revision = TABLE_REVISION,
                               .HeaderSize = (uint32_t)(sizeof(header) + count * 8 + tail)};
    uint64_t table = slots(firmware, type, sizeof(header), list, count, tail);

    if (!table)
        return 0;
    memcpy(firmware_at(firmware, table, sizeof(header)), &header, sizeof(header));
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

/* "The current mode ... -1": SIMPLE_TEXT_OUTPUT_MODE, of a console that nobody set up. */
#define NO_MODE UINT32_MAX

/* One text mode: 80 by 25, light grey on black, cursor hidden. */
static uint64_t console_build(struct firmware *firmware, uint64_t *input)
{
    static const SIMPLE_TEXT_OUTPUT_MODE text = {.MaxMode = 1, .Attribute = EFI_LIGHTGRAY};
    uint64_t output = slots(firmware, EfiBootServicesData, 0, output_slots, COUNT(output_slots), 8);
    uint64_t mode = firmware_room(firmware, EfiBootServicesData, sizeof(text));
    struct handle *handle = handle_new(firmware);

    *input = slots(firmware, EfiBootServicesData, 0, input_slots, COUNT(input_slots), 8);
    if (!output || !mode || handle == NULL || !*input)
        return 0;
    memcpy(firmware_at(firmware, mode, sizeof(text)), &text, sizeof(text));
    if (firmware->text_mode_unset)
        firmware_set(firmware, mode + EFI_FIELD_OFFSET(SIMPLE_TEXT_OUTPUT_MODE, Mode), NO_MODE, 4);
    firmware_set(firmware, output + COUNT(output_slots) * 8, mode, 8);
    firmware->console_mode = mode;
    firmware->key_event = event_new(firmware, EVT_NOTIFY_WAIT, TPL_NOTIFY, 0, 0);
    firmware_set(firmware, *input + COUNT(input_slots) * 8, firmware->key_event, 8);
    firmware->console_handle = handle->token;
    return handle_add(handle, &guid_text_output, output) &&
                   handle_add(handle, &guid_text_input, *input)
               ? output
               : 0;
}

static bool graphics_build(struct firmware *firmware)
{
    static const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION picture = {
        .HorizontalResolution = FRAMEBUFFER_WIDTH,
        .VerticalResolution = FRAMEBUFFER_HEIGHT,
        .PixelFormat = PixelBlueGreenRedReserved8BitPerColor,
        .PixelsPerScanLine = FRAMEBUFFER_WIDTH};
    EFI_GRAPHICS_OUTPUT_PROTOCOL_MODE state = {.MaxMode = 1,
                                               .SizeOfInfo = sizeof(picture),
                                               .FrameBufferBase = FRAMEBUFFER_BASE,
                                               .FrameBufferSize = FRAMEBUFFER_BYTES};
    uint64_t protocol =
        slots(firmware, EfiBootServicesData, 0, graphics_slots, COUNT(graphics_slots), 8);
    uint64_t mode = firmware_room(firmware, EfiBootServicesData, sizeof(state)),
             info = firmware_room(firmware, EfiBootServicesData, sizeof(picture));

    if (!protocol || !mode || !info)
        return false;
    state.Info = guest_pointer(info);
    firmware_set(firmware, protocol + COUNT(graphics_slots) * 8, mode, 8);
    memcpy(firmware_at(firmware, mode, sizeof(state)), &state, sizeof(state));
    memcpy(firmware_at(firmware, info, sizeof(picture)), &picture, sizeof(picture));
    firmware->graphics_info = info;
    return handle_add(handle_of(firmware, firmware->console_handle), &guid_graphics, protocol);
}

static uint64_t device_path(struct firmware *firmware, const uint8_t *bytes, size_t size)
{
    uint64_t path = firmware_room(firmware, EfiBootServicesData, size);

    if (path)
        memcpy(firmware_at(firmware, path, size), bytes, size);
    return path;
}

/* A hard disk partition behind an ACPI PCI root. UEFI specification, "Device Path Protocol". */
/* clang-format off */
static const uint8_t volume_path[] = {
    /* ACPI: PNP0A03, 0 */
    0x02, 0x01, 0x0c, 0x00, 0xd0, 0x41, 0x03, 0x0a, 0x00, 0x00, 0x00, 0x00,
    /* PCI: 1f.0 */
    0x01, 0x01, 0x06, 0x00, 0x00, 0x1f,
    /* hard drive: partition 1, from sector 2048 on, 1 GiB, GUID, GPT */
    0x04, 0x01, 0x2a, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x51, 0x10, 0x75, 0xc0, 0x9e, 0x01, 0x4b, 0x4f, 0x9a, 0x2e, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
    0x02, 0x02,
    /* end */
    0x7f, 0xff, 0x04, 0x00,
};
/* clang-format on */

static bool volume_build(struct firmware *firmware)
{
    uint64_t protocol =
        slots(firmware, EfiBootServicesData, 8, volume_slots, COUNT(volume_slots), 0);
    uint64_t device = device_path(firmware, volume_path, sizeof(volume_path));
    struct handle *handle = handle_new(firmware);

    firmware->file_template =
        slots(firmware, EfiBootServicesData, 8, file_slots, COUNT(file_slots), 0);
    if (!protocol || !device || handle == NULL || !firmware->file_template)
        return false;
    firmware_set(firmware, protocol, EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_REVISION, 8);
    firmware_set(firmware, firmware->file_template, EFI_FILE_PROTOCOL_REVISION, 8);
    firmware->device_handle = handle->token;
    return handle_add(handle, &guid_simple_file_system, protocol) &&
           handle_add(handle, &guid_device_path, device);
}

/* A file path node with the name at `name`, of `bytes` bytes, and an end node. */
static uint64_t file_path(struct firmware *firmware, uint64_t name, uint64_t bytes)
{
    EFI_DEVICE_PATH node = {.Type = MEDIA_DEVICE_PATH, .SubType = MEDIA_FILEPATH_DP};
    EFI_DEVICE_PATH end = {END_DEVICE_PATH_TYPE, END_ENTIRE_DEVICE_PATH_SUBTYPE, {sizeof(end), 0}};
    uint64_t path =
        firmware_room(firmware, EfiBootServicesData, sizeof(node) + bytes + sizeof(end));
    uint8_t *at = firmware_at(firmware, path, sizeof(node) + bytes + sizeof(end));

    if (!path)
        return 0;
    SetDevicePathNodeLength(&node, sizeof(node) + bytes);
    memcpy(at, &node, sizeof(node));
    memcpy(at + sizeof(node), firmware_at(firmware, name, bytes), bytes);
    memcpy(at + sizeof(node) + bytes, &end, sizeof(end));
    return path;
}

bool loaded_image_build(struct firmware *firmware, const char *arguments)
{
    EFI_LOADED_IMAGE image = {.Revision = EFI_LOADED_IMAGE_PROTOCOL_REVISION,
                              .ImageCodeType = EfiLoaderCode,
                              .ImageDataType = EfiLoaderData};
    uint64_t protocol = firmware_room(firmware, EfiBootServicesData, sizeof(image)), path, bytes,
             options = 0, options_bytes = 0;
    uint64_t name = wide_string(firmware, EfiBootServicesData, IMAGE_PATH, &bytes);
    struct handle *handle = handle_new(firmware);

    path = name ? file_path(firmware, name, bytes) : 0;
    if (arguments != NULL)
        options = wide_string(firmware, EfiBootServicesData, arguments, &options_bytes);
    if (!protocol || handle == NULL || !path || (arguments != NULL && !options))
        return false;
    image.SystemTable = guest_pointer(firmware->system);
    image.DeviceHandle = guest_pointer(firmware->device_handle);
    image.FilePath = guest_pointer(path);
    image.LoadOptionsSize = (uint32_t)options_bytes;
    image.LoadOptions = guest_pointer(options);
    image.ImageBase = guest_pointer(firmware->image_base);
    image.ImageSize = firmware->image_size;
    memcpy(firmware_at(firmware, protocol, sizeof(image)), &image, sizeof(image));
    firmware->image_handle = handle->token;
    return handle_add(handle, &guid_loaded_image, protocol) &&
           handle_add(handle, &guid_loaded_image_device_path, path);
}

/* ---- the system table ---- */

/* By this a program can tell whether the time in which nothing counts is estimated (--full). */
#define REVISION_ESTIMATES 1
#define REVISION_FULL      2

static uint64_t system_build(struct firmware *firmware, uint64_t input, uint64_t output)
{
    const size_t tail = sizeof(EFI_SYSTEM_TABLE) - sizeof(EFI_TABLE_HEADER);
    uint64_t vendor = wide_string(firmware, EfiRuntimeServicesData, "slotscope rig", NULL);
    uint64_t table;
    EFI_SYSTEM_TABLE *system;

    firmware->boot = headed(firmware, EfiBootServicesData, EFI_BOOT_SERVICES_SIGNATURE, boot_slots,
                            COUNT(boot_slots), 0);
    firmware->runtime = headed(firmware, EfiRuntimeServicesData, EFI_RUNTIME_SERVICES_SIGNATURE,
                               runtime_slots, COUNT(runtime_slots), 0);
    table = headed(firmware, EfiRuntimeServicesData, EFI_SYSTEM_TABLE_SIGNATURE, NULL, 0, tail);
    if (!vendor || !firmware->boot || !firmware->runtime || !table)
        return 0;
    system = (EFI_SYSTEM_TABLE *)(void *)firmware_at(firmware, table, sizeof(*system));
    system->FirmwareVendor = guest_pointer(vendor);
    system->FirmwareRevision = firmware->full ? REVISION_FULL : REVISION_ESTIMATES;
    system->ConsoleInHandle = system->ConsoleOutHandle = system->StandardErrorHandle =
        guest_pointer(firmware->console_handle);
    system->ConIn = guest_pointer(input);
    system->ConOut = system->StdErr = guest_pointer(output);
    system->RuntimeServices = guest_pointer(firmware->runtime);
    system->BootServices = guest_pointer(firmware->boot);
    return table;
}

bool tables_build(struct firmware *firmware)
{
    uint64_t input, output = console_build(firmware, &input), rsdp;
    struct smbios_places smbios;

    firmware->system = system_build(firmware, input, output);
    firmware->configuration = firmware_room(firmware, EfiRuntimeServicesData,
                                            CONFIGURATIONS * sizeof(EFI_CONFIGURATION_TABLE));
    if (!output || !firmware->system || !firmware->configuration)
        return false;
    rsdp = acpi_build(firmware);
    smbios = smbios_build(firmware);
    return rsdp && smbios.entry_21 && graphics_build(firmware) && volume_build(firmware) &&
           configuration_install(firmware, &guid_acpi_20, rsdp) &&
           configuration_install(firmware, &guid_acpi_10, rsdp) &&
           configuration_install(firmware, &guid_smbios, smbios.entry_21) &&
           configuration_install(firmware, &guid_smbios_3, smbios.entry_30);
}
