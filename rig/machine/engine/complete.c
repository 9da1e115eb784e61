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

/* An instruction of a run that is traced or profiled, or while a PMI may come. Apart from
 * complete_record, so that other instructions save no registers for it. */
__attribute__((noinline)) static void complete_followed(struct core *core,
                                                        const struct executed *record)
{
    bool waited;

    if (core->machine->trace != NULL)
        trace_execute(core->machine->trace, core, record);
    else
        model_execute(core->model, record);
    if (core->machine->profile != NULL)
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
    if (machine->trace != NULL || machine->profile != NULL || core->watched || core->foresees ||
        core->pmi_waits)
        complete_followed(core, record);
    else
        model_execute(core->model, record);
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
