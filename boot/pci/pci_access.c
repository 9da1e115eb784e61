/* Defines pci_read and pci_write of pci.h. */
#include "boot/cpu.h"
#include "pci.h"

#define PORT_ADDRESS 0xcf8
#define PORT_DATA    0xcfc
#define ENABLE       0x80000000u

static struct {
    bool known, answer; /* whether the ports answer */
} ports;

/* The firmware's timer may use the same pair of ports: none of its interrupts comes between the two
 * accesses. */
static uint64_t select(uint32_t where, unsigned offset)
{
    const uint64_t flags = read_rflags();

    interrupts_off();
    port_out32(PORT_ADDRESS, ENABLE | where << 8 | (offset & 0xfc));
    return flags;
}

static void deselect(uint64_t flags)
{
    if (flags & RFLAGS_IF)
        interrupts_on();
}

/* The address port gives back what was written, if there is one. */
static bool ports_answer(void)
{
    uint64_t flags;

    if (ports.known)
        return ports.answer;
    flags = select(0, 0);
    ports.answer = port_in32(PORT_ADDRESS) == ENABLE;
    ports.known = true;
    deselect(flags);
    return ports.answer;
}

/* Some processors of AMD (family 10H) reach configuration space in memory through EAX alone: BIOS
 * and Kernel Developer's Guide, "Accessing Configuration Space". */
static uint32_t memory_read(uint64_t address)
{
    uint32_t value;

    __asm__ volatile("movl (%1), %0"
                     : "=a"(value)
                     : "r"((volatile void *)(uintptr_t)address)
                     : "memory");
    return value;
}

static void memory_write(uint64_t address, uint32_t value)
{
    __asm__ volatile("movl %0, (%1)"
                     :
                     : "a"(value), "r"((volatile void *)(uintptr_t)address)
                     : "memory");
}

uint32_t pci_read(uint32_t where, unsigned offset)
{
    uint64_t address, flags;
    uint32_t value;

    if (PCI_SEGMENT(where) != 0 || !ports_answer()) {
        address = pci_address(where);
        return address ? memory_read(address + offset) : PCI_NOBODY;
    }
    flags = select(where, offset);
    value = port_in32(PORT_DATA);
    deselect(flags);
    return value;
}

void pci_write(uint32_t where, unsigned offset, uint32_t value)
{
    uint64_t address, flags;

    if (PCI_SEGMENT(where) != 0 || !ports_answer()) {
        address = pci_address(where);
        if (address)
            memory_write(address + offset, value);
        return;
    }
    flags = select(where, offset);
    port_out32(PORT_DATA, value);
    deselect(flags);
}
