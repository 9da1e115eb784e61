#include "acpi_processors.h"

#include <stddef.h>

#include "acpi_lie.h"
#include "acpi_table.h"
#include "device/apic.h"
#include "device/devices.h"
#include "device/guest_memory.h"
#include "device/platform.h"
#include "firmware/processor.h"
#include "firmware/state.h"

#define MADT_FIXED_BYTES    8u /* behind the header */
#define MADT_APIC_BYTES     8u
#define MADT_X2APIC_BYTES   16u
#define MADT_IOAPIC_BYTES   12u
#define MADT_OVERRIDE_BYTES 10u
#define SRAT_FIXED_BYTES    12u
#define SRAT_APIC_BYTES     16u
#define SRAT_MEMORY_BYTES   40u
#define SRAT_X2APIC_BYTES   24u
#define SLIT_FIXED_BYTES    8u
#define SLIT_LOCAL          10u
#define X2APIC_ONLY         255u /* identifiers from here on need an entry of type x2APIC */
#define FLAG_PCAT           1u
#define FLAG_ENABLED        1u

static unsigned processors_of(const struct firmware *firmware)
{
    unsigned count = 0;

    while (machine_apic(firmware->machine, count) != NULL)
        count++;
    return count;
}

/* Identifiers that nobody has, from 0 on: the highest of the machine's is its last processor's. */
static uint32_t id_of_nobody(const struct firmware *firmware, unsigned number)
{
    return machine_apic(firmware->machine, processors_of(firmware) - 1)->id + 1 + number;
}

static bool lies(const struct firmware *firmware, enum acpi_lie lie)
{
    return (firmware->lies & lie) != 0;
}

/* Writes the length, which the header could not have yet, and the checksum. */
static void end_table(uint8_t *table, const uint8_t *end)
{
    acpi_put(table + 4, (uint64_t)(end - table), 4);
    acpi_seal(table);
}

static uint8_t *put_madt_apic(uint8_t *at, unsigned number, uint32_t id)
{
    at[0] = 0;
    at[1] = MADT_APIC_BYTES;
    at[2] = (uint8_t)number;
    at[3] = (uint8_t)id;
    acpi_put(at + 4, FLAG_ENABLED, 4);
    return at + MADT_APIC_BYTES;
}

static uint8_t *put_madt_x2apic(uint8_t *at, unsigned number, uint32_t id)
{
    at[0] = 9;
    at[1] = MADT_X2APIC_BYTES;
    acpi_put(at + 4, id, 4);
    acpi_put(at + 8, FLAG_ENABLED, 4);
    acpi_put(at + 12, number, 4);
    return at + MADT_X2APIC_BYTES;
}

static uint8_t *put_madt_processor(uint8_t *at, unsigned number, uint32_t id)
{
    return id < X2APIC_ONLY ? put_madt_apic(at, number, id) : put_madt_x2apic(at, number, id);
}

static uint8_t *put_madt_processors(uint8_t *at, const struct firmware *firmware)
{
    const unsigned count = processors_of(firmware);

    for (unsigned i = 0; i < count; i++) {
        at = put_madt_processor(at, i, machine_apic(firmware->machine, i)->id);
        if (i == 0 && lies(firmware, LIE_MADT_NOBODY))
            at = put_madt_processor(at, count, id_of_nobody(firmware, 0));
    }
    for (unsigned i = 0; lies(firmware, LIE_MADT_TWICE) && i < count; i++) {
        const uint32_t id = machine_apic(firmware->machine, i)->id;

        at = put_madt_processor(at, i, id);
        at = put_madt_x2apic(at, i, id);
    }
    return at;
}

uint64_t acpi_madt_build(struct firmware *firmware)
{
    const uint64_t most = ACPI_HEADER_BYTES + MADT_FIXED_BYTES + MADT_IOAPIC_BYTES +
                          MADT_OVERRIDE_BYTES +
                          (3 * processors_of(firmware) + 1) * MADT_X2APIC_BYTES;
    uint8_t *table, *at;
    uint64_t place = acpi_room(firmware, most, &table);

    if (!place)
        return 0;
    acpi_header(table, "APIC", 0, 5);
    acpi_put(table + 36, APIC_BASE, 4);
    acpi_put(table + 40, FLAG_PCAT, 4);
    at = put_madt_processors(table + ACPI_HEADER_BYTES + MADT_FIXED_BYTES, firmware);
    at[0] = 1; /* I/O APIC */
    at[1] = MADT_IOAPIC_BYTES;
    acpi_put(at + 4, IOAPIC_BASE, 4);
    at += at[1];
    at[0] = 2; /* interrupt source override: ISA interrupt 0 is pin 2 */
    at[1] = MADT_OVERRIDE_BYTES;
    at[3] = IRQ_TIMER;
    acpi_put(at + 4, PIN_OF_TIMER, 4);
    end_table(table, at + at[1]);
    return place;
}

