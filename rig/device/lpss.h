/* What surrounds the UART of Intel's LPSS (Low Power Subsystem, "Serial IO UART"): clock divider,
 * resets and power. A 16550 with registers of 32 bits, four bytes apart, then private registers
 * from 200H on.
 *
 * Sources: coreboot, src/soc/intel/common/block/lpss and .../uart; Linux, drivers/mfd/intel-lpss.c
 * and intel-lpss-pci.c. CLOCKS (200H): bit 0 lets the clock through, bits 1..15 are M, bits 16..30
 * N, bit 31 takes M and N over: the UART's clock is the input's times M / N. RESETS (204H): the
 * UART is out of reset when bits 0 and 1 are set. CAPABILITIES (2FCH): bits 4..7 are 1 of a UART.
 * Guesses: in reset the UART's registers read zero and cannot be written; what CLOCKS holds at a
 * reset is zero; in D3hot everything but configuration space is lost. */
#ifndef RIG_DEVICE_LPSS_H
#define RIG_DEVICE_LPSS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "uart.h"

struct lpss_registers {
    uint32_t clocks, resets;
    uint32_t ratio; /* M and N that the divider took over, in their places in `clocks` */
};

struct lpss {
    uint32_t input_hz;
    struct lpss_registers set, found; /* now, and as the firmware left them */
};

void lpss_reset(struct lpss *lpss, struct uart *uart, uint32_t input_hz);
/* It falls asleep: private registers and the UART's are as after a reset. */
void lpss_lose(struct lpss *lpss, struct uart *uart);
/* What firmware does that uses the UART as its console. */
void lpss_use(struct lpss *lpss, struct uart *uart);
/* Accesses of `size` bytes to what is behind its address; others than of 32 bits give ones. */
uint64_t lpss_read(const struct lpss *lpss, struct uart *uart, uint64_t offset, unsigned size);
void lpss_write(struct lpss *lpss, struct uart *uart, uint64_t offset, unsigned size,
                uint64_t value);
/* A line for each private register that does not hold what the firmware left. */
void lpss_report(const struct lpss *lpss, FILE *out);

#endif
