#include "pci.h"

#include "lpss.h"
#include "platform.h"

#define ENABLE        UINT32_C(0x80000000)
#define FUNCTION_SIZE 4096u /* bytes of a function's configuration space */
#define OLD_SIZE      256u  /* of which the ports reach so many */
#define ID            0x00u
#define COMMAND       0x04u
#define CLASS         0x08u
#define HEADER_TYPE   0x0cu
#define BAR_0         0x10u
#define BAR_1         0x14u
#define BUSES         0x18u
#define CAPABILITIES  0x34u
#define PM            0x80u /* of an LPSS: its power management capability */
#define PMCSR         0x84u
#define VENDOR        0x90u /* and a capability of Intel's own */
#define DECODE_IO     1u
#define DECODE_MEMORY 2u
#define WRITABLE      0x0007u    /* of the command register: also bus master */
#define HAS_LIST      (1u << 20) /* of the status register, in its place */
#define D3HOT         3u
#define NO_SOFT_RESET 8u
#define BAR_64        4u

#define FUNCTION(bus, device, function) ((bus) << 8 | (device) << 3 | (function))
#define SECOND_ROOT                     FUNCTION(0x80u, 0u, 0u)
#define SECOND_SEGMENT                  (1u << 16 | FUNCTION(0x40u, 0u, 0u))

enum which { HOST_BRIDGE, SENSORS, ENGINE, LPSS_100, LPSS_120, BRIDGE, UART };
#define FUNCTIONS 7

/* Those of the chipset are on bus 0; bridge, UART and LPSS are counted from the bus that is the
 * line's root. Vendor and device; class, interface and revision; header type in its place. */
static const struct function {
    bool of_line;
    unsigned where;
    uint32_t id, class_code, header;
} functions[FUNCTIONS] = {
    [HOST_BRIDGE] = {false, FUNCTION(0, 0, 0), 0x29c08086, 0x06000000, 0},
    [SENSORS] = {false, FUNCTION(0, 21, 0), 0x9d608086, 0x11800021, 0},
    [ENGINE] = {false, FUNCTION(0, 22, 0), 0xa13a8086, 0x07800031, 0},
    [LPSS_100] = {true, FUNCTION(0, 30, 0), 0xa0a88086, 0x07800020, 0},
    [LPSS_120] = {true, FUNCTION(0, 30, 0), 0x9d278086, 0x11800021, 0},
    [BRIDGE] = {true, FUNCTION(0, 28, 0), 0xa1108086, 0x060400f1, 0x00010000},
    [UART] = {true, FUNCTION(1, 0, 0), 0x00021b36, 0x07000201, 0},
};

static unsigned root_of(const struct pci *pci)
{
    return pci->line.pci == PCI_ROOT      ? SECOND_ROOT
           : pci->line.pci == PCI_SEGMENT ? SECOND_SEGMENT
                                          : 0;
}

static bool is_line(enum which which)
{
    return which == UART || which == LPSS_100 || which == LPSS_120;
}

static bool is_there(const struct pci *pci, enum which which)
{
    switch (which) {
    case LPSS_100:
        return pci->line.place == SERIAL_LPSS_100;
    case LPSS_120:
        return pci->line.place == SERIAL_LPSS_120;
    case BRIDGE:
    case UART:
        return !serial_is_lpss(pci->line.place);
    default:
        return true;
    }
}

static bool is_asleep(const struct pci *pci)
{
    return pci->set.power == D3HOT;
}

void pci_reset(struct pci *pci, struct machine *machine, const struct serial_line *line,
               struct lpss *lpss, struct uart *uart)
{
    *pci = (struct pci){.machine = machine, .line = *line, .lpss = lpss, .uart = uart};
    if (line->place == SERIAL_PCI)
        pci->found.bar = line->state == STATE_UNASSIGNED ? 1 : UART_PCI_PORT | 1;
    else
        pci->found.bar = serial_base(line);
    if (line->state == STATE_USED)
        pci->found.command = DECODE_MEMORY;
    if (line->state == STATE_ASLEEP)
        pci->found.power = D3HOT;
    pci->set = pci->found;
}

bool pci_decodes(const struct pci *pci)
{
    return pci->set.command & (pci->line.place == SERIAL_PCI ? DECODE_IO : DECODE_MEMORY) &&
           !is_asleep(pci) && pci->set.bar != 0 && pci->set.bar == pci->found.bar;
}

static void report(const char *what, uint64_t was, uint64_t is, FILE *out)
{
    if (was != is)
        fprintf(out, "rig: the UART's function: %s held 0x%llx and is left with 0x%llx\n", what,
                (unsigned long long)was, (unsigned long long)is);
}

void pci_report(const struct pci *pci, FILE *out)
{
    report("the command register", pci->found.command, pci->set.command, out);
    report("the address register", pci->found.bar, pci->set.bar, out);
    report("the power state", pci->found.power, pci->set.power, out);
}

