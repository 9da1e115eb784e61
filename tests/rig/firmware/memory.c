/* Memory services and the small ones that need nothing else. UEFI specification, "Services - Boot
 * Services". */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "inside.h"

#define DESCRIPTOR_BYTES   48u /* more than the structure has, as on real firmware */
#define DESCRIPTOR_VERSION 1u
#define CACHEABILITY       0xfu /* UC, WC, WT, WB */
#define UNCACHED           1u
#define RUNTIME_ATTRIBUTE  UINT64_C(0x8000000000000000)
#define HIGHEST_LEVEL      31u
#define LOWEST_LEVEL       4u
#define OEM_TYPES          0x70000000u
#define SYSTEM_CONSOLES    40u /* in the system table */
#define SYSTEM_RUNTIME     88u
#define SYSTEM_BOOT        96u

uint64_t firmware_unsupported_reserved(struct call *call)
{
    (void)call;
    return EFI_UNSUPPORTED;
}

#define UNSUPPORTED(name)                                                                          \
    uint64_t firmware_unsupported_##name(struct call *call)                                        \
    {                                                                                              \
        return firmware_unsupported_reserved(call);                                                \
    }
UNSUPPORTED(reinstall)
UNSUPPORTED(notify)
UNSUPPORTED(connect)
UNSUPPORTED(disconnect)
UNSUPPORTED(open_information)
UNSUPPORTED(set_time)
UNSUPPORTED(get_wakeup)
UNSUPPORTED(set_wakeup)
UNSUPPORTED(virtual_map)
UNSUPPORTED(convert)
UNSUPPORTED(capsule)
UNSUPPORTED(capsule_query)

uint64_t firmware_raise_tpl(struct call *call)
{
    uint64_t old = call->firmware->level, level = argument(call, 0);

    call->plain = true;
    if (level < old || level > HIGHEST_LEVEL)
        machine_end(call->machine, 1, "RaiseTPL from %u to %u", (unsigned)old, (unsigned)level);
    call->firmware->level = level;
    return old;
}

uint64_t firmware_restore_tpl(struct call *call)
{
    uint64_t old = call->firmware->level, level = argument(call, 0);

    call->plain = true;
    if (level > old || level < LOWEST_LEVEL)
        machine_end(call->machine, 1, "RestoreTPL from %u to %u", (unsigned)old, (unsigned)level);
    call->firmware->level = level;
    return 0;
}

static bool is_type_allowed(uint64_t type)
{
    return (type < MEMORY_TYPES && type != MEMORY_CONVENTIONAL) ||
           (type >= OEM_TYPES && type <= UINT32_MAX);
}

/* Types of the OS and the OEM are kept as loader data: a byte a page does not hold them. */
static uint8_t kept_type(uint64_t type)
{
    return type < MEMORY_TYPES ? (uint8_t)type : (uint8_t)MEMORY_LOADER_DATA;
}

uint64_t firmware_allocate_pages(struct call *call)
{
    uint64_t where = argument(call, 0), type = argument(call, 1) & UINT32_MAX,
             pages = argument(call, 2), limit, address;

    if (where > MEMORY_EXACTLY || !is_type_allowed(type) ||
        !get(call, argument(call, 3), &limit, sizeof(limit)))
        return EFI_INVALID_PARAMETER;
    address = memory_allocate(&call->machine->memory, (enum memory_where)where, kept_type(type),
                              pages, limit);
    if (!address)
        return where == MEMORY_EXACTLY ? EFI_NOT_FOUND : EFI_OUT_OF_RESOURCES;
    put64(call, argument(call, 3), address);
    return EFI_SUCCESS;
}

uint64_t firmware_free_pages(struct call *call)
{
    if (argument(call, 0) % PAGE_BYTES)
        return EFI_INVALID_PARAMETER;
    return memory_release(&call->machine->memory, argument(call, 0), argument(call, 1))
               ? EFI_SUCCESS
               : EFI_NOT_FOUND;
}

