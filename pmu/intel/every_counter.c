#include "every_counter.h"

#include "pmu/kind.h"

/* SDM 3B, "Pre-defined Architectural Performance Events": any general counter counts them, where
 * CPUID 0AH:EBX announces them; and "Fixed-function Performance Counters". */
static const struct way {
    const char *name;
    struct event general, fixed;
    const char *no_fixed, *no_general;
} ways[EVERY_COUNTERS] = {
    [EVERY_COUNTER_INSTRUCTIONS] = {"instructions",
                                    {.name = "INST_RETIRED.ANY_P",
                                     .code = 0xc0,
                                     .architectural = 1},
                                    {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED, .fixed = 0},
                                    "this core has no fixed counter 0 to compare with",
                                    "this core does not announce INST_RETIRED.ANY_P"},
    [EVERY_COUNTER_CYCLES] = {"cycles",
                              {.name = "CPU_CLK_UNHALTED.THREAD_P",
                               .code = 0x3c,
                               .architectural = 0},
                              {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED, .fixed = 1},
                              "this core has no fixed counter 1 to compare with",
                              "this core does not announce CPU_CLK_UNHALTED.THREAD_P"},
    [EVERY_COUNTER_SLOTS] =
        {"slots",
         {.name = "TOPDOWN.SLOTS_P", .code = 0xa4, .umask = 0x01, .architectural = 7},
         {.name = "TOPDOWN.SLOTS", .kind = EVENT_FIXED, .fixed = 3},
         "this core has no fixed counter 3 to compare with",
         "this core does not announce TOPDOWN.SLOTS_P"},
};

const char *every_counter_name(enum every_counter what)
{
    return ways[what].name;
}

const char *every_counter_pass(struct pass *pass, const struct facts *facts,
                               enum every_counter what)
{
    const uint32_t general = pass_general_counters(facts);
    const struct way *way = &ways[what];
    struct assignment assignment = {.fixed = {NULL}};

    if (facts->absent != NULL)
        return facts->absent;
    if (kind_of(facts)->no_common_event != NULL)
        return kind_of(facts)->no_common_event;
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

uint64_t every_counter_start(const struct facts *facts, enum reading_kind kind)
{
    return kind == READING_GENERAL && !facts->full_width_write ? UINT64_C(0x7fffff00)
                                                               : UINT64_C(0xffffff00);
}

void every_counter_preset(struct pass *pass, const struct facts *facts)
{
    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];
        const uint32_t msr = reading->kind == READING_GENERAL
                                 ? pass_counter_register(facts, reading->counter)
                                 : (uint32_t)IA32_FIXED_CTR0 + reading->counter;

        for (unsigned j = 0; j < pass->setup_count; j++)
            if (pass->setup[j].msr == msr)
                pass->setup[j].value = every_counter_start(facts, reading->kind);
    }
}

const char *every_counter_reference_pass(struct pass *pass, const struct facts *facts)
{
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD",
                                        .kind = EVENT_FIXED,
                                        .fixed = 1},
                              reference = {.name = "CPU_CLK_UNHALTED.REF_TSC",
                                           .kind = EVENT_FIXED,
                                           .fixed = 2};
    const uint32_t both = 1u << cycles.fixed | 1u << reference.fixed;
    struct assignment assignment = {.fixed = {NULL}};

    if (facts->absent != NULL)
        return facts->absent;
    if ((pass_fixed_counters(facts) & both) != both)
        return "this core has no fixed counters 1 and 2";
    assignment.fixed[cycles.fixed] = &cycles;
    assignment.fixed[reference.fixed] = &reference;
    pass_make(pass, facts, &assignment);
    return NULL;
}

uint64_t every_counter_reference(uint64_t cycles, uint64_t mperf, uint64_t aperf)
{
    return (uint64_t)((double)cycles * (double)mperf / (double)aperf);
}

uint64_t every_counter_reference_tolerance(uint64_t expected)
{
    return expected / 20 + 160;
}

uint64_t every_counter_tolerance(enum every_counter what, uint64_t agreed)
{
    return what == EVERY_COUNTER_INSTRUCTIONS ? 0 : agreed / 100;
}

uint64_t every_counter_agreed(enum every_counter what, const uint64_t *counts, unsigned count)
{
    unsigned best = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const uint64_t tolerance = every_counter_tolerance(what, counts[i]);
        unsigned alike = 0;

        for (unsigned j = 0; j < count; j++)
            alike += counts[j] + tolerance >= counts[i] && counts[j] <= counts[i] + tolerance;
        if (alike > most) {
            best = i;
            most = alike;
        }
    }
    return counts[best];
}
