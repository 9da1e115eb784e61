/* What firmware leaves in memory for an application: tables, protocols, page tables, descriptor tables, the loaded image; and
 * the boot processor's state when the image gets control. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "firmware_inside.h"
#include "host_folder.h"

#define TABLE_REVISION 0x00020046u /* 2.70 */
#define TABLE_HEADER 24u
#define SYSTEM_BYTES 120u
#define STUB_PAGES 6u
#define STUB_BYTES 16u
#define VECTORS 256u
#define STACK_BYTES (128u << 10)
#define CODE_SELECTOR 0x38u
#define DATA_SELECTOR 0x30u
#define GDT_BYTES 0x48u
#define CR0_FIRMWARE 0x80010033u /* PG WP NE ET MP PE */
#define CR4_FIRMWARE 0x668u      /* OSXMMEXCPT OSFXSR MCE PAE DE */
#define MEMORY_REACHED (UINT64_C(64) << 30) /* identity-mapped */
#define WATCHDOG_SECONDS 300u
#define SPURIOUS_FIRMWARE 0x10fu
#define LARGEST_FILE (64u << 20)
#define IMAGE_PATH "\\EFI\\BOOT\\BOOTX64.EFI"

const struct guid guid_acpi_20 = {{0x71, 0xe8, 0x68, 0x88, 0xf1, 0xe4, 0xd3, 0x11, 0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c, 0x88, 0x81}};
const struct guid guid_acpi_10 = {{0x30, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11, 0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d}};

static const enum service boot_slots[] = {
#define SLOT(name) SERVICE_##name,
    BOOT_SERVICES(SLOT)
};
static const enum service runtime_slots[] = {RUNTIME_SERVICES(SLOT)};
static const enum service input_slots[] = {TEXT_INPUT(SLOT)};
static const enum service output_slots[] = {TEXT_OUTPUT(SLOT)};
static const enum service graphics_slots[] = {GRAPHICS(SLOT)};
static const enum service volume_slots[] = {VOLUME(SLOT)};
static const enum service file_slots[] = {FILES(SLOT)};
#undef SLOT
#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint8_t *at(const struct firmware *firmware, uint64_t address, uint64_t size)
{
    return memory_at(&firmware->machine->memory, address, size);
}

static void set(const struct firmware *firmware, uint64_t address, uint64_t value, unsigned size)
{
    uint8_t *place = at(firmware, address, size);

    if (place)
        memcpy(place, &value, size);
}

uint64_t firmware_room(struct firmware *firmware, uint8_t type, uint64_t bytes)
{
    uint64_t address = memory_pool(&firmware->machine->memory, type, bytes);

    if (address)
        memset(at(firmware, address, bytes), 0, bytes);
    return address;
}

void table_seal(struct firmware *firmware, uint64_t table)
{
    uint32_t size;

    memcpy(&size, at(firmware, table + 12, 4), 4);
    set(firmware, table + 16, 0, 4);
    set(firmware, table + 16, crc32(0, at(firmware, table, size), size), 4);
}

static uint64_t slots(struct firmware *firmware, uint8_t type, uint64_t head, const enum service *list, size_t count, uint64_t tail)
{
    uint64_t table = firmware_room(firmware, type, head + count * 8 + tail);

    for (size_t i = 0; table && i < count; i++)
        set(firmware, table + head + 8 * i, stub_of(firmware, list[i]), 8);
    return table;
}

static uint64_t headed(struct firmware *firmware, uint8_t type, uint64_t signature, const enum service *list, size_t count, uint64_t tail)
{
    uint64_t table = slots(firmware, type, TABLE_HEADER, list, count, tail);

    if (!table)
        return 0;
    set(firmware, table, signature, 8);
    set(firmware, table + 8, TABLE_REVISION, 4);
    set(firmware, table + 12, TABLE_HEADER + count * 8 + tail, 4);
    table_seal(firmware, table);
    return table;
}

