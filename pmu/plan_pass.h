/* Making a pass. Pure: nothing here touches a register. */
#ifndef PMU_PLAN_PASS_H
#define PMU_PLAN_PASS_H

#include "pass.h"

/* The counters of this core that a pass may use, bit n for counter n. */
uint32_t pass_general_counters(const struct facts *facts);
uint32_t pass_fixed_counters(const struct facts *facts);
/* Whether this core has PERF_METRICS and the fixed counter 3 that it is a share of. */
bool pass_has_metrics(const struct facts *facts);

/* Whether the register says what that general counter of the pass counts. */
bool pass_selects(const struct pass *pass, unsigned counter, uint32_t msr);

/* How often counters start in the course of these writes. */
unsigned pass_starts(const struct msr_value *setup, unsigned count);

/* Whether an event with this code would also count in a counter of the core's other thread, which
 * counts too (`leaks` of the description). */
bool pass_disturbs(const struct facts *facts, uint16_t code);
/* Why no counter of this core may count or sample the event, although one could: its description
 * refuses the event, or other counters would count wrongly. NULL: nothing speaks against it. */
const char *pass_refuses(const struct facts *facts, const struct event *event);

/* Makes the pass that counts these events on this core, whose kind of counters starts together
 * (write_pass of kind.h). */
void pass_make(struct pass *pass, const struct facts *facts, const struct assignment *assignment);

#endif
