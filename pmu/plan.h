/* From "these events on this core" to passes: values to write, counters to read. Pure: nothing here
 * touches a register. */
#ifndef PMU_PLAN_H
#define PMU_PLAN_H

#include "boot/pool.h"
#include "boot/rc.h"
#include "plan_pack.h"
#include "plan_pass.h"

struct plan {
    struct pass *passes;
    unsigned pass_count;
    /* Events that no counter of this core can count. */
    struct plan_missing {
        const struct event *event;
        const char *reason;
    } missing[PLAN_EVENTS];
    unsigned missing_count;
};

/* Plans passes that count the events. The description's events for fixed counters 0 to 2 are in
 * every pass, requested or not. All others take the fewest passes that their counters allow.
 * Earlier events have priority: they go into the first pass as far as that number of passes
 * permits. Events with an `msr` come into the last passes, no two values of a register in one pass;
 * events that count `alone` come after all others. PERF_METRICS and its slots are in the first
 * pass. With version 1, which has no IA32_PERF_GLOBAL_CTRL, a pass holds one event.
 *
 * families[i] is the family of events[i], from 1 (0: none): events of a family are compared with
 * each other, so they share a pass where that adds no pass. The family of the first event goes into
 * the first pass, then larger families have priority. A null `families` means that there are none.
 *
 * RC_OK, also when events are missing; RC_ABSENT: the core cannot count at all; RC_NO_SPACE. */
enum rc plan_make(struct plan *plan, const struct facts *facts,
                  const struct description *description, const struct event *const *events,
                  const uint16_t *families, unsigned event_count, struct pool *pool);
/* Adds passes to plan->passes, which has room for `limit` passes, for the events that the plan
 * neither counts nor lists as missing. RC_OK, also when there was nothing to add; RC_ABSENT and
 * RC_NO_SPACE as for plan_make, with the passes unchanged. */
enum rc plan_append(struct plan *plan, unsigned limit, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count);
/* Sets *count to the number of passes that plan_make would make; 0 unless RC_OK. */
enum rc plan_passes(unsigned *count, const struct facts *facts,
                    const struct description *description, const struct event *const *events,
                    unsigned event_count);
/* Lists every register that the plan writes, each once, in the order in which saved_keep must see
 * them. IA32_PERF_GLOBAL_OVF_CTRL is left out: writing it is a command, it holds no state to
 * restore. Returns the number of registers, at most `limit`. */
unsigned plan_registers(const struct plan *plan, uint32_t *registers, unsigned limit);

#endif
