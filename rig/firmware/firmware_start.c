/* From power-on to the first instruction of the image: descriptor and page tables, the image from
 * the ESP, the state of the boot processor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "firmware.h"

#include "device/apic.h"
#include "device/guest_memory.h"
#include "device/platform.h"
#include "device/xapic.h"
#include "guest.h"
#include "host_folder.h"
#include "kept_memory.h"
#include "mp_services.h"
#include "pe.h"
#include "processor.h"
#include "service.h"
#include "state.h"
#include "tables.h"

#define STUB_PAGES        6u
#define MANAGEMENT_PAGES  256u
#define STACK_BYTES       (128u << 10)
#define CODE_SELECTOR     0x38u
#define DATA_SELECTOR     0x30u
#define GDT_BYTES         0x48u
#define CR0_FIRMWARE      0x80010033u          /* PG WP NE ET MP PE */
#define CR4_FIRMWARE      0x668u               /* OSXMMEXCPT OSFXSR MCE PAE DE */
#define MEMORY_REACHED    (UINT64_C(64) << 30) /* identity-mapped */
#define WATCHDOG_SECONDS  300u
#define SPURIOUS_FIRMWARE (SPURIOUS_ENABLE | 0x0fu)
#define TIMER_FIRMWARE    0x40040u            /* TSC-deadline mode, a vector of the firmware */
#define FAR_DEADLINE      (UINT64_C(1) << 44) /* armed, and no run lasts so long */

static bool processor_tables(struct firmware *firmware)
{
    struct memory_map *map = &firmware->map;
    uint64_t tables = MEMORY_REACHED >> 30, pages;
    static const uint64_t gdt[GDT_BYTES / 8] = {
        [DATA_SELECTOR / 8] = UINT64_C(0x00cf93000000ffff),
        [CODE_SELECTOR / 8] = UINT64_C(0x00af9b000000ffff),
    };

    /* The top of memory belongs to system management mode, as on most machines. */
    if (!memory_map_allocate(map, AllocateAnyPages, EfiReservedMemoryType, MANAGEMENT_PAGES, 0))
        return false;
    firmware->stubs =
        memory_map_allocate(map, AllocateAnyPages, EfiRuntimeServicesCode, STUB_PAGES, 0);
    firmware->cr3 = memory_map_allocate(map, AllocateAnyPages, EfiBootServicesData, 2 + tables, 0);
    pages = firmware->idt = memory_map_allocate(map, AllocateAnyPages, EfiBootServicesData, 2, 0);
    firmware->stack = memory_map_allocate(map, AllocateAnyPages, EfiBootServicesData,
                                          STACK_BYTES / PAGE_BYTES, 0);
    if (!firmware->stubs || !firmware->cr3 || !pages || !firmware->stack)
        return false;
    firmware->gdt = pages + VECTORS * 16;
    memcpy(firmware_at(firmware, firmware->gdt, sizeof(gdt)), gdt, sizeof(gdt));
    memset(firmware_at(firmware, firmware->stubs, STUB_PAGES * PAGE_BYTES), 0xc3,
           STUB_PAGES * PAGE_BYTES);
    for (unsigned i = 0; i < VECTORS; i++) {
        uint64_t handler = firmware->stubs + i * STUB_BYTES, gate = firmware->idt + i * 16;

        firmware_set(firmware, gate,
                     (handler & 0xffff) | CODE_SELECTOR << 16 | UINT64_C(0x8e00) << 32 |
                         (handler >> 16 & 0xffff) << 48,
                     8);
        firmware_set(firmware, gate + 8, handler >> 32, 8);
    }
    firmware_set(firmware, firmware->cr3, (firmware->cr3 + PAGE_BYTES) | 3, 8);
    for (uint64_t i = 0; i < tables; i++) {
        uint64_t directory = firmware->cr3 + (2 + i) * PAGE_BYTES;

        firmware_set(firmware, firmware->cr3 + PAGE_BYTES + 8 * i, directory | 3, 8);
        for (uint64_t j = 0; j < 512; j++)
            firmware_set(firmware, directory + 8 * j, i << 30 | j << 21 | 0x83, 8);
    }
    return true;
}

