/* The boot processor waits while another core measures. */
#ifndef HARNESS_SURVEY_BOOT_WAITS_H
#define HARNESS_SURVEY_BOOT_WAITS_H

#include "harness/judge/measured_core.h"

/* After work on the core: its counts are not trusted where the boot processor is the other thread
 * of this core and waited in a loop, because it cannot halt. */
void boot_waits_look(struct measured_core *core);

#endif
