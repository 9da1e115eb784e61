/* Defines pci_read and pci_write of pci.h. */
#include "cpu.h"
#include "pci.h"

#define PORT_ADDRESS 0xcf8
#define PORT_DATA    0xcfc
#define ENABLE       0x80000000u

/* The firmware's timer may use the same pair of ports: none of its interrupts comes between the two
 * accesses. */
static uint64_t select(uint16_t where, unsigned offset)
{
    const uint64_t flags = read_rflags();

    interrupts_off();
    port_out32(PORT_ADDRESS, ENABLE | (uint32_t)where << 8 | (offset & 0xfc));
    return flags;
}

static void deselect(uint64_t flags)
{
    if (flags & RFLAGS_IF)
        interrupts_on();
}

uint32_t pci_read(uint16_t where, unsigned offset)
{
    const uint64_t flags = select(where, offset);
    const uint32_t value = port_in32(PORT_DATA);

    deselect(flags);
    return value;
}

void pci_write(uint16_t where, unsigned offset, uint32_t value)
{
    const uint64_t flags = select(where, offset);

    port_out32(PORT_DATA, value);
    deselect(flags);
}
