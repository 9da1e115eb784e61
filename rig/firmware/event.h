/* Events, timers, waiting, and the notification functions that they call. */
#ifndef RIG_FIRMWARE_EVENT_H
#define RIG_FIRMWARE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct firmware;

/* Gives the event, 0 when there is no room. */
uint64_t event_new(struct firmware *firmware, uint32_t type, uint64_t level, uint64_t notify,
                   uint64_t context);
/* Signals the events that wait for ExitBootServices. */
void events_leave(struct firmware *firmware);
/* Signals the timers that are due at `ticks`. */
void events_advance(struct firmware *firmware, uint64_t ticks);
/* Enters the most urgent notification function that the task priority level allows, and keeps the
 * registers of the core until its end; false when there is none. */
bool events_dispatch(struct firmware *firmware, struct core *core);
/* The core cycle at which a timer's notification function interrupts the program on this core,
 * NEVER when none can. */
uint64_t events_tick_due(const struct firmware *firmware, const struct core *core);
/* The core cycle of the firmware's next timer interrupt after now, which ends a HLT of this core;
 * NEVER when the core would not take it. */
uint64_t events_next_tick(const struct firmware *firmware, const struct core *core);

#endif