static uint8_t *put_srat_apic(uint8_t *at, uint32_t id, uint32_t node)
{
    at[0] = 0;
    at[1] = SRAT_APIC_BYTES;
    at[2] = (uint8_t)node;
    at[3] = (uint8_t)id;
    acpi_put(at + 4, FLAG_ENABLED, 4);
    return at + SRAT_APIC_BYTES;
}

static uint8_t *put_srat_x2apic(uint8_t *at, uint32_t id, uint32_t node)
{
    at[0] = 2;
    at[1] = SRAT_X2APIC_BYTES;
    acpi_put(at + 4, node, 4);
    acpi_put(at + 8, id, 4);
    acpi_put(at + 12, FLAG_ENABLED, 4);
    return at + SRAT_X2APIC_BYTES;
}

static uint8_t *put_srat_processor(uint8_t *at, uint32_t id, uint32_t node)
{
    return id < X2APIC_ONLY ? put_srat_apic(at, id, node) : put_srat_x2apic(at, id, node);
}

/* Every node has the memory of an equal part of the addresses. */
static uint8_t *put_srat_memory(uint8_t *at, const struct firmware *firmware, unsigned node)
{
    const uint64_t part = machine_memory(firmware->machine)->size / firmware->sockets;

    at[0] = 1;
    at[1] = SRAT_MEMORY_BYTES;
    acpi_put(at + 2, node, 4);
    acpi_put(at + 8, node * part, 8);
    acpi_put(at + 16, part, 8);
    acpi_put(at + 28, FLAG_ENABLED, 4);
    return at + SRAT_MEMORY_BYTES;
}

static uint8_t *put_srat_processors(uint8_t *at, const struct firmware *firmware)
{
    const unsigned count = processors_of(firmware), nodes = firmware->sockets;

    if (lies(firmware, LIE_SRAT_NOBODY)) {
        at = put_srat_x2apic(at, id_of_nobody(firmware, 1), 0);
        at = put_srat_processor(at, id_of_nobody(firmware, 2), nodes - 1);
    }
    for (unsigned i = 0; i < count; i++) {
        const uint32_t id = machine_apic(firmware->machine, i)->id;
        uint32_t node = i / (count / nodes);

        if (node == nodes - 1 && lies(firmware, LIE_SRAT_NO_MEMORY))
            node = nodes;
        at = put_srat_processor(at, id, node);
    }
    return at;
}

uint64_t acpi_srat_build(struct firmware *firmware)
{
    const uint64_t most = ACPI_HEADER_BYTES + SRAT_FIXED_BYTES +
                          (processors_of(firmware) + 2) * SRAT_X2APIC_BYTES +
                          firmware->sockets * SRAT_MEMORY_BYTES;
    uint8_t *table, *at;
    uint64_t place = acpi_room(firmware, most, &table);

    if (!place)
        return 0;
    acpi_header(table, "SRAT", 0, 3);
    acpi_put(table + ACPI_HEADER_BYTES, 1, 4); /* reserved, must be 1 */
    at = put_srat_processors(table + ACPI_HEADER_BYTES + SRAT_FIXED_BYTES, firmware);
    for (unsigned i = 0; i < firmware->sockets; i++)
        at = put_srat_memory(at, firmware, i);
    end_table(table, at);
    return place;
}

uint64_t acpi_slit_build(struct firmware *firmware)
{
    const unsigned nodes =
        firmware->sockets + lies(firmware, LIE_SLIT_LONG) - lies(firmware, LIE_SLIT_SHORT);
    const uint64_t length = ACPI_HEADER_BYTES + SLIT_FIXED_BYTES + nodes * nodes;
    uint8_t *table;
    uint64_t place = acpi_room(firmware, length, &table);

    if (!place)
        return 0;
    acpi_header(table, "SLIT", length, 1);
    acpi_put(table + ACPI_HEADER_BYTES, nodes + lies(firmware, LIE_SLIT_CUT), 8);
    for (unsigned i = 0; i < nodes * nodes; i++)
        table[ACPI_HEADER_BYTES + SLIT_FIXED_BYTES + i] =
            (uint8_t)(i / nodes == i % nodes ? SLIT_LOCAL
                                             : SLIT_LOCAL * firmware->far_percent / 100);
    acpi_seal(table);
    return place;
}
