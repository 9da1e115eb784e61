#include "pci_serial.h"

#include "boot/pci/pci.h"
#include "lpss.h"

#define CLASS_SERIAL    0x0700
#define CLASS_OTHER     0x0780 /* "other communication controller" */
#define LAST_SERIAL     6      /* programming interfaces 0..6 are the 8250 to the 16950 */
#define VENDOR_INTEL    0x8086u
#define BAR_IO          1u
#define BAR_MEMORY_TYPE 6u
#define BAR_MEMORY_64   4u

static uint32_t read_bar(uint32_t where, unsigned index)
{
    return index < PCI_BARS ? pci_read(where, PCI_BAR_0 + 4 * index) : 0;
}

/* The address in base address register *index, and whether it is one of memory; *index becomes the
 * register's last half. 0: there is none. */
static uint64_t read_address(uint32_t where, unsigned *index, bool *memory)
{
    const uint32_t bar = read_bar(where, *index);

    *memory = !(bar & BAR_IO);
    if (bar == PCI_NOBODY)
        return 0;
    if (!*memory)
        return bar & ~3u;
    if ((bar & BAR_MEMORY_TYPE) != BAR_MEMORY_64)
        return bar & ~15u;
    return (bar & ~15u) | (uint64_t)read_bar(where, ++*index) << 32;
}

/* The first base address register that is in use. */
static enum pci_serial first_place(uint32_t where, struct serial_place *place)
{
    for (unsigned i = 0; i < PCI_BARS; i++) {
        bool memory;
        const uint64_t address = read_address(where, &i, &memory);

        if (address == 0)
            continue;
        if (!memory && address > UINT16_MAX + 1u - SERIAL_REGISTERS)
            return PCI_SERIAL_NOWHERE;
        *place = serial_place_port(memory ? 0 : (uint16_t)address);
        place->memory = memory;
        place->address = address;
        return PCI_SERIAL_UART;
    }
    return PCI_SERIAL_NOWHERE;
}

static enum pci_serial lpss_place(uint32_t where, struct serial_place *place)
{
    unsigned index = 0;
    bool memory;
    const uint64_t address = read_address(where, &index, &memory);

    *place = (struct serial_place){
        .address = address, .clock_hz = SERIAL_PC_CLOCK, .memory = true, .width = 4, .stride = 4};
    return memory && address ? PCI_SERIAL_UART : PCI_SERIAL_NOWHERE;
}

enum pci_serial pci_serial(uint32_t where, struct pci_uart *uart)
{
    const unsigned class_code = pci_class(where);
    const unsigned interface = pci_read(where, PCI_CLASS) >> 8 & 0xff;
    const uint32_t id = pci_read(where, PCI_ID);

    if (pci_header(where) != 0)
        return PCI_SERIAL_NONE;
    uart->lpss_hz = lpss_clock(id);
    if (uart->lpss_hz)
        return lpss_place(where, &uart->place);
    if (class_code == CLASS_SERIAL)
        return interface <= LAST_SERIAL ? first_place(where, &uart->place) : PCI_SERIAL_NONE;
    if (class_code != CLASS_OTHER || (id & 0xffff) != VENDOR_INTEL ||
        first_place(where, &uart->place) != PCI_SERIAL_UART || uart->place.memory)
        return PCI_SERIAL_NONE;
    return PCI_SERIAL_UART;
}
