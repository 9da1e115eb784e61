#include "skid_pebs.h"

#include "boot/msr.h"
#include "harness/measure/measured_window.h"

/* Windows that a guard discards, or that bring no record. */
#define RETRIES 100u

unsigned skid_pebs_room(const struct pebs_plan *plan)
{
    const uint32_t limit = plan->buffer_bytes;
    const size_t bytes = limit != 0 && limit < SKID_PEBS_BYTES ? limit : SKID_PEBS_BYTES;

    return (unsigned)(bytes / plan->record_bytes);
}

static bool fail(struct skid_pebs *s, const char *what)
{
    measurement_fail(s->measurement, RC_FAULT, what);
    return false;
}

static bool write_after(struct skid_pebs *s)
{
    for (unsigned i = 0; i < s->plan.after_count; i++) {
        if (msr_write(s->plan.after[i].msr, s->plan.after[i].value))
            continue;
        measurement_fail_register(s->measurement, RC_FAULT, "writing a register",
                                  s->plan.after[i].msr);
        return false;
    }
    return true;
}

static bool run_window(struct skid_pebs *s, enum guard *guard)
{
    struct core_guards *guards = &s->measurement->registers->guards;
    const unsigned room = skid_pebs_room(&s->plan);
    struct guard_sample before, after;
    bool ran;

    ds_area_begin(s->area, &s->plan, s->buffer, room, room);
    guards_before(guards, &before);
    ran = measured_window_run(s->measurement, &s->plan.pass, s->n);
    s->measurement->registers->windows++;
    guards_after(guards, &after);
    *guard = guards_judge(guards, &before, &after);
    return write_after(s) && ran;
}

/* By the address of the instruction; where the format has none, by that of the next one. */
static void take_record(struct skid_pebs *s, const uint8_t *bytes)
{
    struct pebs_record record;

    if (pebs_decode(&s->plan.layout, bytes, s->plan.record_bytes, &record) != RC_OK ||
        record.size != s->plan.record_bytes)
        s->undecoded++;
    else
        skid_distances_address(
            s->distances, s->index,
            record.field[pebs_has(&record, PEBS_EVENTING_IP) ? PEBS_EVENTING_IP : PEBS_RIP]);
}

static bool take_records(struct skid_pebs *s, unsigned *records)
{
    bool full;

    if (!ds_area_end(s->area, &s->plan, records, &full))
        return fail(s, "the index of the PEBS buffer is not between records");
    if (full) {
        s->full++;
        s->n = s->n / 2 + 1;
        *records = 0;
        return true;
    }
    for (unsigned i = 0; i < *records; i++)
        take_record(s, s->buffer + i * s->plan.record_bytes);
    s->windows++;
    return true;
}

static bool keep(struct skid_pebs *s)
{
    uint32_t registers[PLAN_WRITES];

    return measurement_keep(s->measurement, registers,
                            pebs_registers(&s->plan, registers, PLAN_WRITES));
}

static bool sample(struct skid_pebs *s)
{
    unsigned retries = 0;
    uint64_t taken = 0;

    guards_begin(&s->measurement->registers->guards);
    while (taken < s->wanted) {
        unsigned records = 0;
        enum guard guard;

        if (!run_window(s, &guard))
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

    s->done = keep(s) && sample(s);
}