static bool has_wide_bar(const struct pci *pci)
{
    return serial_is_lpss(pci->line.place) || pci->line.state == STATE_HIGH ||
           pci->line.state == STATE_UNMAPPED;
}

static uint32_t bar_of(const struct pci *pci, enum which which, bool upper)
{
    if (!is_line(which))
        return (which == ENGINE || which == SENSORS) && !upper ? ENGINE_BASE : 0;
    if (upper)
        return (uint32_t)(pci->set.bar >> 32);
    return (uint32_t)pci->set.bar | (has_wide_bar(pci) ? BAR_64 : 0);
}

/* Of an LPSS: the list of capabilities, and its power management. */
static uint32_t read_capability(const struct pci *pci, uint32_t at)
{
    switch (at) {
    case CAPABILITIES:
        return PM;
    case PM:
        return 0x00030001u | VENDOR << 8;
    case PMCSR:
        return NO_SOFT_RESET | pci->set.power;
    case VENDOR:
        return 0xf0140009u;
    default:
        return 0;
    }
}

static uint32_t read_register(const struct pci *pci, enum which which, uint32_t at)
{
    const bool lpss = which == LPSS_100 || which == LPSS_120;
    const unsigned root = root_of(pci) >> 8 & 0xff;

    switch (at) {
    case ID:
        return functions[which].id;
    case COMMAND:
        return is_line(which) ? pci->set.command | (lpss ? HAS_LIST : 0)
                              : DECODE_IO | DECODE_MEMORY;
    case CLASS:
        return functions[which].class_code;
    case HEADER_TYPE:
        return functions[which].header;
    case BAR_0:
    case BAR_1:
        return bar_of(pci, which, at == BAR_1);
    case BUSES: /* primary, and one behind it: secondary and subordinate */
        return which == BRIDGE ? root | (root + 1) << 8 | (root + 1) << 16 : 0;
    default:
        return lpss ? read_capability(pci, at) : 0;
    }
}

/* The number in `functions`; -1: no function answers there. */
static int function_at(const struct pci *pci, uint32_t offset)
{
    if (!serial_is_pci(pci->line.place))
        return -1;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (is_there(pci, (enum which)i) &&
            functions[i].where + (functions[i].of_line ? root_of(pci) : 0) ==
                offset / FUNCTION_SIZE)
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
    return read_register(pci, (enum which)which, at & ~3u) >> 8 * (at & 3) & ones(size);
}

/* A size of the UART's registers in memory is a page, of its ports 8. */
static void write_bar(struct pci *pci, bool upper, uint32_t value)
{
    if (upper)
        pci->set.bar = (uint32_t)pci->set.bar | (uint64_t)value << 32;
    else if (pci->line.place == SERIAL_PCI)
        pci->set.bar = (value & ~7u) | 1;
    else
        pci->set.bar = pci->set.bar >> 32 << 32 | (value & 0xfffff000u);
}

/* D1 and D2 are no states of an LPSS: nothing changes. */
static void write_power(struct pci *pci, uint32_t value)
{
    const unsigned state = value & 3;

    if (state == D3HOT)
        lpss_lose(pci->lpss, pci->uart);
    if (state == 0 || state == D3HOT)
        pci->set.power = state;
}

/* Only what the image may need is writable: the command, address and power of the line. */
void pci_write(struct pci *pci, uint32_t offset, unsigned size, uint32_t value)
{
    const int which = function_at(pci, offset);

    if (which < 0 || !is_line((enum which)which) || size == 1)
        return;
    switch (offset % FUNCTION_SIZE) {
    case COMMAND:
        pci->set.command = value & WRITABLE;
        break;
    case BAR_0:
        write_bar(pci, false, value);
        break;
    case BAR_1:
        if (has_wide_bar(pci))
            write_bar(pci, true, value);
        break;
    case PMCSR:
        if (which != UART)
            write_power(pci, value);
        break;
    }
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

static bool has_ports(const struct pci *pci)
{
    return serial_is_pci(pci->line.place) && pci->line.pci != PCI_ECAM &&
           pci->line.pci != PCI_ECAM_HIGH;
}

uint32_t pci_port_read(const struct pci *pci, uint16_t port, unsigned size)
{
    if (!has_ports(pci))
        return ones(size);
    if (port == PORT_PCI_ADDRESS && size == 4)
        return pci->address;
    if (port < PORT_PCI_DATA || !(pci->address & ENABLE))
        return ones(size);
    return pci_read(pci, selected(pci, port), size);
}

void pci_port_write(struct pci *pci, uint16_t port, unsigned size, uint32_t value)
{
    if (!has_ports(pci))
        return;
    if (port == PORT_PCI_ADDRESS && size == 4)
        pci->address = value;
    else if (port >= PORT_PCI_DATA && pci->address & ENABLE)
        pci_write(pci, selected(pci, port), size, value);
}

void pci_engine_touched(const struct pci *pci, uint64_t offset)
{
    if (serial_is_pci(pci->line.place))
        machine_end(pci->machine, 1, "register 0x%llx of a function was touched that is no UART",
                    (unsigned long long)offset);
}
