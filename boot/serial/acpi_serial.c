#include "acpi_serial.h"

#include <stdbool.h>

#include "boot/table_bytes.h"
#include "boot/text.h"

#define SPACE_MEMORY 0
#define SPACE_IO     1
#define MEMORY_END   (1ull << 47) /* what page tables of four levels map */

/* Interface types; the same numbers are DBG2's subtypes of serial ports. */
#define TYPE_16550   0x00 /* a full 16550 */
#define TYPE_SUBSET  0x01 /* the subset of the older DBGP table */
#define TYPE_ADDRESS 0x12 /* a 16550 as the address structure says */

#define SPCR_CLOCK_REVISION 3
#define SPCR_RATE_REVISION  4

#define DBG2_ENTRY  22 /* bytes of a device without its addresses and names */
#define PORT_SERIAL 0x8000u

static bool is_16550(uint64_t type)
{
    return type == TYPE_16550 || type == TYPE_SUBSET || type == TYPE_ADDRESS;
}

/* Bytes of an access: the access size, where it is one of the specification's codes for up to 32
 * bits. Some tables have the number of bits in its place, or 0: then an access is as wide as the
 * register, and at most 4 bytes. */
static unsigned access_of(const uint8_t *structure, unsigned width)
{
    if (structure[3] >= 1 && structure[3] <= 3)
        return 1u << (structure[3] - 1);
    return width < 4 ? width : 4;
}

/* Registers are as far apart as they are wide, and never overlap. */
static enum rc read_memory(const uint8_t *structure, struct serial_place *place)
{
    const unsigned bits = structure[1] ? structure[1] : 8, width = bits / 8;
    const uint64_t address = table_number(structure + 4, 8);
    unsigned access;

    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return RC_NO_SPACE;
    access = access_of(structure, width);
    place->memory = true;
    place->width = (uint8_t)access;
    place->stride = (uint8_t)(width > access ? width : access);
    place->address = address;
    if (address % access || address > MEMORY_END - place->stride * SERIAL_REGISTERS)
        return RC_NO_SPACE;
    return RC_OK;
}

/* `structure` has 12 bytes. */
static enum rc read_place(const uint8_t *structure, uint64_t type, struct serial_place *place)
{
    const uint64_t address = table_number(structure + 4, 8);

    *place = (struct serial_place){0};
    if (!address)
        return RC_ABSENT;
    if (!is_16550(type))
        return RC_NO_SPACE;
    if (structure[0] == SPACE_MEMORY)
        return read_memory(structure, place);
    if (structure[0] != SPACE_IO || address > UINT16_MAX + 1u - SERIAL_REGISTERS)
        return RC_NO_SPACE;
    *place = serial_place_port((uint16_t)address);
    return RC_OK;
}

static uint32_t baud_of(uint8_t code)
{
    static const struct {
        uint8_t code;
        uint32_t baud;
    } bauds[] = {{3, 9600}, {4, 19200}, {6, 57600}, {7, 115200}};

    for (unsigned i = 0; i < COUNT_OF(bauds); i++)
        if (bauds[i].code == code)
            return bauds[i].baud;
    return 0;
}

enum rc acpi_spcr(const void *table, size_t size, struct acpi_serial *serial)
{
    const uint8_t *bytes = table;
    enum rc rc;

    if (size < 59)
        return RC_BAD_INPUT;
    rc = read_place(bytes + 40, bytes[36], &serial->place);
    serial->baud = baud_of(bytes[58]);
    if (bytes[8] >= SPCR_CLOCK_REVISION && size >= 80 && table_number(bytes + 76, 4))
        serial->place.clock_hz = (uint32_t)table_number(bytes + 76, 4);
    if (bytes[8] >= SPCR_RATE_REVISION && size >= 84 && table_number(bytes + 80, 4))
        serial->baud = (uint32_t)table_number(bytes + 80, 4);
    return rc;
}

/* A debug device of `length` bytes: type and subtype, and where its addresses are. */
static enum rc read_device(const uint8_t *device, uint64_t length, struct acpi_serial *serial)
{
    const uint64_t addresses = table_number(device + 18, 2);

    if (table_number(device + 12, 2) != PORT_SERIAL)
        return RC_ABSENT;
    if (!device[3])
        return RC_ABSENT;
    if (addresses < DBG2_ENTRY || addresses + 12 > length)
        return RC_BAD_INPUT;
    return read_place(device + addresses, table_number(device + 14, 2), &serial->place);
}

enum rc acpi_dbg2(const void *table, size_t size, struct acpi_serial *serial)
{
    const uint8_t *bytes = table;
    enum rc result = RC_ABSENT, rc;
    uint64_t at, length;

    if (size < 44)
        return RC_BAD_INPUT;
    serial->baud = 0;
    at = table_number(bytes + 36, 4);
    for (uint64_t left = table_number(bytes + 40, 4); left > 0; left--, at += length) {
        if (at > size || size - at < DBG2_ENTRY)
            return RC_BAD_INPUT;
        length = table_number(bytes + at + 1, 2);
        if (length < DBG2_ENTRY || length > size - at)
            return RC_BAD_INPUT;
        rc = read_device(bytes + at, length, serial);
        if (rc == RC_OK || rc == RC_BAD_INPUT)
            return rc;
        if (rc == RC_NO_SPACE)
            result = rc;
    }
    return result;
}
