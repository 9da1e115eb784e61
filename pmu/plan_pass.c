#include "plan_pass.h"

#include "boot/text.h"
#include "kind.h"

uint32_t pass_general_counters(const struct facts *facts)
{
    uint32_t count =
        facts->general_count < GENERAL_COUNTERS ? facts->general_count : GENERAL_COUNTERS;

    return ((1u << count) - 1) & ~facts->general_reserved;
}

uint32_t pass_fixed_counters(const struct facts *facts)
{
    return facts->version >= 2 ? facts->fixed_mask & ((1u << FIXED_COUNTERS) - 1) : 0;
}

bool pass_has_metrics(const struct facts *facts)
{
    return facts->perf_metrics && pass_fixed_counters(facts) >> 3 & 1;
}

static void add_reading(struct pass *pass, const struct event *event, enum reading_kind kind,
                        unsigned counter)
{
    pass->readings[pass->reading_count++] = (struct reading){
        .event = event, .kind = kind, .counter = (uint8_t)counter, .field = event->field};
}

bool pass_selects(const struct pass *pass, unsigned counter, uint32_t msr)
{
    return pass->select != 0 && msr == pass->select + counter * pass->select_step;
}

unsigned pass_starts(const struct msr_value *setup, unsigned count)
{
    unsigned starts = 0;

    for (unsigned i = 0; i < count; i++)
        starts += register_starts_all(setup[i].msr) && setup[i].value != 0;
    return starts;
}

bool pass_disturbs(const struct facts *facts, uint16_t code)
{
    for (unsigned i = 0; facts->both_count && i < facts->quirks.leak_count; i++)
        if (code == facts->quirks.leaks[i])
            return true;
    return false;
}

const char *pass_refuses(const struct facts *facts, const struct event *event)
{
    if (event->why != NULL) /* outside, or refused */
        return event->why;
    if (pass_disturbs(facts, event->code))
        return "it would count in the other thread's counters, which count too";
    if (event->any && !facts->any_thread)
        return "this core cannot count for all threads (AnyThread)";
    return NULL;
}

void pass_make(struct pass *pass, const struct facts *facts, const struct assignment *assignment)
{
    memset(pass, 0, sizeof(*pass));
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (assignment->fixed[i] != NULL)
            add_reading(pass, assignment->fixed[i], READING_FIXED, i);
    if (assignment->slots != NULL)
        add_reading(pass, assignment->slots, READING_SLOTS, 3);
    for (unsigned i = 0; i < COUNT_OF(assignment->metrics); i++)
        if (assignment->metrics[i] != NULL)
            add_reading(pass, assignment->metrics[i], READING_METRIC, 0);
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            add_reading(pass, assignment->general[i], READING_GENERAL, i);
    kind_of(facts)->write_pass(pass, facts, assignment);
}
