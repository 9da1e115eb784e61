/* What surrounds the UART of Intel's LPSS ("Serial IO UART"), a 16550 with registers of 32 bits:
 * its reset and the divider of its clock. Pure, except for registers in memory. Sources: coreboot,
 * src/soc/intel/common/block/lpss; Linux, drivers/mfd/intel-lpss.c and intel-lpss-pci.c. */
#ifndef BOOT_SERIAL_LPSS_H
#define BOOT_SERIAL_LPSS_H

#include <stdbool.h>
#include <stdint.h>

#define LPSS_BYTES 0x300u /* registers that are touched, from the function's address on */

/* What the registers held before they were written. */
struct lpss {
    uint64_t address;
    uint32_t clocks, resets;
};

/* Hz of the clock that goes into the divider of the LPSS's UART with this register PCI_ID; 0: the
 * function is no such UART, or not known to be one. */
uint32_t lpss_clock(uint32_t id);
/* Takes the UART at the address out of reset and gives it a clock of SERIAL_PC_CLOCK. input_hz: as
 * lpss_clock says. False: what answers does not call itself a UART, and nothing is changed. */
bool lpss_start(struct lpss *lpss, uint64_t address, uint32_t input_hz);
/* Puts the registers back. */
void lpss_end(const struct lpss *lpss);

#endif
