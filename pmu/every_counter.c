#include "every_counter.h"

#include "kind.h"

const char *every_counter_name(enum every_counter what)
{
    static const char *const names[EVERY_COUNTERS] = {
        [EVERY_COUNTER_INSTRUCTIONS] = "instructions",
        [EVERY_COUNTER_CYCLES] = "cycles",
        [EVERY_COUNTER_SLOTS] = "slots",
    };

    return names[what];
}

const char *every_counter_pass(struct pass *pass, const struct facts *facts,
                               enum every_counter what)
{
    if (facts->absent != NULL)
        return facts->absent;
    if (kind_of(facts)->every_counter == NULL)
        return kind_of(facts)->no_common_event;
    return kind_of(facts)->every_counter(pass, facts, what);
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
        const uint32_t msr = kind_of(facts)->counter_register(facts, reading);

        for (unsigned j = 0; j < pass->setup_count; j++)
            if (pass->setup[j].msr == msr)
                pass->setup[j].value = every_counter_start(facts, reading->kind);
    }
}

const char *every_counter_reference_pass(struct pass *pass, const struct facts *facts)
{
    if (facts->absent != NULL)
        return facts->absent;
    if (kind_of(facts)->reference_pass == NULL)
        return kind_of(facts)->no_common_event;
    return kind_of(facts)->reference_pass(pass, facts);
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
