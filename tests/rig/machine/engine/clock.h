/* The clocks of the cores; device/platform.h has the rest of this unit: conversions, core_now,
 * core_ticks and core_tsc. */
#ifndef RIG_CLOCK_H
#define RIG_CLOCK_H

#include <stdint.h>

struct core;

#define MHZ 1000000u /* in Hz */

/* The core's clock without what still waits for the other thread of the core (model_sync). */
uint64_t core_clock(const struct core *core);
/* The core's clock goes on to `cycle`, halted meanwhile. */
void core_idle_until(struct core *core, uint64_t cycle);

#endif