/* A page of the shadow stack in the page tables: not writable, and dirty. */
static bool shadow_stack(struct firmware *firmware)
{
    const uint64_t table =
        memory_map_allocate(&firmware->map, AllocateAnyPages, EfiBootServicesData, 1, 0);
    uint64_t first;

    firmware->shadow =
        memory_map_allocate(&firmware->map, AllocateAnyPages, EfiBootServicesData, 1, 0);
    if (!table || !firmware->shadow)
        return false;
    first = firmware->shadow & ~UINT64_C(0x1fffff);
    for (uint64_t i = 0; i < 512; i++)
        firmware_set(firmware, table + 8 * i,
                     (first + i * PAGE_BYTES) |
                         (first + i * PAGE_BYTES == firmware->shadow ? 0x61 : 0x63),
                     8);
    firmware_set(firmware,
                 firmware->cr3 + (2 + (first >> 30)) * PAGE_BYTES + 8 * (first >> 21 & 511),
                 table | 3, 8);
    return true;
}

/* The boot processor turns on paging, loads the firmware's segments and goes to the entry point of
 * power_on. The core model does not see these instructions. */
static void boot_processor(struct firmware *firmware)
{
    struct core *core = machine_apic(firmware->machine, 0)->core;
    static const uint8_t code[] = {
        0x0f, 0x22, 0xe0,                   /* mov cr4, rax */
        0x0f, 0x22, 0xd9,                   /* mov cr3, rcx */
        0x0f, 0x22, 0xc2,                   /* mov cr0, rdx */
        0x8e, 0xdb, 0x8e, 0xc3, 0x8e, 0xd3, /* mov ds, es, ss from ebx */
        0x8e, 0xe3, 0x8e, 0xeb,             /* mov fs, gs from ebx */
        0x56, 0x57, 0x48, 0xcb,             /* push rsi; push rdi; retfq */
    };
    uint64_t place = firmware->stubs + STUB_PAGES * PAGE_BYTES - 64;
    const struct processor_tables tables = {.gdt = firmware->gdt,
                                            .gdt_limit = GDT_BYTES - 1,
                                            .idt = firmware->idt,
                                            .idt_limit = VECTORS * 16 - 1};

    memcpy(firmware_at(firmware, place, sizeof(code)), code, sizeof(code));
    processor_set_register(core, UC_X86_REG_RAX, CR4_FIRMWARE);
    processor_set_register(core, UC_X86_REG_RCX, firmware->cr3);
    processor_set_register(core, UC_X86_REG_RDX, CR0_FIRMWARE);
    processor_set_register(core, UC_X86_REG_RBX, DATA_SELECTOR);
    processor_set_register(core, UC_X86_REG_RSI, CODE_SELECTOR);
    processor_set_register(core, UC_X86_REG_RDI, stub_of(firmware, SERVICE_power_on));
    processor_set_register(core, UC_X86_REG_RSP, firmware->stack + STACK_BYTES);
    processor_power_on(core, &tables, place);
}

/* In x2APIC mode the register page is closed, and the registers are MSRs. */
static void write_apic(struct apic *apic, uint32_t offset, uint32_t value)
{
    if (apic_is_x2(apic))
        (void)xapic_wrmsr(apic, MSR_X2APIC_FIRST + offset / 16, value);
    else
        xapic_mmio_write(apic, offset, value);
}

/* SDM 3A, "Spurious Interrupt" and "TSC-Deadline Mode". */
static void leave_apic(struct firmware *firmware)
{
    struct apic *apic = machine_apic(firmware->machine, 0);

    if (firmware->apic == APIC_LEFT_OFF)
        return;
    write_apic(apic, XAPIC_SVR, SPURIOUS_FIRMWARE);
    if (firmware->apic != APIC_LEFT_DEADLINE)
        return;
    write_apic(apic, XAPIC_LVT_TIMER, TIMER_FIRMWARE);
    (void)xapic_wrmsr(apic, MSR_TSC_DEADLINE, FAR_DEADLINE);
}

uint64_t firmware_power_on(struct call *call)
{
    struct firmware *firmware = call->firmware;
    struct core *core = call->core;
    uint64_t stack = firmware->stack + STACK_BYTES - 64 - 8;

    call->leaves = true;
    put64(call, stack, stub_of(firmware, SERVICE_image_returned));
    processor_set_register(core, UC_X86_REG_RSP, stack);
    processor_set_register(core, UC_X86_REG_RCX, firmware->image_handle);
    processor_set_register(core, UC_X86_REG_RDX, firmware->system);
    processor_set_register(core, UC_X86_REG_EFLAGS, 0x202);
    if (firmware->cet) {
        const uint64_t ssp = firmware->shadow + PAGE_BYTES - 8;

        firmware_set(firmware, ssp, stub_of(firmware, SERVICE_image_returned), 8);
        processor_enforce(core, ssp);
    }
    leave_apic(firmware);
    processor_go_to(core, firmware->entry);
    return 0;
}

