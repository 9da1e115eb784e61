/* The registers that count one event of NetBurst. Pure: nothing here touches a register.
 *
 * No single write starts several counters of NetBurst, so a pass counts one event: the write to its
 * CCCR starts the window and ends it, as in every other window.
 *
 * Both logical processors of a core share all these registers. One half of the ESCRs feeds one half
 * of the counters, and with HyperThreading each logical processor uses the half of its number
 * alone, so that neither takes a register of the other. What has no ESCR in its half cannot be
 * counted there. */
#ifndef PMU_NETBURST_PASS_H
#define PMU_NETBURST_PASS_H

#include "pmu/plan_pass.h"
#include "select.h"

/* Makes the pass. Null, or the reason why this core cannot count the event. */
const char *netburst_pass_make(struct pass *pass, const struct facts *facts,
                               const struct description *description, const struct event *event);
/* The same on one of these counters, bit n for counter n; a raw event is on its own counter. */
const char *netburst_pass_make_on(struct pass *pass, const struct facts *facts,
                                  const struct description *description, const struct event *event,
                                  uint32_t counters);

/* Adds to the setup what stops all counters of this logical processor and takes all events off its
 * ESCRs, so that no tag of another pass is left. */
void netburst_pass_stop(struct pass *pass, const struct facts *facts);

/* Writes the CCCR, the ESCR and the counter of the pass's reading, with the values that are
 * written; at most `size` bytes with the 0. */
void netburst_pass_text(const struct pass *pass, const struct reading *reading, char *out,
                        unsigned size);

#endif
