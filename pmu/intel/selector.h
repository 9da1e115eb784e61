/* A raw event selector, for events that no description names:
 *
 *   0xEEUU[:cmask=N][:inv][:edge][:any]      0xC000, 0xC401:cmask=2
 *
 * EE is the event select, UU the unit mask of IA32_PERFEVTSELx, N from 0 to 255. The rest sets the
 * fields of that name (SDM volume 3B, "Architectural Performance Monitoring Version 1"; any:
 * AnyThread, "Version 3"). Pure. */
#ifndef PMU_INTEL_SELECTOR_H
#define PMU_INTEL_SELECTOR_H

#include "boot/slice.h"
#include "pmu/description.h"

/* Reads the selector, a text that begins with 0x, into an event of that name, which every general
 * counter may count. Returns false with a complaint, whose column is the place in the text, from 1.
 */
bool selector_read(struct event *event, struct slice text, struct complaint *complaint);
/* Takes over what the description knows of events with the same event select and unit mask: the
 * counters that can count it, whether it counts alone. Where another register says what it counts,
 * no counter counts it (EVENT_OUTSIDE), because a selector does not set that register. */
void selector_restrict(struct event *event, const struct description *description);

#endif
