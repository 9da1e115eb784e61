/* The ACPI tables: RSDP 2.0, RSDT, XSDT, FADT, FACS, DSDT with \_S5, MADT, SPCR, HPET, MCFG; with
 * several sockets also SRAT and SLIT, a node a socket. ACPI
 * specification 6.4, "ACPI Software Programming Model"; SPCR is Microsoft's "Serial Port Console
 * Redirection Table", HPET is in the timer's own specification, MCFG in "PCI Firmware
 * Specification".
 */
#include "acpi.h"

#include <efi.h>
#include <string.h>

#include "device/apic.h"
#include "device/devices.h"
#include "device/guest_memory.h"
#include "device/platform.h"
#include "guest.h"
#include "processor.h"
#include "state.h"

#define HEADER_BYTES             36u
#define FADT_BYTES               276u
#define SPCR_BYTES               80u
#define RSDP_BYTES               36u
#define RSDP_OLD_BYTES           20u
#define HPET_TABLE_BYTES         56u
#define MCFG_BYTES               60u
#define FACS_BYTES               64u
#define TABLES_MAX               7u /* FADT, MADT, SPCR, HPET, MCFG, SRAT, SLIT */
#define SRAT_APIC_BYTES          16u
#define SRAT_MEMORY_BYTES        40u
#define SRAT_X2APIC_BYTES        24u
#define SLIT_LOCAL               10u
#define SLIT_REMOTE              20u /* twice as far */
#define MADT_APIC_BYTES          8u
#define MADT_X2APIC_BYTES        16u
#define MADT_IOAPIC_BYTES        12u
#define MADT_OVERRIDE_BYTES      10u
#define X2APIC_ONLY              255u /* identifiers from here on need a type 9 entry */
#define FLAG_PCAT                1u
#define FLAG_WBINVD              1u
#define FLAG_PROC_C1             4u
#define FLAG_SLEEP_BUTTON_ABSENT 0x20u
#define FLAG_RESET_REGISTER      0x400u
#define SPACE_MEMORY             0u
#define SPACE_IO                 1u
#define HPET_LEAST_TICKS         128u /* the shortest period of a timer */

/* Name (\_S5, Package (4) {5, 5, 0, 0}) */
static const uint8_t dsdt_code[] = {
    0x08, '_', 'S', '5', '_', 0x12, 0x08, 0x04, 0x0a, PM_SLEEP_TYPE_S5, 0x0a, PM_SLEEP_TYPE_S5,
    0x00, 0x00};

static void put_number(uint8_t *at, uint64_t value, unsigned size)
{
    memcpy(at, &value, size);
}

static uint8_t checksum(const uint8_t *bytes, size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    return (uint8_t)(0x100u - (sum & 0xff));
}

static void header(uint8_t *table, const char *signature, uint64_t length, unsigned revision)
{
    memcpy(table, signature, 4);
    put_number(table + 4, length, 4);
    table[8] = (uint8_t)revision;
    memcpy(table + 10, "SLOTSCSLOTSRIG", 14);
    put_number(table + 24, 1, 4);
    memcpy(table + 28, "SRIG", 4);
    put_number(table + 32, 1, 4);
}

static void seal(uint8_t *table)
{
    uint32_t length;

    memcpy(&length, table + 4, 4);
    table[9] = 0;
    table[9] = checksum(table, length);
}

/* Generic Address Structure. */
static void address(uint8_t *at, unsigned space, unsigned bits, unsigned access, uint64_t value)
{
    at[0] = (uint8_t)space;
    at[1] = (uint8_t)bits;
    at[3] = (uint8_t)access;
    put_number(at + 4, value, 8);
}

static uint64_t room(struct firmware *firmware, uint64_t bytes, uint8_t **host)
{
    uint64_t place = firmware_room(firmware, EfiACPIReclaimMemory, bytes);

    *host = place ? firmware_at(firmware, place, bytes) : NULL;
    return *host != NULL ? place : 0;
}

static uint64_t dsdt_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t place = room(firmware, HEADER_BYTES + sizeof(dsdt_code), &table);

    if (!place)
        return 0;
    header(table, "DSDT", HEADER_BYTES + sizeof(dsdt_code), 2);
    memcpy(table + HEADER_BYTES, dsdt_code, sizeof(dsdt_code));
    seal(table);
    return place;
}

/* The FACS has no checksum, is in ACPI NVS memory and begins at a multiple of 64. */
static uint64_t facs_build(struct firmware *firmware)
{
    uint64_t place = firmware_room(firmware, EfiACPIMemoryNVS, PAGE_BYTES);
    uint8_t *table = place ? firmware_at(firmware, place, FACS_BYTES) : NULL;

    if (table == NULL)
        return 0;
    memcpy(table, "FACS", 4);
    put_number(table + 4, FACS_BYTES, 4);
    table[32] = 2; /* version */
    return place;
}

