/* Starting and stopping the application processors; running work on them is cores.h. */
#ifndef BOOT_CORES_START_H
#define BOOT_CORES_START_H

#include "boot/acpi.h"
#include "boot/rc.h"

/* Lists the processors, the boot processor first (it is added when the table does not name it),
 * at most `most` of them (0: all). found: null when there is no MADT. Returns how many there are
 * before `most` is applied. */
unsigned cores_list(const struct acpi_processors *found, unsigned most);
/* Allocates the cores' stacks and the trampoline's page, with boot services alive. An unexpected
 * trap of the boot processor continues in last_landing, on the boot processor's own stack.
 * RC_NO_SPACE: no memory for a stack; then the boot processor is not online either. Without memory
 * for the trampoline only the other cores stay offline. */
enum rc cores_prepare(void (*last_landing)(void));
/* The boot processor's context is ours from now on: it counts as online. */
void cores_boot_ready(void);
/* INIT, SIPI, SIPI; waits until each core answered or its deadline passed, and logs an `error`
 * record for each that did not. */
void cores_start_others(void);
unsigned cores_online(void);
/* Puts the application processors back to waiting for a SIPI. */
void cores_stop_others(void);

#endif
