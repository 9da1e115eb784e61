/* A PCI function that is the serial line: awake, decoding its address, of an LPSS out of reset; and
 * as the firmware left it at the end. Pure except for pci_read, pci_write, the clock, an LPSS's
 * registers. Source: "PCI Bus Power Management Interface Specification". */
#ifndef BOOT_SERIAL_PCI_LINE_H
#define BOOT_SERIAL_PCI_LINE_H

#include <stdint.h>

#include "boot/pci/pci.h"
#include "lpss.h"
#include "pci_serial.h"

enum pci_line {
    PCI_LINE_OK,
    PCI_LINE_ASLEEP,  /* the function does not wake up */
    PCI_LINE_STRANGE, /* what answers is not the UART of an LPSS */
};

/* What was changed, and what it was. */
struct pci_line_state {
    uint32_t where;
    unsigned power; /* the offset of the power management's control; 0: unchanged */
    uint32_t power_was, command_was;
    bool begun; /* command_was holds what it was */
    bool lpss_changed;
    struct lpss lpss;
};

/* Makes the UART answer. Not PCI_LINE_OK: nothing is left changed. */
enum pci_line pci_line_start(struct pci_line_state *state, uint32_t where,
                             const struct pci_uart *uart);
/* Puts everything back, when the UART's last character is out. */
void pci_line_end(struct pci_line_state *state);

#endif
