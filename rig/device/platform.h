/* What a device asks of the machine that it is part of: the time, the processors that it
 * interrupts, the end of the run. The machine room defines these functions (machine/platform.c,
 * machine/engine/clock.c).
 *
 * All time is simulated. Every core counts its own cycles. Ticks have the rate of the TSC; writes
 * to the TSC do not change them. */
#ifndef RIG_DEVICE_PLATFORM_H
#define RIG_DEVICE_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

struct apic;
struct core;
struct machine;

#define NEVER UINT64_MAX /* the cycle or tick of what will not happen */

/* Ends the run; the first call wins. `status` is the status of the process: 0 for an end in order,
 * else the message goes to standard error. */
void machine_end(struct machine *machine, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool machine_has_ended(const struct machine *machine);

/* Cycles and ticks, converted without drift. */
uint64_t machine_ticks(const struct machine *machine, uint64_t cycles);
uint64_t machine_cycles(const struct machine *machine, uint64_t ticks); /* rounded up */
/* The ticks in `count` periods of a clock of `hz`, rounded up; the whole periods in `ticks`. */
uint64_t machine_ticks_of(const struct machine *machine, uint64_t count, uint64_t hz);
uint64_t machine_count_of(const struct machine *machine, uint64_t ticks, uint64_t hz);

/* The clock of a core, in cycles and in ticks, and its TSC register. */
uint64_t core_now(const struct core *core);
uint64_t core_ticks(const struct core *core);
uint64_t core_tsc(const struct core *core);

/* The local APIC of logical processor `n`, counted from 0; NULL beyond the last. */
struct apic *machine_apic(struct machine *machine, unsigned n);
/* The number of a logical processor; the boot processor is 0. */
unsigned core_number(const struct core *core);
bool core_is_bsp(const struct core *core);
/* How many counting windows of the core have begun. */
uint64_t core_window(const struct core *core);
/* An interrupt may be pending: the core looks before its next instruction. */
void core_look_for_interrupts(struct core *core);
/* The core does nothing for so many ticks, as while it waits for a device to answer. */
void core_wait(struct core *core, uint64_t ticks);
/* The slice of the core ends before its next instruction, so that others see at once what it did.
 */
void core_end_slice(struct core *core);
/* A halted or waiting core may go on; `now` is the clock of the core that wakes it. */
void core_wake(struct core *core, uint64_t now);
void core_nmi(struct core *core);
/* INIT: true when the core now waits for a SIPI, and its local APIC is to be reset. */
bool core_init(struct core *core, uint64_t now);
/* How many INITs the core took. */
unsigned core_inits(const struct core *core);
/* SIPI: ignored by a core that does not wait for one. */
void core_start(struct core *core, uint8_t vector, uint64_t now);

#endif