static uint64_t wide_string(struct firmware *firmware, uint8_t type, const char *text, uint64_t *bytes)
{
    size_t room = strlen(text) + 1;
    uint64_t place = firmware_room(firmware, type, room * 2);
    size_t used = place ? host_utf16(text, (uint16_t *)(void *)at(firmware, place, room * 2), room) : 0;

    if (bytes)
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
    if (!output || !mode || !handle || !*input)
        return 0;
    set(firmware, mode, 1, 4); /* one mode, 80 by 25, light grey, cursor hidden */
    set(firmware, mode + 8, 7, 4);
    set(firmware, output + COUNT(output_slots) * 8, mode, 8);
    firmware->console_mode = mode;
    firmware->key_event = event_new(firmware, 0x100, 16, 0, 0);
    set(firmware, *input + COUNT(input_slots) * 8, firmware->key_event, 8);
    firmware->console_handle = handle->token;
    return handle_add(handle, &guid_text_output, output) && handle_add(handle, &guid_text_input, *input) ? output : 0;
}

static bool graphics_build(struct firmware *firmware)
{
    uint64_t protocol = slots(firmware, MEMORY_BOOT_DATA, 0, graphics_slots, COUNT(graphics_slots), 8);
    uint64_t mode = firmware_room(firmware, MEMORY_BOOT_DATA, 40), info = firmware_room(firmware, MEMORY_BOOT_DATA, 36);

    if (!protocol || !mode || !info)
        return false;
    set(firmware, protocol + COUNT(graphics_slots) * 8, mode, 8);
    set(firmware, mode, 1, 4);
    set(firmware, mode + 8, info, 8);
    set(firmware, mode + 16, 36, 8);
    set(firmware, mode + 24, FRAMEBUFFER_BASE, 8);
    set(firmware, mode + 32, FRAMEBUFFER_BYTES, 8);
    set(firmware, info + 4, FRAMEBUFFER_WIDTH, 4);
    set(firmware, info + 8, FRAMEBUFFER_HEIGHT, 4);
    set(firmware, info + 12, 1, 4); /* blue, green, red, reserved */
    set(firmware, info + 32, FRAMEBUFFER_WIDTH, 4);
    firmware->graphics_mode = mode;
    firmware->graphics_info = info;
    return handle_add(handle_of(firmware, firmware->console_handle), &guid_graphics, protocol);
}

static uint64_t device_path(struct firmware *firmware, const uint8_t *bytes, size_t size)
{
    uint64_t path = firmware_room(firmware, MEMORY_BOOT_DATA, size);

    if (path)
        memcpy(at(firmware, path, size), bytes, size);
    return path;
}

static bool volume_build(struct firmware *firmware)
{
    /* A hard disk partition behind an ACPI PCI root; the node types of the UEFI specification, "Device Path Protocol". */
    static const uint8_t path[] = {
        0x02, 0x01, 0x0c, 0x00, 0xd0, 0x41, 0x03, 0x0a, 0x00, 0x00, 0x00, 0x00, /* ACPI: PNP0A03, 0 */
        0x01, 0x01, 0x06, 0x00, 0x00, 0x1f,                                     /* PCI: 1f.0 */
        0x04, 0x01, 0x2a, 0x00, 0x01, 0x00, 0x00, 0x00,                         /* hard drive, partition 1 */
        0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* from sector 2048 */
        0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* 1 GiB */
        0x51, 0x10, 0x75, 0xc0, 0x9e, 0x01, 0x4b, 0x4f, 0x9a, 0x2e, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x02, 0x02, /* GPT */
        0x7f, 0xff, 0x04, 0x00,
    };
    uint64_t protocol = slots(firmware, MEMORY_BOOT_DATA, 8, volume_slots, COUNT(volume_slots), 0);
    uint64_t device = device_path(firmware, path, sizeof path);
    struct handle *handle = handle_new(firmware);

    firmware->file_template = slots(firmware, MEMORY_BOOT_DATA, 8, file_slots, COUNT(file_slots), 0);
    if (!protocol || !device || !handle || !firmware->file_template)
        return false;
    set(firmware, protocol, 0x00010000, 8);
    set(firmware, firmware->file_template, 0x00010000, 8);
    firmware->device_handle = handle->token;
    return handle_add(handle, &guid_simple_file_system, protocol) && handle_add(handle, &guid_device_path, device);
}