/* ---- the image ---- */

static const char *read_image(struct firmware *firmware, uint8_t **bytes, size_t *size)
{
    uint16_t name[sizeof(IMAGE_PATH)];

    host_utf16(IMAGE_PATH, name, sizeof(IMAGE_PATH));
    switch (host_read_file(firmware->root, name, LARGEST_IMAGE_FILE, bytes, size)) {
    case HOST_OK:
        return NULL;
    case HOST_NOT_FOUND:
        return "there is no such file";
    case HOST_DENIED:
        return "it is not a readable file of at most 64 MiB";
    default:
        return "it cannot be read";
    }
}

static bool image_build(struct firmware *firmware, char *why, size_t why_size)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct pe_image image;
    char problem[128];
    const char *text = read_image(firmware, &bytes, &size);
    bool loaded = false;

    if (text == NULL) {
        loaded = pe_load(firmware->memory, &firmware->map, bytes, size, &image, problem,
                         sizeof(problem));
        text = loaded ? NULL : problem;
        if (loaded && image.subsystem != IMAGE_SUBSYSTEM_EFI_APPLICATION) {
            text = "it is not an EFI application";
            loaded = false;
        }
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

static bool build(struct firmware *firmware, const struct firmware_options *options, char *why,
                  size_t why_size)
{
    static const char too_small[] = "the virtual machine's memory is too small for its firmware";

    if (firmware->root < 0) {
        snprintf(why, why_size, "%s is not a folder that can be read", options->esp);
        return false;
    }
    if (!memory_map_new(&firmware->map, firmware->memory->size)) {
        snprintf(why, why_size, "not enough memory on the host");
        return false;
    }
    if (!processor_tables(firmware) || !mp_services_build(firmware) ||
        (firmware->cet && !shadow_stack(firmware)) || !tables_build(firmware)) {
        snprintf(why, why_size, too_small);
        return false;
    }
    if (!image_build(firmware, why, why_size))
        return false;
    if (firmware->low_used)
        low_memory_use(firmware);
    if ((firmware->special && !special_memory_use(firmware)) ||
        (serial_names_memory(firmware->line.table) && !line_memory_use(firmware))) {
        snprintf(why, why_size, too_small);
        return false;
    }
    if (!loaded_image_build(firmware, options->arguments)) {
        snprintf(why, why_size, too_small);
        return false;
    }
    return true;
}

struct firmware *firmware_new(struct machine *machine, const struct firmware_options *options,
                              char *why, size_t why_size)
{
    struct firmware *firmware = calloc(1, sizeof(*firmware));

    if (firmware == NULL) {
        snprintf(why, why_size, "not enough memory on the host");
        return NULL;
    }
    firmware->machine = machine;
    firmware->memory = machine_memory(machine);
    firmware->esp = options->esp;
    firmware->screen.scrolled = options->scrolled;
    firmware->console_row_us = options->console_row_us;
    firmware->stick_flush_us = options->stick_flush_us;
    firmware->keys = options->keys;
    firmware->keys_before = options->keys_before != NULL ? options->keys_before : "";
    firmware->text_mode_unset = options->text_mode_unset;
    firmware->points = options->points;
    firmware->full = options->full;
    firmware->sockets = options->sockets;
    firmware->far_percent = options->far_percent;
    firmware->lies = options->lies;
    firmware->apic = options->apic;
    firmware->mp.way = options->mp;
    firmware->cet = options->cet;
    firmware->low_used = options->low_used;
    firmware->special = options->special;
    firmware->stick = options->stick;
    firmware->stick_room = options->stick_room;
    firmware->stick_largest = options->stick_largest;
    firmware->line = options->line;
    firmware->level = TPL_APPLICATION;
    firmware->watchdog = machine_ticks_of(machine, WATCHDOG_SECONDS, 1);
    firmware->root = open(options->esp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!build(firmware, options, why, why_size)) {
        firmware_free(firmware);
        return NULL;
    }
    boot_processor(firmware);
    return firmware;
}

const struct text_screen *firmware_screen(const struct firmware *firmware)
{
    return &firmware->screen;
}
