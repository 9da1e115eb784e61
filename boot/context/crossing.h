/* The way between this program's processor state and the firmware's, without control-flow
 * enforcement, which cet.asm adds: callers use firmware_enter and firmware_leave (firmware.h). */
#ifndef BOOT_CONTEXT_CROSSING_H
#define BOOT_CONTEXT_CROSSING_H

#include <stdbool.h>

#include "context.h"

/* Loads the firmware's context and interrupt flag, unless the caller is inside another one. Returns
 * whether it is the outermost one. */
bool crossing_enter(void);
/* Whether the next crossing_leave is the outermost one's. */
bool crossing_is_last(void);
void crossing_leave(void);

/* From here on *own is the context outside crossing_enter .. crossing_leave, with interrupts off.
 * interrupts: whether the firmware wants its interrupt flag back. */
void crossing_own(const struct context *own, bool interrupts);
/* The firmware's context stays loaded from here on. */
void crossing_release(void);

#endif