static bool loaded_image_build(struct firmware *firmware, const char *arguments)
{
    uint64_t protocol = firmware_room(firmware, MEMORY_BOOT_DATA, 96), path, bytes, options = 0, options_bytes = 0;
    uint64_t name = wide_string(firmware, MEMORY_BOOT_DATA, IMAGE_PATH, &bytes);
    struct handle *handle = handle_new(firmware);

    path = firmware_room(firmware, MEMORY_BOOT_DATA, bytes + 8);
    if (arguments)
        options = wide_string(firmware, MEMORY_BOOT_DATA, arguments, &options_bytes);
    if (!protocol || !name || !handle || !path || (arguments && !options))
        return false;
    set(firmware, path, 0x0404 | (bytes + 4) << 16, 4); /* media device path, file path */
    memcpy(at(firmware, path + 4, bytes), at(firmware, name, bytes), bytes);
    set(firmware, path + 4 + bytes, 0x0004ff7f, 4);
    set(firmware, protocol, 0x1000, 4);
    set(firmware, protocol + 16, firmware->system, 8);
    set(firmware, protocol + 24, firmware->device_handle, 8);
    set(firmware, protocol + 32, path, 8);
    set(firmware, protocol + 48, options_bytes, 4);
    set(firmware, protocol + 56, options, 8);
    set(firmware, protocol + 64, firmware->image_base, 8);
    set(firmware, protocol + 72, firmware->image_size, 8);
    set(firmware, protocol + 80, MEMORY_LOADER_CODE, 4);
    set(firmware, protocol + 84, MEMORY_LOADER_DATA, 4);
    firmware->image_handle = handle->token;
    return handle_add(handle, &guid_loaded_image, protocol) && handle_add(handle, &guid_loaded_image_device_path, path);
}

bool tables_build(struct firmware *firmware)
{
    uint64_t input, output = console_build(firmware, &input);
    uint64_t vendor = wide_string(firmware, MEMORY_RUNTIME_DATA, "slotscope rig", NULL), rsdp;

    firmware->boot = headed(firmware, MEMORY_BOOT_DATA, UINT64_C(0x56524553544f4f42), boot_slots, COUNT(boot_slots), 0);
    firmware->runtime = headed(firmware, MEMORY_RUNTIME_DATA, UINT64_C(0x56524553544e5552), runtime_slots, COUNT(runtime_slots), 0);
    firmware->system = headed(firmware, MEMORY_RUNTIME_DATA, UINT64_C(0x5453595320494249), NULL, 0, SYSTEM_BYTES - TABLE_HEADER);
    firmware->configuration = firmware_room(firmware, MEMORY_RUNTIME_DATA, CONFIGURATIONS * 24);
    if (!output || !vendor || !firmware->boot || !firmware->runtime || !firmware->system || !firmware->configuration)
        return false;
    set(firmware, firmware->system + 24, vendor, 8);
    set(firmware, firmware->system + 32, 1, 4);
    for (unsigned i = 0; i < 3; i++)
        set(firmware, firmware->system + 40 + 16 * i, firmware->console_handle, 8);
    set(firmware, firmware->system + 48, input, 8);
    set(firmware, firmware->system + 64, output, 8);
    set(firmware, firmware->system + 80, output, 8);
    set(firmware, firmware->system + 88, firmware->runtime, 8);
    set(firmware, firmware->system + 96, firmware->boot, 8);
    rsdp = acpi_build(firmware);
    return rsdp && graphics_build(firmware) && volume_build(firmware) && configuration_install(firmware, &guid_acpi_20, rsdp) &&
           configuration_install(firmware, &guid_acpi_10, rsdp);
}

/* ---- processor tables ---- */

