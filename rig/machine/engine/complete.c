#include "complete.h"

#include <string.h>

#include "instruction.h"
#include "pmi.h"
#include "pmi_wait.h"
#include "pmi_way.h"
#include "follow/profile.h"
#include "sampling.h"
#include "state.h"
#include "follow/trace.h"

/* What follows an instruction of a run that is profiled, or while a PMI may come. Whether one may
 * is asked when the model has the instruction: its cycles may be those in which a counter
 * overflows. */
__attribute__((noinline)) static void follow(struct core *core, const struct executed *record)
{
    bool waited;

    profile_execute(core->machine->profile, core, record);
    if (core->watched)
        sampling_boundary(core, record);
    if (core->foresees && pmi_is_near(model_retired(core->model), core->foresight.cycle,
                                      &core->foresight.instructions))
        pmi_look(core);
    waited = core->pmi_waits;
    (void)pmi_is_early(core);
    if (core->machine->interrupt != INTERRUPT_OLDEST)
        pmi_way_executed(core, record, waited && !core->pmi_waits);
}

void complete_record(struct core *core, const struct executed *record)
{
    const struct machine *machine = core->machine;

    core->accounted++;
    if (machine->trace == NULL)
        model_execute(core->model, record);
    else
        trace_execute(machine->trace, core, record);
    if (machine->profile != NULL || machine->interrupt != INTERRUPT_OLDEST || core->watched ||
        core->foresees || core->pmi_waits)
        follow(core, record);
}

void complete_pending(struct core *core, uint64_t next, enum executed_end end)
{
    struct pending *pending = &core->pending;
    unsigned flags = pending->instruction->flags;

    pending->live = false;
    if (flags & (FLAG_CONTROL | FLAG_FAR | FLAG_IRET)) {
        if (flags & FLAG_CONTROL)
            core->attention |= ATTENTION_CONTROL | ATTENTION_MODE;
        if (flags & FLAG_FAR)
            core->attention |= ATTENTION_MODE;
        if (flags & FLAG_IRET && end != END_FAULT)
            core->attention |= ATTENTION_IRET | ATTENTION_INTERRUPT;
    }
    if (!core->long_mode)
        return;
    pending->record.next = next;
    pending->record.resume = core->rip;
    pending->record.end = end;
    pending->record.repeat = flags & FLAG_REPEAT && next == pending->record.rip;
    complete_record(core, &pending->record);
}

void complete_played(struct core *core, const struct instruction *instruction, uint64_t next,
                     enum executed_end end, const struct access *accesses, unsigned count)
{
    struct executed record = {.rip = instruction->address,
                              .next = next,
                              .bytes = instruction->bytes,
                              .length = instruction->length,
                              .accesses = (uint8_t)count,
                              .end = end};

    if (!core->long_mode)
        return;
    if (count)
        memcpy(record.access, accesses, count * sizeof(*accesses));
    complete_record(core, &record);
}
