/* The clocks of the cores. This unit also defines the clocks and conversions of device/platform.h.
 */
#ifndef RIG_MACHINE_ENGINE_CLOCK_H
#define RIG_MACHINE_ENGINE_CLOCK_H

#include <stdint.h>

struct core;
struct machine;

#define MHZ 1000000u /* in Hz */

/* The core's clock without the instructions that wait for the other thread of the core
 * (model_sync). */
uint64_t core_clock(const struct core *core);
/* The core is halted until its clock reaches `cycle`. */
void core_idle_until(struct core *core, uint64_t cycle);

/* Ends the run when its host time is over (--seconds). To be called every now and then wherever the
 * machine could go on without simulated time. */
void machine_look_at_time(struct machine *machine);

#endif
