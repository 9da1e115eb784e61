/* Microsoft: "Serial Port Console Redirection Table", revisions 2 and 4; "Debug Port Table 2". */
#include "acpi_serial.h"

#include <stddef.h>
#include <string.h>

#include "acpi_table.h"
#include "device/uart.h"
#include "firmware/state.h"

#define SPCR_BYTES         80u
#define SPCR_4_BYTES       90u
#define DBG2_BYTES         44u
#define DEVICE_BYTES       22u /* of the one debug device, then an address, its size and a name */
#define ADDRESS_BYTES      12u
#define TYPE_16550         0u
#define TYPE_16550_ADDRESS 0x12u /* registers as the address structure says */
#define BAUD_115200        7u
#define PORT_SERIAL        0x8000u

static const char name[] = ".";

static void put_registers(uint8_t *at, const struct serial_line *line)
{
    const unsigned width = serial_width(line->place);
    const uint64_t wrong = serial_wrong_base(line->table);

    if (wrong)
        acpi_address(at, ACPI_SPACE_MEMORY, 32, 3, wrong);
    else if (serial_is_memory(line->place))
        acpi_address(at, ACPI_SPACE_MEMORY, 8 * width, width == 4 ? 3 : width, serial_base(line));
    else
        acpi_address(at, ACPI_SPACE_IO, 8, 1, serial_port(line->place));
}

static unsigned type_of(const struct serial_line *line)
{
    return serial_wrong_base(line->table) || serial_width(line->place) > 1 ? TYPE_16550_ADDRESS
                                                                           : TYPE_16550;
}

/* Only the newer revision says the clock. */
static uint64_t spcr_build(struct firmware *firmware)
{
    const struct serial_line *line = &firmware->line;
    const bool newer = line->place == SERIAL_MMIO32;
    const unsigned length = newer ? SPCR_4_BYTES : SPCR_BYTES;
    uint8_t *table;
    uint64_t place = acpi_room(firmware, length, &table);

    if (!place)
        return 0;
    acpi_header(table, "SPCR", length, newer ? 4 : 2);
    table[36] = (uint8_t)type_of(line);
    put_registers(table + 40, line);
    table[52] = 1; /* interrupt type: 8259 */
    table[53] = 4;
    table[58] = BAUD_115200;
    table[60] = 1;                       /* one stop bit */
    acpi_put(table + 64, UINT32_MAX, 4); /* not a PCI device */
    if (newer) {
        acpi_put(table + 76, serial_clock(line->place), 4);
        acpi_put(table + 84, sizeof(name), 2);
        acpi_put(table + 86, SPCR_4_BYTES - sizeof(name), 2);
        memcpy(table + SPCR_4_BYTES - sizeof(name), name, sizeof(name));
    }
    acpi_seal(table);
    return place;
}

static uint64_t dbg2_build(struct firmware *firmware)
{
    const struct serial_line *line = &firmware->line;
    const unsigned address = DEVICE_BYTES, size = address + ADDRESS_BYTES, text = size + 4,
                   device_bytes = text + sizeof(name);
    uint8_t *table, *device;
    uint64_t place = acpi_room(firmware, DBG2_BYTES + device_bytes, &table);

    if (!place)
        return 0;
    acpi_header(table, "DBG2", DBG2_BYTES + device_bytes, 0);
    acpi_put(table + 36, DBG2_BYTES, 4);
    acpi_put(table + 40, 1, 4);
    device = table + DBG2_BYTES;
    acpi_put(device + 1, device_bytes, 2);
    device[3] = 1; /* one address */
    acpi_put(device + 4, sizeof(name), 2);
    acpi_put(device + 6, text, 2);
    acpi_put(device + 12, PORT_SERIAL, 2);
    acpi_put(device + 14, type_of(line), 2);
    acpi_put(device + 18, address, 2);
    acpi_put(device + 20, size, 2);
    put_registers(device + address, line);
    acpi_put(device + size, 8 * serial_width(line->place), 4);
    memcpy(device + text, name, sizeof(name));
    acpi_seal(table);
    return place;
}

uint64_t (*acpi_serial_builder(const struct serial_line *line))(struct firmware *firmware)
{
    switch (line->table) {
    case TABLE_SPCR:
    case TABLE_LOST:
    case TABLE_MEMORY:
    case TABLE_EDGE:
        return spcr_build;
    case TABLE_DBG2:
        return dbg2_build;
    case TABLE_NONE:
        break;
    }
    return NULL;
}
