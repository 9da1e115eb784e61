/* Where the first serial line is, and which ACPI table names it. */
#ifndef RIG_DEVICE_SERIAL_PLACE_H
#define RIG_DEVICE_SERIAL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum serial_place {
    SERIAL_COM1,
    SERIAL_COM2,
    SERIAL_COM3,
    SERIAL_COM4,
    SERIAL_MMIO8, /* registers in memory, of so many bits each and as many apart */
    SERIAL_MMIO16,
    SERIAL_MMIO32,
    SERIAL_PCI, /* behind I/O ports that a base address register of a PCI function says */
    SERIAL_PCI_MEMORY,
    SERIAL_LPSS_100, /* the UART of an Intel LPSS, a PCI function; MHz of its input clock */
    SERIAL_LPSS_120,
    SERIAL_NONE
};

enum serial_table {
    TABLE_SPCR,
    TABLE_DBG2,
    TABLE_LOST,   /* an SPCR with an address at which nothing answers */
    TABLE_MEMORY, /* an SPCR with the address of free memory, which looks like an idle UART */
    TABLE_EDGE,   /* an SPCR whose last registers are that memory, and the first are nothing */
    TABLE_NONE
};

/* How the firmware left it. */
enum serial_state {
    STATE_USUAL,      /* as a line that it does not use, unless a table names it */
    STATE_USED,       /* of an LPSS: out of reset, with a clock, and at the terminal's rate */
    STATE_ASLEEP,     /* of an LPSS: in D3hot */
    STATE_UNASSIGNED, /* of a PCI function: it has no address */
    STATE_HIGH,       /* registers in memory above 4 GiB */
    STATE_UNMAPPED    /* the same, where the firmware's page tables do not reach */
};

/* Where in PCI the line's function is, and how one reaches configuration space. */
enum pci_layout {
    PCI_PORTS,     /* segment 0, behind a bridge of bus 0; ports and MCFG */
    PCI_ECAM,      /* the same; the ports do not answer */
    PCI_ECAM_HIGH, /* the same, and the MCFG's window is above 4 GiB */
    PCI_ROOT,      /* behind a bridge of bus 80H, another root of segment 0 */
    PCI_SEGMENT /* behind a bridge of bus 40H, the root of segment 1, which only the MCFG knows */
};

struct serial_line {
    enum serial_place place;
    enum serial_table table;
    enum serial_state state;
    enum pci_layout pci;
    bool unwired; /* nobody asserts the modem inputs */
    bool paced;   /* characters leave at the line's rate */
};

#define UART_MEMORY_BASE 0xfe030000u /* where registers in memory begin */
#define UART_HIGH_BASE   UINT64_C(0x800030000)
#define UART_FAR_BASE    UINT64_C(0x4000030000)
#define UART_LOST_BASE   0xfe032000u /* nothing is there */
#define UART_RAM_BASE    0x00100000u /* memory begins, or goes on, here */
#define UART_EDGE_BASE   0x000ffff0u /* four registers of 32 bits below it */
#define UART_PCI_PORT    0xd000u

/* Bytes of a register, and Hz of its clock, of an LPSS before its divider. Only with 32 bits does a
 * table say the clock. */
unsigned serial_width(enum serial_place place);
uint32_t serial_clock(enum serial_place place);
bool serial_is_memory(enum serial_place place);
bool serial_is_pci(enum serial_place place);
bool serial_is_lpss(enum serial_place place);
/* Where the line's registers in memory begin; 0 of a line without, and of one without address. */
uint64_t serial_base(const struct serial_line *line);
/* The first of its I/O ports, 0 of a line without. */
uint16_t serial_port(enum serial_place place);
/* Where a table that is wrong says that the registers are, of 32 bits each; 0: it is right. */
uint64_t serial_wrong_base(enum serial_table table);
/* Whether the table names memory as registers. */
bool serial_names_memory(enum serial_table table);

#endif
