/* Starting and stopping the application processors; running work on them is cores.h. */
#ifndef BOOT_MACHINE_CORES_START_H
#define BOOT_MACHINE_CORES_START_H

#include "boot/acpi.h"
#include "boot/rc.h"

/* Lists the cores: the boot processor first (also when the MADT does not name it), then the other
 * processors in `found` (null: there is no MADT), in all at most `most` (0: no limit). */
void cores_list(const struct acpi_processors *found, unsigned most);
/* Allocates the cores' stacks and finds the trampoline's page, with boot services alive. An
 * unexpected trap of the boot processor continues in last_landing, on the boot processor's own
 * stack. RC_NO_SPACE: no memory for a stack; then the boot processor is not online either. Without
 * memory for the trampoline only the other cores stay offline. */
enum rc cores_prepare(void (*last_landing)(void));
/* Makes the boot processor count as online; call it when firmware_own is done. */
void cores_boot_ready(void);
/* Sends INIT, SIPI, SIPI to all other cores and waits until each has answered, at most 1 s. A core
 * that does not answer is an `error` record. */
void cores_start_others(void);
/* Starts the cores once more that are still online and were sent an INIT (core.reset), so that they
 * halt for good with interrupts off: a core that waits for a start-up message answers no SMI. Waits
 * until each is CORE_HALTED, at most 200 ms; one that does not come is CORE_GIVEN_UP. */
void cores_halt(void);
/* How many cores are online. */
unsigned cores_online(void);
/* Whether the processor with that APIC id was sent an INIT to start it. */
bool cores_was_started(uint64_t apic_id);
/* Sends INIT to the application processors, which then wait for a SIPI, wherever they are. */
void cores_stop_others(void);

#endif
