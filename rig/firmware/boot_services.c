/* The boot services that have no file of their own: memory, task priority, ExitBootServices, and
 * the small ones. UEFI specification, "Services - Boot Services". */
#include <efi.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

#include "device/apic.h"
#include "device/guest_memory.h"
#include "device/hpet.h"
#include "device/ioapic.h"
#include "device/platform.h"
#include "event.h"
#include "guest.h"
#include "image.h"
#include "kept_memory.h"
#include "lacking.h"
#include "protocol.h"
#include "service.h"
#include "state.h"

#define DESCRIPTOR_BYTES 48u                 /* more than the structure has, as on real firmware */
#define SPECIFIC_PURPOSE (UINT64_C(1) << 18) /* EFI_MEMORY_SP, which gnu-efi lacks */
#define CACHEABILITY     (EFI_MEMORY_UC | EFI_MEMORY_WC | EFI_MEMORY_WT | EFI_MEMORY_WB)
#define OEM_TYPES        0x70000000u

#define LACKING(name)                                                                              \
    uint64_t firmware_##name(struct call *call)                                                    \
    {                                                                                              \
        return lacking_service(call, SERVICE_##name);                                              \
    }
LACKING(reinstall_protocol)
LACKING(reserved)
LACKING(register_protocol_notify)
LACKING(mp_startup_all)
LACKING(mp_startup_this)
LACKING(mp_switch_bsp)
LACKING(mp_who_am_i)
LACKING(open_protocol_information)
LACKING(set_time)
LACKING(get_wakeup_time)
LACKING(set_wakeup_time)
LACKING(set_virtual_address_map)
LACKING(convert_pointer)
LACKING(update_capsule)
LACKING(query_capsule_capabilities)

/* No driver of the firmware's has a device to connect to, and those of images are not asked. */
uint64_t firmware_connect_controller(struct call *call)
{
    static const EFI_GUID drivers = EFI_DRIVER_BINDING_PROTOCOL_GUID;

    if (handle_of(call->firmware, argument(call, 0)) == NULL)
        return EFI_INVALID_PARAMETER;
    if (protocol_exists(call->firmware, &drivers))
        lacking_service(call, SERVICE_connect_controller);
    return EFI_NOT_FOUND;
}

/* "No drivers are managing ControllerHandle" is a success. */
uint64_t firmware_disconnect_controller(struct call *call)
{
    return handle_of(call->firmware, argument(call, 0)) == NULL ? EFI_INVALID_PARAMETER
                                                                : EFI_SUCCESS;
}

uint64_t firmware_raise_tpl(struct call *call)
{
    uint64_t old = call->firmware->level, level = argument(call, 0);

    if (level < old || level > TPL_HIGH_LEVEL)
        machine_end(call->machine, 1, "RaiseTPL from %u to %u", (unsigned)old, (unsigned)level);
    call->firmware->level = level;
    return old;
}

uint64_t firmware_restore_tpl(struct call *call)
{
    uint64_t old = call->firmware->level, level = argument(call, 0);

    if (level > old || level < TPL_APPLICATION)
        machine_end(call->machine, 1, "RestoreTPL from %u to %u", (unsigned)old, (unsigned)level);
    call->firmware->level = level;
    return 0;
}

static bool is_type_allowed(uint64_t type)
{
    return (type < EfiMaxMemoryType && type != EfiConventionalMemory) ||
           (type >= OEM_TYPES && type <= UINT32_MAX);
}

/* Types of the OS and the OEM become loader data: the map has one byte for each page. */
static uint8_t kept_type(uint64_t type)
{
    return type < EfiMaxMemoryType ? (uint8_t)type : (uint8_t)EfiLoaderData;
}

uint64_t firmware_allocate_pages(struct call *call)
{
    uint64_t where = argument(call, 0), type = argument(call, 1) & UINT32_MAX,
             pages = argument(call, 2), limit, address;

    if (where > AllocateAddress || !is_type_allowed(type) ||
        !get(call, argument(call, 3), &limit, sizeof(limit)))
        return EFI_INVALID_PARAMETER;
    if (where == AllocateAddress && !special_memory_is_left(call->firmware, limit, pages))
        return EFI_NOT_FOUND;
    address = memory_map_allocate(&call->firmware->map, (EFI_ALLOCATE_TYPE)where, kept_type(type),
                                  pages, limit);
    if (!address)
        return where == AllocateAddress ? EFI_NOT_FOUND : EFI_OUT_OF_RESOURCES;
    put64(call, argument(call, 3), address);
    return EFI_SUCCESS;
}

uint64_t firmware_free_pages(struct call *call)
{
    if (argument(call, 0) % PAGE_BYTES)
        return EFI_INVALID_PARAMETER;
    return memory_map_release(&call->firmware->map, argument(call, 0), argument(call, 1))
               ? EFI_SUCCESS
               : EFI_NOT_FOUND;
}

uint64_t firmware_allocate_pool(struct call *call)
{
    uint64_t type = argument(call, 0) & UINT32_MAX, address;

    if (!is_type_allowed(type) || view(call, argument(call, 2), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    address = memory_map_pool(&call->firmware->map, kept_type(type), argument(call, 1));
    if (!address)
        return EFI_OUT_OF_RESOURCES;
    put64(call, argument(call, 2), address);
    return EFI_SUCCESS;
}

uint64_t firmware_free_pool(struct call *call)
{
    return memory_map_pool_release(&call->firmware->map, argument(call, 0)) ? EFI_SUCCESS
                                                                            : EFI_INVALID_PARAMETER;
}

/* Addresses in the memory map that are no RAM: configuration space of segment 0 below 4 GiB, which
 * is reserved, and the registers that firmware itself uses at run time, which are memory-mapped
 * I/O. Firmware need not name the other windows of configuration space, and this one does not. */
static const struct memory_run devices[] = {
    {PCI_BASE, PCI_BYTES / PAGE_BYTES, EfiReservedMemoryType},
    {IOAPIC_BASE, 1, EfiMemoryMappedIO},
    {HPET_BASE, 1, EfiMemoryMappedIO},
    {APIC_BASE, 1, EfiMemoryMappedIO},
};
#define COUNT_DEVICES (sizeof(devices) / sizeof(*devices))

static void describe(uint8_t bytes[DESCRIPTOR_BYTES], const struct memory_run *run)
{
    EFI_MEMORY_DESCRIPTOR descriptor = {.Type = run->type == MEMORY_SPECIAL ? EfiConventionalMemory
                                                                            : run->type,
                                        .PhysicalStart = run->address,
                                        .NumberOfPages = run->pages};

    descriptor.Attribute =
        run->type == EfiMemoryMappedIO || run->address >= PCI_BASE ? EFI_MEMORY_UC : CACHEABILITY;
    if (run->type == EfiRuntimeServicesCode || run->type == EfiRuntimeServicesData ||
        run->type == EfiMemoryMappedIO)
        descriptor.Attribute |= EFI_MEMORY_RUNTIME;
    if (run->type == MEMORY_SPECIAL)
        descriptor.Attribute |= SPECIFIC_PURPOSE;
    memset(bytes, 0, DESCRIPTOR_BYTES);
    memcpy(bytes, &descriptor, sizeof(descriptor));
}

uint64_t firmware_get_memory_map(struct call *call)
{
    const struct memory_map *map = &call->firmware->map;
    uint64_t page = 0, size, need = COUNT_DEVICES * DESCRIPTOR_BYTES, at = argument(call, 1);
    uint8_t descriptor[DESCRIPTOR_BYTES];
    uint32_t version = EFI_MEMORY_DESCRIPTOR_VERSION;
    struct memory_run run;

    if (!get(call, argument(call, 0), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    while (memory_map_next(map, &page, &run))
        need += DESCRIPTOR_BYTES;
    if (argument(call, 3) && !put64(call, argument(call, 3), DESCRIPTOR_BYTES))
        return EFI_INVALID_PARAMETER;
    if (argument(call, 4) && !put(call, argument(call, 4), &version, sizeof(version)))
        return EFI_INVALID_PARAMETER;
    put64(call, argument(call, 0), need);
    if (size < need)
        return EFI_BUFFER_TOO_SMALL;
    if (view(call, at, need) == NULL ||
        (argument(call, 2) && !put64(call, argument(call, 2), map->key)))
        return EFI_INVALID_PARAMETER;
    for (page = 0; memory_map_next(map, &page, &run); at += DESCRIPTOR_BYTES) {
        describe(descriptor, &run);
        put(call, at, descriptor, sizeof(descriptor));
    }
    for (size_t i = 0; i < COUNT_DEVICES; i++, at += DESCRIPTOR_BYTES) {
        describe(descriptor, &devices[i]);
        put(call, at, descriptor, sizeof(descriptor));
    }
    return EFI_SUCCESS;
}

/* Clears the handles and interfaces of the consoles and the boot services in the system table. */
static void clear_system_table(struct firmware *firmware)
{
    for (size_t at = offsetof(EFI_SYSTEM_TABLE, ConsoleInHandle);
         at < offsetof(EFI_SYSTEM_TABLE, RuntimeServices); at += 8)
        firmware_set(firmware, firmware->system + at, 0, 8);
    firmware_set(firmware, firmware->system + offsetof(EFI_SYSTEM_TABLE, BootServices), 0, 8);
    table_seal(firmware, firmware->system);
}

uint64_t firmware_exit_boot_services(struct call *call)
{
    struct firmware *firmware = call->firmware;

    if (!image_is(firmware, argument(call, 0)) || argument(call, 1) != firmware->map.key)
        return EFI_INVALID_PARAMETER;
    events_leave(firmware);
    clear_system_table(firmware);
    firmware->left = true;
    firmware->watchdog = NEVER;
    return EFI_SUCCESS;
}

uint64_t firmware_copy_memory(struct call *call)
{
    uint64_t size = argument(call, 2);
    const void *from = view(call, argument(call, 1), size);

    if (size && (from == NULL || !put(call, argument(call, 0), from, size)))
        machine_end(call->machine, 1, "CopyMem of %llu bytes outside memory",
                    (unsigned long long)size);
    return 0;
}

uint64_t firmware_set_memory(struct call *call)
{
    uint64_t size = argument(call, 1);
    void *to = view(call, argument(call, 0), size);

    if (size && to == NULL) {
        machine_end(call->machine, 1, "SetMem of %llu bytes outside memory",
                    (unsigned long long)size);
        return 0;
    }
    if (size)
        memset(to, (int)(argument(call, 2) & 0xff), size);
    wrote(call, argument(call, 0), size);
    return 0;
}

uint64_t firmware_calculate_crc32(struct call *call)
{
    uint64_t size = argument(call, 1);
    const void *data = view(call, argument(call, 0), size);
    uint32_t crc;

    if (data == NULL || size == 0 || size > UINT32_MAX)
        return EFI_INVALID_PARAMETER;
    crc = (uint32_t)crc32(0, data, (uInt)size);
    return put(call, argument(call, 2), &crc, sizeof(crc)) ? EFI_SUCCESS : EFI_INVALID_PARAMETER;
}

uint64_t firmware_get_next_monotonic_count(struct call *call)
{
    return put64(call, argument(call, 0), ++call->firmware->monotonic) ? EFI_SUCCESS
                                                                       : EFI_INVALID_PARAMETER;
}

uint64_t firmware_get_next_high_monotonic_count(struct call *call)
{
    uint32_t high;

    call->firmware->monotonic = ((call->firmware->monotonic >> 32) + 1) << 32;
    high = (uint32_t)(call->firmware->monotonic >> 32);
    return put(call, argument(call, 0), &high, sizeof(high)) ? EFI_SUCCESS : EFI_INVALID_PARAMETER;
}
