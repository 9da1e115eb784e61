/* The number that ties a log to its run. */
#ifndef BOOT_MACHINE_RUN_NONCE_H
#define BOOT_MACHINE_RUN_NONCE_H

#include <stdint.h>

/* Of what differs from run to run: RDRAND where CPUID has it, the TSC, the firmware's clock, and
 * the load options, which alone differ on a machine that always starts in the same state. */
uint64_t run_nonce(const char *arguments);

#endif
