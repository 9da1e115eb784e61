#include "skid_pebs.h"

#include "harness/window/settle.h"

/* Windows that a guard discards, or that bring no record. */
#define RETRIES 100u

static bool fail(struct skid_pebs *s, const char *what)
{
    measurement_fail(s->measurement, RC_FAULT, what);
    return false;
}

static void take_record(struct skid_pebs *s, const uint8_t *record)
{
    struct precise_sample sample;

    if (precise_window_sample(&s->plan, record, &sample))
        skid_distances_address(s->distances, s->index, sample.address, NULL, 0);
    else
        s->undecoded++;
}

static bool take_records(struct skid_pebs *s, unsigned *records)
{
    bool full;

    if (!precise_window_records(s->measurement, &s->plan, &s->memory, records, &full))
        return false;
    if (full) {
        s->full++;
        s->n = s->n / 2 + 1;
        *records = 0;
        return true;
    }
    for (unsigned i = 0; i < *records; i++)
        take_record(s, s->memory.buffer + i * s->plan.record_bytes);
    s->windows++;
    return true;
}

static bool sample(struct skid_pebs *s)
{
    const unsigned room = precise_window_room(&s->memory, &s->plan);
    unsigned retries = 0;
    uint64_t taken = 0;

    settle(s->measurement);
    while (taken < s->wanted) {
        unsigned records = 0;
        enum guard guard;

        if (!precise_window_run(s->measurement, &s->plan, &s->memory, room, room, s->n, &guard))
            return false;
        if (guard == GUARD_CLEAN && !take_records(s, &records))
            return false;
        taken += records;
        if (records == 0 && ++retries == RETRIES)
            return fail(s, "too many windows were disturbed or had no PEBS record");
    }
    return true;
}

void skid_pebs_work(void *skid_pebs)
{
    struct skid_pebs *s = skid_pebs;

    s->done = precise_window_keep(s->measurement, &s->plan) && sample(s);
}
