/* The timer of the local APIC: one-shot, periodic and TSC-deadline. SDM 3A, "APIC Timer". */
#ifndef RIG_APIC_TIMER_H
#define RIG_APIC_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#define LVT_MASKED 0x10000u

struct core;

void apic_timer_start(struct core *core, uint32_t initial);
void apic_timer_deadline(struct core *core, uint64_t tsc);
void apic_timer_changed(struct core *core); /* the LVT entry or the divider was written */
uint32_t apic_timer_current(struct core *core);
bool apic_timer_expired(struct core *core); /* true once per expiry; arms the next period */

#endif
