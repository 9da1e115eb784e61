#include "timeline_record.h"

#include "boot/format.h"
#include "boot/log.h"
#include "harness/records/record_members.h"

/* What the lists of a part may take of a record's 4096 bytes. */
#define LISTS_ROOM 3200u
/* In how many cycles repeats may disagree before nothing is claimed: percent, rounded up. */
#define MOST_APART 1u

static uint64_t cycles_of(const struct timeline *t)
{
    return t->cycles < t->limit ? t->cycles : t->limit;
}

static struct json_line *begin(const struct measured_core *core, const struct measurement *m,
                               const struct timeline *t, const struct timeline_event *event)
{
    struct json_line *record =
        record_begin("timeline", core, m->kernel->name, "count in each cycle");

    if (m->kernel->doses > 0)
        json_line_unsigned(record, "dose", m->dose);
    json_line_unsigned(record, "iterations", t->n);
    json_line_text(record, "event", event->name);
    json_line_text(record, "missing", event->missing);
    return record;
}

static unsigned digits(uint64_t value)
{
    unsigned count = 1;

    for (; value > 9; value /= 10)
        count++;
    return count;
}

/* The bytes that the cycle takes in the lists: at most, or null, a sign and commas included. */
static unsigned bytes_of(const struct timeline_cycle *at, uint64_t cycle)
{
    if (!at->known)
        return sizeof("null,") - 1;
    return digits((uint64_t)(at->count < 0 ? -at->count : at->count)) + 2 +
           (at->apart > 0 ? digits(cycle) + digits(at->apart) + 2 : 0) +
           (at->few > 0 ? digits(cycle) + digits(at->few) + 2 : 0);
}

/* The cycle before which the part that begins with cycle `from` must end. */
static uint64_t end_of_part(const struct timeline *t, unsigned event, uint64_t from)
{
    unsigned bytes = 0;

    for (uint64_t cycle = from; cycle < cycles_of(t); cycle++) {
        const struct timeline_cycle at = timeline_cycle(t, event, cycle);

        bytes += bytes_of(&at, cycle);
        if (bytes > LISTS_ROOM)
            return cycle;
    }
    return cycles_of(t);
}

static void put_circumstances(struct json_line *record, const struct timeline *t)
{
    json_line_text(record, "freeze", freeze_name(t->freeze));
    json_line_object(record, "freeze_delay");
    json_line_unsigned(record, "min", t->delay_min);
    json_line_unsigned(record, "max", t->delay_max);
    json_line_unsigned(record, "windows", t->delays);
    json_line_end(record);
    json_line_unsigned(record, "cycles", t->cycles);
    json_line_bool(record, "whole", t->cycles <= t->limit);
    json_line_unsigned(record, "repeats", t->repeats);
    if (t->dropped > 0)
        json_line_unsigned(record, "dropped", t->dropped);
    json_line_unsigned(record, "undisturbed_window", t->undisturbed);
    json_line_unsigned(record, "first_window", t->first_window);
    json_line_unsigned(record, "last_window", t->last_window);
}

static void put_counts(struct json_line *record, const struct timeline *t, unsigned event,
                       uint64_t from, uint64_t to)
{
    json_line_array(record, "counts");
    for (uint64_t cycle = from; cycle < to; cycle++) {
        const struct timeline_cycle at = timeline_cycle(t, event, cycle);

        record_real(record, NULL, at.known, (double)at.count, 0);
    }
    json_line_end(record);
}

/* Of a cycle: by how much its repeats disagree, or on how few windows it rests; 0: neither. */
static uint64_t apart_of(const struct timeline_cycle *at)
{
    return at->known ? at->apart : 0;
}

static uint64_t few_of(const struct timeline_cycle *at)
{
    return at->known ? at->few : 0;
}

/* Some cycles of a part, those of which `of` is not 0. */
struct listed {
    unsigned event;
    uint64_t from, to;
    uint64_t (*of)(const struct timeline_cycle *at);
};

