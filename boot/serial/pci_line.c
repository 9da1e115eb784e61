#include "pci_line.h"

#include "boot/clock.h"

#define CONTROL     4u      /* of the capability: the control and status register */
#define STATE       3u      /* its bits 0 and 1: D0 to D3hot */
#define PME_STATUS  0x8000u /* a one clears it: write a zero */
#define WAKE_US     10000u  /* a function that leaves D3hot is left alone that long */
#define COMMAND_ALL 0xffffu /* without the status register behind it */

static void wait_for_us(uint64_t microseconds)
{
    struct deadline deadline = clock_deadline(microseconds);

    while (!clock_passed(&deadline))
        ;
}

/* The base addresses may be lost on the way (No_Soft_Reset clear). */
static void leave_sleep(struct pci_line_state *state)
{
    uint32_t bars[PCI_BARS];

    for (unsigned i = 0; i < PCI_BARS; i++)
        bars[i] = pci_read(state->where, PCI_BAR_0 + 4 * i);
    pci_write(state->where, state->power, state->power_was & ~(STATE | PME_STATUS));
    wait_for_us(WAKE_US);
    for (unsigned i = 0; i < PCI_BARS; i++)
        if (pci_read(state->where, PCI_BAR_0 + 4 * i) != bars[i])
            pci_write(state->where, PCI_BAR_0 + 4 * i, bars[i]);
}

/* False: the function stays asleep. */
static bool wake(struct pci_line_state *state)
{
    const unsigned capability = pci_capability(state->where, PCI_CAPABILITY_POWER);

    if (!capability)
        return true;
    state->power_was = pci_read(state->where, capability + CONTROL);
    if (!(state->power_was & STATE))
        return true;
    state->power = capability + CONTROL;
    leave_sleep(state);
    return !(pci_read(state->where, state->power) & STATE);
}

/* Firmware often leaves a function switched off that it does not use itself. */
static void start_decoding(struct pci_line_state *state, bool memory)
{
    const uint32_t wanted = memory ? PCI_DECODE_MEMORY : PCI_DECODE_IO,
                   command = pci_read(state->where, PCI_COMMAND) & COMMAND_ALL;

    if (!(command & wanted))
        pci_write(state->where, PCI_COMMAND, command | wanted);
}

enum pci_line pci_line_start(struct pci_line_state *state, uint32_t where,
                             const struct pci_uart *uart)
{
    enum pci_line line = PCI_LINE_OK;

    *state = (struct pci_line_state){.where = where};
    state->command_was = pci_read(where, PCI_COMMAND) & COMMAND_ALL;
    state->begun = true;
    if (!wake(state))
        line = PCI_LINE_ASLEEP;
    if (line == PCI_LINE_OK) {
        start_decoding(state, uart->place.memory);
        if (uart->lpss_hz)
            state->lpss_changed = lpss_start(&state->lpss, uart->place.address, uart->lpss_hz);
        if (uart->lpss_hz && !state->lpss_changed)
            line = PCI_LINE_STRANGE;
    }
    if (line != PCI_LINE_OK)
        pci_line_end(state);
    return line;
}

void pci_line_end(struct pci_line_state *state)
{
    if (state->lpss_changed)
        lpss_end(&state->lpss);
    if (state->begun && (pci_read(state->where, PCI_COMMAND) & COMMAND_ALL) != state->command_was)
        pci_write(state->where, PCI_COMMAND, state->command_was);
    if (state->power)
        pci_write(state->where, state->power, state->power_was & ~PME_STATUS);
    *state = (struct pci_line_state){0};
}
