#include "every_counter.h"

#include "pmu/plan_pass.h"

/* SDM 3B, "Pre-defined Architectural Performance Events": any general counter counts them, where
 * CPUID 0AH:EBX announces them; and "Fixed-function Performance Counters". */
static const struct way {
    struct event general, fixed;
    const char *no_fixed, *no_general;
} ways[EVERY_COUNTERS] = {
    [EVERY_COUNTER_INSTRUCTIONS] = {{.name = "INST_RETIRED.ANY_P",
                                     .code = 0xc0,
                                     .architectural = 1},
                                    {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED, .fixed = 0},
                                    "this core has no fixed counter 0 to compare with",
                                    "this core does not announce INST_RETIRED.ANY_P"},
    [EVERY_COUNTER_CYCLES] = {{.name = "CPU_CLK_UNHALTED.THREAD_P",
                               .code = 0x3c,
                               .architectural = 0},
                              {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED, .fixed = 1},
                              "this core has no fixed counter 1 to compare with",
                              "this core does not announce CPU_CLK_UNHALTED.THREAD_P"},
    [EVERY_COUNTER_SLOTS] =
        {{.name = "TOPDOWN.SLOTS_P", .code = 0xa4, .umask = 0x01, .architectural = 7},
         {.name = "TOPDOWN.SLOTS", .kind = EVENT_FIXED, .fixed = 3},
         "this core has no fixed counter 3 to compare with",
         "this core does not announce TOPDOWN.SLOTS_P"},
};

const char *intel_every_counter(struct pass *pass, const struct facts *facts,
                                enum every_counter what)
{
    const uint32_t general = pass_general_counters(facts);
    const struct way *way = &ways[what];
    struct assignment assignment = {.fixed = {NULL}};

    if (!(pass_fixed_counters(facts) >> way->fixed.fixed & 1))
        return way->no_fixed;
    if (general == 0)
        return "this core has no general counter to compare with";
    if (!(facts->architectural_events >> way->general.architectural & 1))
        return way->no_general;
    assignment.fixed[way->fixed.fixed] = &way->fixed;
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            assignment.general[i] = &way->general;
    pass_make(pass, facts, &assignment);
    return NULL;
}

const char *intel_reference_pass(struct pass *pass, const struct facts *facts)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD",
                                        .kind = EVENT_FIXED,
                                        .fixed = 1},
                              reference = {.name = "CPU_CLK_UNHALTED.REF_TSC",
                                           .kind = EVENT_FIXED,
                                           .fixed = 2};
    const uint32_t both = 1u << cycles.fixed | 1u << reference.fixed;
    struct assignment assignment = {.fixed = {NULL}};

    if ((pass_fixed_counters(facts) & both) != both)
        return "this core has no fixed counters 1 and 2";
    assignment.fixed[cycles.fixed] = &cycles;
    assignment.fixed[reference.fixed] = &reference;
    pass_make(pass, facts, &assignment);
    return NULL;
}