uint64_t firmware_allocate_pool(struct call *call)
{
    uint64_t type = argument(call, 0) & UINT32_MAX, address;

    if (!is_type_allowed(type) || view(call, argument(call, 2), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    address = memory_pool(&call->machine->memory, kept_type(type), argument(call, 1));
    if (!address)
        return EFI_OUT_OF_RESOURCES;
    put64(call, argument(call, 2), address);
    return EFI_SUCCESS;
}

uint64_t firmware_free_pool(struct call *call)
{
    return memory_pool_release(&call->machine->memory, argument(call, 0)) ? EFI_SUCCESS
                                                                          : EFI_INVALID_PARAMETER;
}

/* What is no RAM and yet in the map: firmware keeps configuration space reserved, and the registers
 * that it uses itself at run time as memory-mapped I/O. */
static const struct {
    uint64_t address, pages;
    uint32_t type;
} devices[] = {
    {PCI_BASE, PCI_BYTES / PAGE_BYTES, MEMORY_RESERVED},
    {IOAPIC_BASE, 1, MEMORY_MMIO},
    {HPET_BASE, 1, MEMORY_MMIO},
    {APIC_BASE, 1, MEMORY_MMIO},
};
#define COUNT_DEVICES (sizeof(devices) / sizeof(*devices))

static void describe(uint8_t descriptor[DESCRIPTOR_BYTES], uint64_t address, uint64_t pages,
                     uint32_t type)
{
    uint64_t attribute = type == MEMORY_MMIO || address >= PCI_BASE ? UNCACHED : CACHEABILITY;

    if (type == MEMORY_RUNTIME_CODE || type == MEMORY_RUNTIME_DATA || type == MEMORY_MMIO)
        attribute |= RUNTIME_ATTRIBUTE;
    memset(descriptor, 0, DESCRIPTOR_BYTES);
    memcpy(descriptor, &type, 4);
    memcpy(descriptor + 8, &address, 8);
    memcpy(descriptor + 24, &pages, 8);
    memcpy(descriptor + 32, &attribute, 8);
}

uint64_t firmware_get_memory_map(struct call *call)
{
    struct guest_memory *memory = &call->machine->memory;
    uint64_t page = 0, address, pages, size, need = COUNT_DEVICES * DESCRIPTOR_BYTES,
             at = argument(call, 1);
    uint8_t type, descriptor[DESCRIPTOR_BYTES];
    uint32_t version = DESCRIPTOR_VERSION;

    if (!get(call, argument(call, 0), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    while (memory_run(memory, &page, &address, &pages, &type))
        need += DESCRIPTOR_BYTES;
    if (argument(call, 3) && !put64(call, argument(call, 3), DESCRIPTOR_BYTES))
        return EFI_INVALID_PARAMETER;
    if (argument(call, 4) && !put(call, argument(call, 4), &version, sizeof(version)))
        return EFI_INVALID_PARAMETER;
    put64(call, argument(call, 0), need);
    if (size < need)
        return EFI_BUFFER_TOO_SMALL;
    if (view(call, at, need) == NULL ||
        (argument(call, 2) && !put64(call, argument(call, 2), memory->key)))
        return EFI_INVALID_PARAMETER;
    for (page = 0; memory_run(memory, &page, &address, &pages, &type); at += DESCRIPTOR_BYTES) {
        describe(descriptor, address, pages, type);
        put(call, at, descriptor, sizeof(descriptor));
    }
    for (size_t i = 0; i < COUNT_DEVICES; i++, at += DESCRIPTOR_BYTES) {
        describe(descriptor, devices[i].address, devices[i].pages, devices[i].type);
        put(call, at, descriptor, sizeof(descriptor));
    }
    return EFI_SUCCESS;
}

/* Consoles and boot services are gone from the system table: pairs of handle and interface, and
 * the boot services' table. */
static void clear_system_table(struct firmware *firmware)
{
    for (unsigned at = SYSTEM_CONSOLES; at < SYSTEM_RUNTIME; at += 8)
        firmware_set(firmware, firmware->system + at, 0, 8);
    firmware_set(firmware, firmware->system + SYSTEM_BOOT, 0, 8);
    table_seal(firmware, firmware->system);
}

uint64_t firmware_exit_boot_services(struct call *call)
{
    struct firmware *firmware = call->firmware;

    if (!image_is(firmware, argument(call, 0)) || argument(call, 1) != call->machine->memory.key)
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

    call->plain = true; /* a void function */
    if (size && (from == NULL || !put(call, argument(call, 0), from, size)))
        machine_end(call->machine, 1, "CopyMem of %llu bytes outside memory",
                    (unsigned long long)size);
    return 0;
}

uint64_t firmware_set_memory(struct call *call)
{
    uint64_t size = argument(call, 1);
    void *to = view(call, argument(call, 0), size);

    call->plain = true; /* a void function */
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
