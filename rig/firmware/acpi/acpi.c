/* The ACPI tables: RSDP 2.0, RSDT, XSDT, FADT, FACS, DSDT with \_S5, MADT, HPET, MCFG, one that
 * names a serial line; with several sockets also SRAT and SLIT, a node a socket. ACPI specification
 * 6.4, "ACPI Software Programming Model"; HPET is in the timer's own specification, MCFG in "PCI
 * Firmware Specification". */
#include "acpi.h"

#include <efi.h>
#include <string.h>

#include "acpi_lie.h"
#include "acpi_processors.h"
#include "acpi_serial.h"
#include "acpi_table.h"
#include "device/devices.h"
#include "device/guest_memory.h"
#include "device/platform.h"
#include "firmware/guest.h"
#include "firmware/state.h"

#define FADT_BYTES               276u
#define RSDP_BYTES               36u
#define RSDP_OLD_BYTES           20u
#define HPET_TABLE_BYTES         56u
#define MCFG_BYTES               44u
#define MCFG_WINDOW_BYTES        16u
#define FACS_BYTES               64u
#define TABLES_MAX               7u /* FADT, MADT, HPET, MCFG, a serial line, SRAT, SLIT */
#define FLAG_WBINVD              1u
#define FLAG_PROC_C1             4u
#define FLAG_SLEEP_BUTTON_ABSENT 0x20u
#define FLAG_RESET_REGISTER      0x400u
#define HPET_LEAST_TICKS         128u /* the shortest period of a timer */

/* Name (\_S5, Package (4) {5, 5, 0, 0}) */
static const uint8_t dsdt_code[] = {
    0x08, '_', 'S', '5', '_', 0x12, 0x08, 0x04, 0x0a, PM_SLEEP_TYPE_S5, 0x0a, PM_SLEEP_TYPE_S5,
    0x00, 0x00};

static uint64_t dsdt_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t place = acpi_room(firmware, ACPI_HEADER_BYTES + sizeof(dsdt_code), &table);

    if (!place)
        return 0;
    acpi_header(table, "DSDT", ACPI_HEADER_BYTES + sizeof(dsdt_code), 2);
    memcpy(table + ACPI_HEADER_BYTES, dsdt_code, sizeof(dsdt_code));
    acpi_seal(table);
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
    acpi_put(table + 4, FACS_BYTES, 4);
    table[32] = 2; /* version */
    return place;
}

static uint64_t fadt_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t dsdt = dsdt_build(firmware), facs = facs_build(firmware),
             place = acpi_room(firmware, FADT_BYTES, &table);

    if (!place || !dsdt || !facs)
        return 0;
    acpi_header(table, "FACP", FADT_BYTES, 6);
    acpi_put(table + 36, facs, 4);
    acpi_put(table + 40, dsdt, 4);
    table[45] = 4; /* preferred profile: enterprise server */
    /* level-triggered and active low, because the MADT has no override for it */
    acpi_put(table + 46, IRQ_SCI, 2);
    acpi_put(table + 56, PORT_PM_STATUS, 4);
    acpi_put(table + 64, PORT_PM_CONTROL, 4);
    acpi_put(table + 76, PORT_PM_TIMER, 4);
    table[88] = 4;                   /* length of the event block */
    table[89] = 2;                   /* of the control block */
    table[91] = 4;                   /* of the timer */
    acpi_put(table + 96, 0x0fff, 2); /* C2 and C3 latencies: not supported */
    acpi_put(table + 98, 0x0fff, 2);
    acpi_put(table + 112,
             FLAG_WBINVD | FLAG_PROC_C1 | FLAG_SLEEP_BUTTON_ABSENT | FLAG_RESET_REGISTER, 4);
    acpi_address(table + 116, ACPI_SPACE_IO, 8, 1, PORT_RESET_REGISTER);
    table[128] = RESET_VALUE;
    table[131] = 4; /* minor version */
    acpi_put(table + 140, dsdt, 8);
    acpi_address(table + 148, ACPI_SPACE_IO, 32, 2, PORT_PM_STATUS);
    acpi_address(table + 172, ACPI_SPACE_IO, 16, 2, PORT_PM_CONTROL);
    acpi_address(table + 208, ACPI_SPACE_IO, 32, 3, PORT_PM_TIMER);
    acpi_seal(table);
    return place;
}