static bool processor_tables(struct firmware *firmware)
{
    struct memory *memory = &firmware->machine->memory;
    uint64_t tables = MEMORY_REACHED >> 30, pages;
    static const uint64_t gdt[GDT_BYTES / 8] = {
        [DATA_SELECTOR / 8] = UINT64_C(0x00cf93000000ffff),
        [CODE_SELECTOR / 8] = UINT64_C(0x00af9b000000ffff),
    };

    firmware->stubs = memory_allocate(memory, MEMORY_ANYWHERE, MEMORY_RUNTIME_CODE, STUB_PAGES, 0);
    firmware->cr3 = memory_allocate(memory, MEMORY_ANYWHERE, MEMORY_BOOT_DATA, 2 + tables, 0);
    pages = firmware->idt = memory_allocate(memory, MEMORY_ANYWHERE, MEMORY_BOOT_DATA, 2, 0);
    firmware->stack = memory_allocate(memory, MEMORY_ANYWHERE, MEMORY_BOOT_DATA, STACK_BYTES / PAGE_BYTES, 0);
    if (!firmware->stubs || !firmware->cr3 || !pages || !firmware->stack)
        return false;
    firmware->gdt = pages + VECTORS * 16;
    memcpy(at(firmware, firmware->gdt, sizeof gdt), gdt, sizeof gdt);
    memset(at(firmware, firmware->stubs, STUB_PAGES * PAGE_BYTES), 0xc3, STUB_PAGES * PAGE_BYTES);
    for (unsigned i = 0; i < VECTORS; i++) {
        uint64_t handler = firmware->stubs + i * STUB_BYTES, gate = firmware->idt + i * 16;

        set(firmware, gate, (handler & 0xffff) | CODE_SELECTOR << 16 | UINT64_C(0x8e00) << 32 | (handler >> 16 & 0xffff) << 48, 8);
        set(firmware, gate + 8, handler >> 32, 8);
    }
    set(firmware, firmware->cr3, (firmware->cr3 + PAGE_BYTES) | 3, 8);
    for (uint64_t i = 0; i < tables; i++) {
        uint64_t directory = firmware->cr3 + (2 + i) * PAGE_BYTES;

        set(firmware, firmware->cr3 + PAGE_BYTES + 8 * i, directory | 3, 8);
        for (uint64_t j = 0; j < 512; j++)
            set(firmware, directory + 8 * j, i << 30 | j << 21 | 0x83, 8);
    }
    return true;
}

/* A few instructions, run unaccounted, that turn on paging and load the firmware's segments; then the image is entered. */
static void boot_processor(struct firmware *firmware)
{
    struct core *core = &firmware->machine->core[0];
    static const uint8_t code[] = {
        0x0f, 0x22, 0xe0,             /* mov cr4, rax */
        0x0f, 0x22, 0xd9,             /* mov cr3, rcx */
        0x0f, 0x22, 0xc2,             /* mov cr0, rdx */
        0x8e, 0xdb, 0x8e, 0xc3, 0x8e, 0xd3, /* mov ds, es, ss from ebx */
        0x8e, 0xe3, 0x8e, 0xeb,       /* mov fs, gs from ebx */
        0x56, 0x57, 0x48, 0xcb,       /* push rsi; push rdi; retfq */
    };
    uint64_t place = firmware->stubs + STUB_PAGES * PAGE_BYTES - 64;
    uc_x86_mmr gdt = {0, firmware->gdt, GDT_BYTES - 1, 0}, idt = {0, firmware->idt, VECTORS * 16 - 1, 0};

    memcpy(at(firmware, place, sizeof code), code, sizeof code);
    uc_reg_write(core->uc, UC_X86_REG_GDTR, &gdt);
    uc_reg_write(core->uc, UC_X86_REG_IDTR, &idt);
    core_set_register(core, UC_X86_REG_RAX, CR4_FIRMWARE);
    core_set_register(core, UC_X86_REG_RCX, firmware->cr3);
    core_set_register(core, UC_X86_REG_RDX, CR0_FIRMWARE);
    core_set_register(core, UC_X86_REG_RBX, DATA_SELECTOR);
    core_set_register(core, UC_X86_REG_RSI, CODE_SELECTOR);
    core_set_register(core, UC_X86_REG_RDI, stub_of(firmware, SERVICE_start_image));
    core_set_register(core, UC_X86_REG_RSP, firmware->stack + STACK_BYTES);
    core->rip = place;
    core->code_bits = 64;
    core->boot_selector = core_register(core, UC_X86_REG_CS) & 0xffff;
}