static uint64_t fadt_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t dsdt = dsdt_build(firmware), facs = facs_build(firmware),
             place = room(firmware, FADT_BYTES, &table);

    if (!place || !dsdt || !facs)
        return 0;
    header(table, "FACP", FADT_BYTES, 6);
    put_number(table + 36, facs, 4);
    put_number(table + 40, dsdt, 4);
    table[45] = 4; /* preferred profile: enterprise server */
    /* level-triggered and active low, because the MADT has no override for it */
    put_number(table + 46, IRQ_SCI, 2);
    put_number(table + 56, PORT_PM_STATUS, 4);
    put_number(table + 64, PORT_PM_CONTROL, 4);
    put_number(table + 76, PORT_PM_TIMER, 4);
    table[88] = 4;                     /* length of the event block */
    table[89] = 2;                     /* of the control block */
    table[91] = 4;                     /* of the timer */
    put_number(table + 96, 0x0fff, 2); /* C2 and C3 latencies: not supported */
    put_number(table + 98, 0x0fff, 2);
    put_number(table + 112,
               FLAG_WBINVD | FLAG_PROC_C1 | FLAG_SLEEP_BUTTON_ABSENT | FLAG_RESET_REGISTER, 4);
    address(table + 116, SPACE_IO, 8, 1, PORT_RESET_REGISTER);
    table[128] = RESET_VALUE;
    table[131] = 4; /* minor version */
    put_number(table + 140, dsdt, 8);
    address(table + 148, SPACE_IO, 32, 2, PORT_PM_STATUS);
    address(table + 172, SPACE_IO, 16, 2, PORT_PM_CONTROL);
    address(table + 208, SPACE_IO, 32, 3, PORT_PM_TIMER);
    seal(table);
    return place;
}

/* The entry of one processor; gives its bytes. */
static unsigned madt_processor(uint8_t *at, unsigned number, uint32_t id)
{
    if (id < X2APIC_ONLY) {
        at[0] = 0;
        at[1] = MADT_APIC_BYTES;
        at[2] = (uint8_t)number;
        at[3] = (uint8_t)id;
        put_number(at + 4, 1, 4);
    } else {
        at[0] = 9;
        at[1] = MADT_X2APIC_BYTES;
        put_number(at + 4, id, 4);
        put_number(at + 8, 1, 4);
        put_number(at + 12, number, 4);
    }
    return at[1];
}

static uint64_t madt_build(struct firmware *firmware)
{
    uint64_t length = HEADER_BYTES + 8 + MADT_IOAPIC_BYTES + MADT_OVERRIDE_BYTES, place;
    const struct apic *apic;
    uint8_t *table, *at;

    for (unsigned i = 0; (apic = machine_apic(firmware->machine, i)) != NULL; i++)
        length += apic->id < X2APIC_ONLY ? MADT_APIC_BYTES : MADT_X2APIC_BYTES;
    place = room(firmware, length, &table);
    if (!place)
        return 0;
    header(table, "APIC", length, 5);
    put_number(table + 36, APIC_BASE, 4);
    put_number(table + 40, FLAG_PCAT, 4);
    at = table + HEADER_BYTES + 8;
    for (unsigned i = 0; (apic = machine_apic(firmware->machine, i)) != NULL; i++)
        at += madt_processor(at, i, apic->id);
    at[0] = 1; /* I/O APIC */
    at[1] = MADT_IOAPIC_BYTES;
    put_number(at + 4, IOAPIC_BASE, 4);
    at += at[1];
    at[0] = 2; /* interrupt source override: ISA interrupt 0 is pin 2 */
    at[1] = MADT_OVERRIDE_BYTES;
    at[3] = IRQ_TIMER;
    put_number(at + 4, PIN_OF_TIMER, 4);
    seal(table);
    return place;
}

static uint64_t hpet_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t place = room(firmware, HPET_TABLE_BYTES, &table);

    if (!place)
        return 0;
    header(table, "HPET", HPET_TABLE_BYTES, 1);
    put_number(table + 36, HPET_ID, 4);
    address(table + 40, SPACE_MEMORY, 64, 0, HPET_BASE);
    put_number(table + 53, HPET_LEAST_TICKS, 2);
    seal(table);
    return place;
}

/* Configuration space exists, but no function answers in it. */
static uint64_t mcfg_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t place = room(firmware, MCFG_BYTES, &table);

    if (!place)
        return 0;
    header(table, "MCFG", MCFG_BYTES, 1);
    put_number(table + 44, PCI_BASE, 8);
    table[55] = 255; /* buses 0 to 255 of segment 0 */
    seal(table);
    return place;
}

static uint64_t spcr_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t place = room(firmware, SPCR_BYTES, &table);

    if (!place)
        return 0;
    header(table, "SPCR", SPCR_BYTES, 2);
    table[36] = 0; /* a full 16550 */
    address(table + 40, SPACE_IO, 8, 1, UART_PORT);
    table[52] = 1; /* interrupt type: 8259 */
    table[53] = 4;
    table[58] = 7;                         /* 115200 baud */
    table[60] = 1;                         /* one stop bit */
    put_number(table + 64, UINT32_MAX, 4); /* not a PCI device */
    seal(table);
    return place;
}

