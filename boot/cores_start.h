/* Starting and stopping the application processors; running work on them is cores.h. */
#ifndef BOOT_CORES_START_H
#define BOOT_CORES_START_H

#include "acpi.h"
#include "rc.h"

/* Lists the processors, the boot processor first (it is added when the table does not name it),
 * at most `most` of them (0: all). found: null when there is no MADT. Returns how many there are
 * before `most` is applied. */
unsigned cores_list(const struct acpi_processors *found, unsigned most);
/* Memory for the cores' stacks and for the trampoline, while boot services live. RC_NO_SPACE:
 * none; the boot processor is then not online either. A missing trampoline only takes away the
 * others. */
enum rc cores_prepare(void);
/* The boot processor's context is ours from now on: it counts as online. */
void cores_boot_ready(void);
/* INIT, SIPI, SIPI; waits until each core answered or its deadline passed, and logs an `error`
 * record for each that did not. */
void cores_start_others(void);
unsigned cores_online(void);
/* Puts the application processors back to waiting for a SIPI. */
void cores_stop_others(void);

#endif