static uint64_t hpet_build(struct firmware *firmware)
{
    uint8_t *table;
    uint64_t place = acpi_room(firmware, HPET_TABLE_BYTES, &table);

    if (!place)
        return 0;
    acpi_header(table, "HPET", HPET_TABLE_BYTES, 1);
    acpi_put(table + 36, HPET_ID, 4);
    acpi_address(table + 40, ACPI_SPACE_MEMORY, 64, 0, HPET_BASE);
    acpi_put(table + 53, HPET_LEAST_TICKS, 2);
    acpi_seal(table);
    return place;
}

/* The address is that of bus 0, also where the first bus is another one. */
static uint8_t *put_window(uint8_t *at, uint64_t base, unsigned segment, unsigned first,
                           unsigned last)
{
    acpi_put(at, base, 8);
    acpi_put(at + 8, segment, 2);
    at[10] = (uint8_t)first;
    at[11] = (uint8_t)last;
    return at + MCFG_WINDOW_BYTES;
}

/* Configuration space exists also where no function answers in it. */
static uint64_t mcfg_build(struct firmware *firmware)
{
    const enum pci_layout layout = firmware->line.pci;
    const bool second = layout == PCI_SEGMENT, cut = firmware->lies & LIE_MCFG_CUT;
    const uint64_t length = MCFG_BYTES + (second ? 2u : 1u) * MCFG_WINDOW_BYTES - (cut ? 4u : 0u),
                   base = firmware->lies & LIE_MCFG_MEMORY ? LEGACY_END
                          : layout == PCI_ECAM_HIGH        ? PCI_HIGH_BASE
                                                           : PCI_BASE;
    uint8_t *table, *at;
    uint64_t place = acpi_room(firmware, MCFG_BYTES + 2 * MCFG_WINDOW_BYTES, &table);

    if (!place)
        return 0;
    acpi_header(table, "MCFG", length, 1);
    at = put_window(table + MCFG_BYTES, base, 0, 0, 255);
    if (second)
        put_window(at, PCI_BASE_1, 1, PCI_FIRST_1, PCI_LAST_1);
    acpi_seal(table);
    return place;
}

/* Builds the tables that this machine has; gives how many, 0 when there is no room. */
static unsigned tables_of(struct firmware *firmware, uint64_t tables[TABLES_MAX])
{
    uint64_t (*const builders[TABLES_MAX])(struct firmware * firmware) = {
        fadt_build,
        acpi_madt_build,
        hpet_build,
        mcfg_build,
        acpi_serial_builder(&firmware->line),
        firmware->sockets > 1 ? acpi_srat_build : NULL,
        firmware->sockets > 1 ? acpi_slit_build : NULL,
    };
    unsigned count = 0;

    for (unsigned i = 0; i < TABLES_MAX; i++) {
        if (builders[i] == NULL)
            continue;
        tables[count] = builders[i](firmware);
        if (!tables[count++])
            return 0;
    }
    return count;
}

uint64_t acpi_build(struct firmware *firmware)
{
    uint64_t tables[TABLES_MAX];
    const unsigned count = tables_of(firmware, tables);
    uint8_t *rsdt, *xsdt, *rsdp;
    uint64_t rsdt_place = acpi_room(firmware, ACPI_HEADER_BYTES + count * 4, &rsdt);
    uint64_t xsdt_place = acpi_room(firmware, ACPI_HEADER_BYTES + count * 8, &xsdt);
    uint64_t place = acpi_room(firmware, RSDP_BYTES, &rsdp);

    if (!count || !rsdt_place || !xsdt_place || !place)
        return 0;
    acpi_header(rsdt, "RSDT", ACPI_HEADER_BYTES + count * 4, 1);
    acpi_header(xsdt, "XSDT", ACPI_HEADER_BYTES + count * 8, 1);
    for (unsigned i = 0; i < count; i++) {
        acpi_put(rsdt + ACPI_HEADER_BYTES + 4 * i, tables[i], 4);
        acpi_put(xsdt + ACPI_HEADER_BYTES + 8 * i, tables[i], 8);
    }
    acpi_seal(rsdt);
    acpi_seal(xsdt);
    memcpy(rsdp, "RSD PTR ", 8);
    memcpy(rsdp + 9, "SLOTSC", 6);
    rsdp[15] = 2;
    acpi_put(rsdp + 16, rsdt_place, 4);
    rsdp[8] = acpi_checksum(rsdp, RSDP_OLD_BYTES);
    acpi_put(rsdp + 20, RSDP_BYTES, 4);
    acpi_put(rsdp + 24, xsdt_place, 8);
    rsdp[32] = acpi_checksum(rsdp, RSDP_BYTES);
    return place;
}