/* The affinity entry of one processor; gives its bytes. */
static unsigned srat_processor(uint8_t *at, uint32_t id, uint32_t node)
{
    if (id < X2APIC_ONLY) {
        at[0] = 0;
        at[1] = SRAT_APIC_BYTES;
        at[2] = (uint8_t)node;
        at[3] = (uint8_t)id;
        put_number(at + 4, 1, 4); /* enabled */
    } else {
        at[0] = 2;
        at[1] = SRAT_X2APIC_BYTES;
        put_number(at + 4, node, 4);
        put_number(at + 8, id, 4);
        put_number(at + 12, 1, 4);
    }
    return at[1];
}

/* Every node has the memory of an equal part of the addresses. */
static void srat_memory(uint8_t *at, const struct firmware *firmware, unsigned node)
{
    const uint64_t part = machine_memory(firmware->machine)->size / firmware->sockets;

    at[0] = 1;
    at[1] = SRAT_MEMORY_BYTES;
    put_number(at + 2, node, 4);
    put_number(at + 8, node * part, 8);
    put_number(at + 16, part, 8);
    put_number(at + 28, 1, 4); /* enabled */
}

static uint64_t srat_build(struct firmware *firmware)
{
    uint64_t length = HEADER_BYTES + 12 + firmware->sockets * SRAT_MEMORY_BYTES, place;
    const struct apic *apic;
    unsigned count = 0;
    uint8_t *table, *at;

    for (; (apic = machine_apic(firmware->machine, count)) != NULL; count++)
        length += apic->id < X2APIC_ONLY ? SRAT_APIC_BYTES : SRAT_X2APIC_BYTES;
    place = room(firmware, length, &table);
    if (!place)
        return 0;
    header(table, "SRAT", length, 3);
    put_number(table + HEADER_BYTES, 1, 4); /* reserved, must be 1 */
    at = table + HEADER_BYTES + 12;
    for (unsigned i = 0; i < count; i++)
        at += srat_processor(at, machine_apic(firmware->machine, i)->id,
                             i / (count / firmware->sockets));
    for (unsigned i = 0; i < firmware->sockets; i++, at += SRAT_MEMORY_BYTES)
        srat_memory(at, firmware, i);
    seal(table);
    return place;
}

static uint64_t slit_build(struct firmware *firmware)
{
    const unsigned nodes = firmware->sockets;
    uint8_t *table;
    uint64_t place = room(firmware, HEADER_BYTES + 8 + nodes * nodes, &table);

    if (!place)
        return 0;
    header(table, "SLIT", HEADER_BYTES + 8 + nodes * nodes, 1);
    put_number(table + HEADER_BYTES, nodes, 8);
    for (unsigned i = 0; i < nodes * nodes; i++)
        table[HEADER_BYTES + 8 + i] = i / nodes == i % nodes ? SLIT_LOCAL : SLIT_REMOTE;
    seal(table);
    return place;
}

uint64_t acpi_build(struct firmware *firmware)
{
    const bool nodes = firmware->sockets > 1;
    const unsigned count = nodes ? TABLES_MAX : TABLES_MAX - 2;
    uint64_t tables[TABLES_MAX] = {
        fadt_build(firmware),
        madt_build(firmware),
        spcr_build(firmware),
        hpet_build(firmware),
        mcfg_build(firmware),
        nodes ? srat_build(firmware) : 0,
        nodes ? slit_build(firmware) : 0,
    };
    uint8_t *rsdt, *xsdt, *rsdp;
    uint64_t rsdt_place = room(firmware, HEADER_BYTES + count * 4, &rsdt);
    uint64_t xsdt_place = room(firmware, HEADER_BYTES + count * 8, &xsdt);
    uint64_t place = room(firmware, RSDP_BYTES, &rsdp);

    if (!rsdt_place || !xsdt_place || !place)
        return 0;
    header(rsdt, "RSDT", HEADER_BYTES + count * 4, 1);
    header(xsdt, "XSDT", HEADER_BYTES + count * 8, 1);
    for (unsigned i = 0; i < count; i++) {
        if (!tables[i])
            return 0;
        put_number(rsdt + HEADER_BYTES + 4 * i, tables[i], 4);
        put_number(xsdt + HEADER_BYTES + 8 * i, tables[i], 8);
    }
    seal(rsdt);
    seal(xsdt);
    memcpy(rsdp, "RSD PTR ", 8);
    memcpy(rsdp + 9, "SLOTSC", 6);
    rsdp[15] = 2;
    put_number(rsdp + 16, rsdt_place, 4);
    rsdp[8] = checksum(rsdp, RSDP_OLD_BYTES);
    put_number(rsdp + 20, RSDP_BYTES, 4);
    put_number(rsdp + 24, xsdt_place, 8);
    rsdp[32] = checksum(rsdp, RSDP_BYTES);
    return place;
}
