#include "pci.h"

#include "platform.h"

#define ENABLE        UINT32_C(0x80000000)
#define FUNCTION_SIZE 4096u /* bytes of a function's configuration space */
#define OLD_SIZE      256u  /* of which the ports reach so many */
#define ID            0x00u
#define COMMAND       0x04u
#define CLASS         0x08u
#define HEADER_TYPE   0x0cu
#define BAR_0         0x10u
#define BUSES         0x18u
#define DECODE_IO     1u
#define DECODE_MEMORY 2u
#define WRITABLE      0x0007u /* of the command register: also bus master */

#define FUNCTION(bus, device, function) ((bus) << 8 | (device) << 3 | (function))

/* Vendor and device; class, interface and revision; header type in its place. */
static const struct function {
    unsigned where;
    uint32_t id, class, header;
} functions[] = {
    {FUNCTION(0, 0, 0), 0x29c08086, 0x06000000, 0},
    {FUNCTION(0, 22, 0), 0xa13a8086, 0x07800031, 0},
    {FUNCTION(0, 28, 0), 0xa1108086, 0x060400f1, 0x00010000},
    {FUNCTION(1, 0, 0), 0x00021b36, 0x07000201, 0},
};

enum { HOST_BRIDGE, ENGINE, BRIDGE, UART };

void pci_reset(struct pci *pci, struct machine *machine, enum serial_place place)
{
    *pci = (struct pci){.machine = machine, .place = place};
}

bool pci_decodes(const struct pci *pci)
{
    return pci->command & (pci->place == SERIAL_PCI ? DECODE_IO : DECODE_MEMORY);
}

void pci_report(const struct pci *pci, FILE *out)
{
    if (pci->command)
        fprintf(out,
                "rig: the command register of the UART's function held 0x0 and is left with "
                "0x%x\n",
                pci->command);
}

static uint32_t bar_of(const struct pci *pci, unsigned which)
{
    if (which == ENGINE)
        return ENGINE_BASE;
    if (which != UART)
        return 0;
    return pci->place == SERIAL_PCI ? UART_PCI_PORT | 1 : UART_MEMORY_BASE;
}

static uint32_t read_register(const struct pci *pci, unsigned which, uint32_t at)
{
    switch (at) {
    case ID:
        return functions[which].id;
    case COMMAND:
        return which == UART ? pci->command : DECODE_IO | DECODE_MEMORY;
    case CLASS:
        return functions[which].class;
    case HEADER_TYPE:
        return functions[which].header;
    case BAR_0:
        return bar_of(pci, which);
    case BUSES: /* primary 0, secondary and subordinate 1 */
        return which == BRIDGE ? 0x00010100 : 0;
    default:
        return 0;
    }
}

/* The number in `functions`; -1: no function answers there. */
static int function_at(const struct pci *pci, uint32_t offset)
{
    if (!serial_is_pci(pci->place))
        return -1;
    for (unsigned i = 0; i < sizeof(functions) / sizeof(*functions); i++)
        if (functions[i].where == offset / FUNCTION_SIZE)
            return (int)i;
    return -1;
}

static uint32_t ones(unsigned size)
{
    return UINT32_MAX >> (32 - 8 * size);
}

uint32_t pci_read(const struct pci *pci, uint32_t offset, unsigned size)
{
    const int which = function_at(pci, offset);
    const uint32_t at = offset % FUNCTION_SIZE;

    if (which < 0 || at / 4 != (at + size - 1) / 4)
        return ones(size);
    return read_register(pci, (unsigned)which, at & ~3u) >> 8 * (at & 3) & ones(size);
}

/* Only the UART's command can be changed. */
void pci_write(struct pci *pci, uint32_t offset, unsigned size, uint32_t value)
{
    if (function_at(pci, offset) != UART || offset % FUNCTION_SIZE != COMMAND || size == 1)
        return;
    pci->command = value & WRITABLE;
}

bool pci_has_port(uint16_t port)
{
    return port >= PORT_PCI_ADDRESS && port < PORT_PCI_DATA + 4;
}

static uint32_t selected(const struct pci *pci, uint16_t port)
{
    const uint32_t function = pci->address >> 8 & 0xffff, at = pci->address & (OLD_SIZE - 4);

    return function * FUNCTION_SIZE + at + (port - PORT_PCI_DATA);
}

uint32_t pci_port_read(const struct pci *pci, uint16_t port, unsigned size)
{
    if (port == PORT_PCI_ADDRESS && size == 4 && serial_is_pci(pci->place))
        return pci->address;
    if (port < PORT_PCI_DATA || !(pci->address & ENABLE))
        return ones(size);
    return pci_read(pci, selected(pci, port), size);
}

void pci_port_write(struct pci *pci, uint16_t port, unsigned size, uint32_t value)
{
    if (port == PORT_PCI_ADDRESS && size == 4)
        pci->address = value;
    else if (port >= PORT_PCI_DATA && pci->address & ENABLE)
        pci_write(pci, selected(pci, port), size, value);
}

void pci_engine_touched(const struct pci *pci, uint64_t offset)
{
    if (serial_is_pci(pci->place))
        machine_end(pci->machine, 1,
                    "register 0x%llx of the management engine was touched, which is no UART",
                    (unsigned long long)offset);
}
