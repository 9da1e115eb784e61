#include "precise.h"

#include "boot/text.h"
#include "harness/window/settle.h"
#include "pmu/counters.h"

/* Windows that a guard discards, or that bring no record. */
#define RETRIES 100u

static void fail(struct sampler *s, const char *what)
{
    s->rc = RC_FAULT;
    s->what = what;
}

static void fail_as_measured(struct sampler *s)
{
    const struct measurement *m = s->measurement;

    s->rc = m->rc;
    s->what = m->what;
    memcpy(s->where, m->where, sizeof(s->where));
}

static bool is_prime(uint32_t number)
{
    for (uint32_t divisor = 2; divisor <= number / divisor; divisor++)
        if (number % divisor == 0)
            return false;
    return true;
}

/* The next prime number, `from` being at least 2. */
static uint32_t prime(uint32_t from)
{
    while (!is_prime(from))
        from++;
    return from;
}

/* Within a window all periods are the same. A prime number of instructions has no divisor in common
 * with a loop that is shorter, so the records meet each place of the loop in turn.
 *
 * The first record may come anywhere in the period, but not before the least period that PEBS
 * takes; the others come a period later each. `before` is the counter's value in the setup until
 * now. */
static void set_period(struct sampler *s, uint64_t *before)
{
    struct pebs_plan *plan = &s->pebs;
    const uint64_t all = plan->reset + plan->period; /* 2^width */
    const uint32_t period = prime(sampling_periods_next(&s->periods));
    struct sampling_periods first = {
        .period = PEBS_PERIOD, .jitter = period - 1, .state = s->periods.state};
    const uint64_t value = all - sampling_periods_next(&first);

    s->periods.state = first.state;
    for (unsigned i = 0; i < plan->pass.setup_count; i++)
        if (plan->pass.setup[i].value == *before)
            plan->pass.setup[i].value = value;
    *before = value;
    plan->period = period;
    plan->reset = all - period;
}

static void take_record(struct sampler *s, const uint8_t *record)
{
    struct precise_sample sample;

    if (!precise_window_sample(&s->pebs, record, &sample)) {
        fail(s, "a PEBS record cannot be decoded");
        return;
    }
    if (sample.timed)
        addresses_add_timed(s->addresses, sample.address, sample.latency);
    else
        addresses_add(s->addresses, sample.address);
    if (code_holds(s->addresses->index, sample.address))
        s->kept++;
    else
        s->outside++;
}

static void keep_window(struct sampler *s, unsigned records)
{
    for (unsigned i = 0; i < records; i++)
        take_record(s, s->memory.buffer + i * s->pebs.record_bytes);
    s->windows++;
    s->last_window = s->measurement->registers->windows;
    if (s->first_window == 0)
        s->first_window = s->last_window;
}

/* Gives how many records were taken: none of a window that was disturbed, nor of one whose buffer
 * was full, since some are lost then. */
static unsigned take_records(struct sampler *s, enum guard guard)
{
    unsigned records;
    bool full;

    if (!precise_window_records(s->measurement, &s->pebs, &s->memory, &records, &full)) {
        fail_as_measured(s);
        return 0;
    }
    if (guard == GUARD_CLEAN && !full) {
        keep_window(s, records);
        return records;
    }
    s->thrown_away += records;
    if (guard != GUARD_CLEAN) {
        s->discarded[guard]++;
    } else {
        s->ended_early++;
        s->n = s->n / 2 + 1;
    }
    return 0;
}

/* False: nothing more is to be sampled. */
static bool sample_window(struct sampler *s, uint64_t *before, unsigned *retries)
{
    const unsigned room = precise_window_room(&s->memory, &s->pebs);
    enum guard guard;

    set_period(s, before);
    if (!precise_window_run(s->measurement, &s->pebs, &s->memory, room, room, s->n, &guard)) {
        fail_as_measured(s);
        return false;
    }
    if (take_records(s, guard) == 0 && ++*retries == RETRIES)
        fail(s, "too many windows were disturbed or had no PEBS record");
    return s->what == NULL && s->kept < s->wanted;
}

void precise_run(struct sampler *s)
{
    uint64_t before = s->pebs.reset;
    unsigned retries = 0;
    uint32_t msr = 0;

    if (!precise_window_keep(s->measurement, &s->pebs)) {
        fail_as_measured(s);
        return;
    }
    if (counters_silence(&s->measurement->registers->saved, s->measurement->facts, &msr) != RC_OK) {
        fail(s, "switching off what the firmware records");
        return;
    }
    settle(s->measurement);
    while (sample_window(s, &before, &retries))
        ;
}