uint64_t firmware_start_image(struct call *call)
{
    struct firmware *firmware = call->firmware;
    struct core *core = call->core;
    uint64_t stack = firmware->stack + STACK_BYTES - 64 - 8;

    call->leaves = true;
    put64(call, stack, stub_of(firmware, SERVICE_image_returned));
    core_set_register(core, UC_X86_REG_RSP, stack);
    core_set_register(core, UC_X86_REG_RCX, firmware->image_handle);
    core_set_register(core, UC_X86_REG_RDX, firmware->system);
    core_set_register(core, UC_X86_REG_EFLAGS, 0x202);
    apic_mmio_write(core, 0xf0, SPURIOUS_FIRMWARE);
    core->rip = firmware->entry;
    return 0;
}

/* ---- the image ---- */

static const char *read_image(struct firmware *firmware, uint8_t **bytes, size_t *size)
{
    uint16_t name[64];
    char path[NAME_LIMIT];
    struct stat about;
    enum host_result result;
    int descriptor;
    ssize_t done;

    host_utf16(IMAGE_PATH, name, 64);
    if (host_resolve(firmware->root, "", name, path, sizeof path) != HOST_OK)
        return "there is no such file";
    descriptor = host_open(firmware->root, path, false, false, false, &result);
    if (descriptor < 0 || fstat(descriptor, &about) || !S_ISREG(about.st_mode) || about.st_size > LARGEST_FILE) {
        if (descriptor >= 0)
            close(descriptor);
        return "it is not a readable file of at most 64 MiB";
    }
    *size = (size_t)about.st_size;
    *bytes = malloc(*size + 1);
    done = *bytes ? pread(descriptor, *bytes, *size, 0) : -1;
    close(descriptor);
    return done == (ssize_t)*size ? NULL : "it cannot be read";
}

static bool image_build(struct firmware *firmware, char *why, size_t why_size)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct pe_image image;
    char problem[128];
    const char *text = read_image(firmware, &bytes, &size);
    bool loaded = false;

    if (!text) {
        loaded = pe_load(&firmware->machine->memory, bytes, size, &image, problem, sizeof problem);
        text = loaded ? NULL : problem;
    }
    free(bytes);
    if (!loaded) {
        snprintf(why, why_size, "%s/EFI/BOOT/BOOTX64.EFI: %s", firmware->esp, text);
        return false;
    }
    firmware->image_base = image.base;
    firmware->image_size = image.size;
    firmware->entry = image.entry;
    return true;
}

bool firmware_new(struct machine *machine, const struct firmware_options *options, char *why, size_t why_size)
{
    struct firmware *firmware = calloc(1, sizeof *firmware);

    if (!firmware) {
        snprintf(why, why_size, "not enough memory on the host");
        return false;
    }
    machine->firmware = firmware;
    firmware->machine = machine;
    firmware->esp = options->esp;
    firmware->text = options->text;
    firmware->level = 4;
    firmware->watchdog = machine_ticks_of(machine, WATCHDOG_SECONDS, 1);
    firmware->root = open(options->esp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (firmware->root < 0) {
        snprintf(why, why_size, "%s is not a folder that can be read", options->esp);
        return false;
    }
    if (!processor_tables(firmware) || !tables_build(firmware)) {
        snprintf(why, why_size, "the virtual machine's memory is too small for its firmware");
        return false;
    }
    if (!image_build(firmware, why, why_size))
        return false;
    if (!loaded_image_build(firmware, options->arguments)) {
        snprintf(why, why_size, "the virtual machine's memory is too small for its firmware");
        return false;
    }
    boot_processor(firmware);
    return true;
}