static uint64_t of_cycle(const struct timeline *t, const struct listed *listed, uint64_t cycle)
{
    const struct timeline_cycle at = timeline_cycle(t, listed->event, cycle);

    return listed->of(&at);
}

static bool lists_any(const struct timeline *t, const struct listed *listed)
{
    uint64_t cycle = listed->from;

    while (cycle < listed->to && of_cycle(t, listed, cycle) == 0)
        cycle++;
    return cycle < listed->to;
}

/* Which cycles, or what `of` says of them. */
static void put_listed(struct json_line *record, const char *key, bool which,
                       const struct timeline *t, const struct listed *listed)
{
    json_line_array(record, key);
    for (uint64_t cycle = listed->from; cycle < listed->to; cycle++) {
        const uint64_t of = of_cycle(t, listed, cycle);

        if (of > 0)
            json_line_unsigned(record, NULL, which ? cycle : of);
    }
    json_line_end(record);
}

static void record_part(const struct measured_core *core, const struct measurement *m,
                        const struct timeline *t, unsigned event, unsigned part, uint64_t from,
                        uint64_t to)
{
    struct json_line *record = begin(core, m, t, &t->events[event]);
    const struct listed apart = {event, from, to, apart_of}, few = {event, from, to, few_of};
    uint32_t before = 0;
    const bool known = timeline_total(t, event, from, &before);

    put_circumstances(record, t);
    json_line_unsigned(record, "part", part);
    json_line_unsigned(record, "from", from);
    record_real(record, "before", known, before, 0);
    put_counts(record, t, event, from, to);
    put_listed(record, "apart_in", true, t, &apart);
    put_listed(record, "apart_by", false, t, &apart);
    if (lists_any(t, &few)) {
        put_listed(record, "few_in", true, t, &few);
        put_listed(record, "few_of", false, t, &few);
    }
    log_send(record);
}

/* The first cycle that is known: a legacy freeze cannot end a window in its first cycles. */
static uint64_t first_known(const struct timeline *t, unsigned event)
{
    uint64_t cycle = 0;

    while (cycle < cycles_of(t) && !timeline_cycle(t, event, cycle).known)
        cycle++;
    return cycle;
}

void timeline_record(const struct measured_core *core, const struct measurement *m,
                     const struct timeline *t)
{
    for (unsigned event = 0; event < TIMELINE_EVENTS; event++) {
        unsigned part = 1;

        if (t->events[event].event == NULL) {
            log_send(begin(core, m, t, &t->events[event]));
            continue;
        }
        for (uint64_t from = first_known(t, event); from < cycles_of(t); part++) {
            const uint64_t to = end_of_part(t, event, from);

            record_part(core, m, t, event, part, from, to);
            from = to;
        }
    }
}

bool timeline_verdict(const struct measured_core *core, const struct measurement *m,
                      const struct timeline *t, char *text, size_t size, char *why, size_t why_size)
{
    struct timeline_summary summary;
    char of[48] = "", dropped[64] = "";

    timeline_summarise(t, &summary);
    if (t->dropped > 0)
        format(dropped, sizeof(dropped), "; windows with counts that no kernel has: %llu",
               (unsigned long long)t->dropped);
    if (t->cycles > t->limit)
        format(of, sizeof(of), " of %llu", (unsigned long long)t->cycles);
    format(text, size,
           "core %u %s timeline, %llu cycles%s, %u events: repeats agree, no count falls%s",
           core->core, m->kernel->name, (unsigned long long)summary.known, of, summary.counted,
           dropped);
    why[0] = '\0';
    if (t->dropped > 0)
        return false;
    if (summary.known == 0)
        format(why, why_size, "no cycle is known");
    else if (t->repeats == 1)
        format(why, why_size, "with repeats = 1 nothing tells whether the windows are alike");
    else if ((summary.known - summary.agreed) * 100 > summary.known * MOST_APART + 99)
        format(why, why_size,
               "repeats disagree in %llu of %llu cycles, or most did not end there: the windows of "
               "this kernel are not alike",
               (unsigned long long)(summary.known - summary.agreed),
               (unsigned long long)summary.known);
    return summary.fallen == 0;
}
