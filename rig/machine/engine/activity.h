/* What a logical processor does, and how long it did what. */
#ifndef RIG_MACHINE_ENGINE_ACTIVITY_H
#define RIG_MACHINE_ENGINE_ACTIVITY_H

#include <stdint.h>
#include <stdio.h>

#include "state.h"

/* From this cycle of its clock on the core does that. */
void activity_set(struct core *core, enum activity activity, uint64_t cycle);
/* --processors, one JSON object a line. `stands` says what the processor does when the run ends:
 * runs, halted, halted_off (with interrupts off), mwait, wait_for_sipi, stuck (--fault stuck). The
 * member of each of these names says for how many microseconds of simulated time it did so: the
 * boot processor since power-on, another one since it was first started. `inits` and `starts` are
 * the INITs and SIPIs that it took, `spurious` and `timer` what its local APIC's
 * Spurious-Interrupt Vector Register and the timer's entry of the LVT hold at the end. */
void activity_write(const struct machine *machine, FILE *out);

#endif
