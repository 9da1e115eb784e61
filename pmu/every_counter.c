#include "every_counter.h"

#define INST_RETIRED_BIT 1u /* CPUID 0AH:EBX, "Instruction Retired" */

/* SDM 3B, "Pre-defined Architectural Performance Events": any general counter counts it. */
static const struct event on_general = {.name = "INST_RETIRED.ANY_P",
                                        .kind = EVENT_GENERAL,
                                        .encodable = true,
                                        .code = 0xc0,
                                        .counters = ~0u,
                                        .architectural = INST_RETIRED_BIT};
static const struct event on_fixed = {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED};

const char *every_counter_pass(struct pass *pass, const struct facts *facts)
{
    const uint32_t general = pass_general_counters(facts);
    struct assignment assignment = {.fixed = {&on_fixed}};

    if (facts->absent != NULL)
        return facts->absent;
    if (facts->netburst)
        return "no event can be counted by all counters of NetBurst";
    if (!(pass_fixed_counters(facts) & 1))
        return "this core has no fixed counter 0 to compare with";
    if (!(facts->architectural_events >> INST_RETIRED_BIT & 1))
        return "this core does not announce INST_RETIRED.ANY_P";
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            assignment.general[i] = &on_general;
    pass_make(pass, facts, &assignment);
    return NULL;
}

uint64_t every_counter_agreed(const uint64_t *counts, unsigned count)
{
    unsigned best = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned same = 0;

        for (unsigned j = 0; j < count; j++)
            same += counts[j] == counts[i];
        if (same > most) {
            best = i;
            most = same;
        }
    }
    return counts[best];
}
