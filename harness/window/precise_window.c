#include "precise_window.h"

#include "boot/msr.h"
#include "measured_window.h"

unsigned precise_window_room(const struct precise_memory *memory, const struct pebs_plan *plan)
{
    const uint32_t limit = plan->buffer_bytes;
    const size_t bytes = limit != 0 && limit < memory->bytes ? limit : memory->bytes;

    return (unsigned)(bytes / plan->record_bytes);
}

bool precise_window_end(struct measurement *m, const struct pebs_plan *plan)
{
    for (unsigned i = 0; i < plan->after_count; i++) {
        if (msr_write(plan->after[i].msr, plan->after[i].value))
            continue;
        measurement_fail_register(m, RC_FAULT, "writing a register", plan->after[i].msr);
        return false;
    }
    return true;
}

bool precise_window_keep(struct measurement *m, const struct pebs_plan *plan)
{
    uint32_t registers[PLAN_WRITES];

    return measurement_keep(m, registers, pebs_registers(plan, registers, PLAN_WRITES));
}

bool precise_window_run(struct measurement *m, const struct pebs_plan *plan,
                        const struct precise_memory *memory, unsigned room, unsigned threshold,
                        uint64_t n, enum guard *guard)
{
    struct core_guards *guards = &m->registers->guards;
    struct guard_bracket bracket;
    bool ran;

    ds_area_begin(memory->area, plan, memory->buffer, room, threshold);
    guards_open(guards, &bracket);
    ran = measured_window_run(m, &plan->pass, n);
    m->registers->windows++;
    *guard = guards_close(guards, &bracket, 0);
    return precise_window_end(m, plan) && ran;
}

bool precise_window_records(struct measurement *m, const struct pebs_plan *plan,
                            const struct precise_memory *memory, unsigned *records, bool *full)
{
    if (ds_area_end(memory->area, plan, records, full))
        return true;
    measurement_fail(m, RC_FAULT, "the index of the PEBS buffer is not between records");
    return false;
}

bool precise_window_sample(const struct pebs_plan *plan, const uint8_t *record,
                           struct precise_sample *sample)
{
    struct pebs_record decoded;

    if (pebs_decode(&plan->layout, record, plan->record_bytes, &decoded) != RC_OK ||
        decoded.size != plan->record_bytes)
        return false;
    *sample = (struct precise_sample){
        .address =
            decoded.field[pebs_has(&decoded, PEBS_EVENTING_IP) ? PEBS_EVENTING_IP : PEBS_RIP],
        .timed = pebs_has(&decoded, PEBS_RETIRE_LATENCY),
        .latency = decoded.field[PEBS_RETIRE_LATENCY],
    };
    return true;
}
