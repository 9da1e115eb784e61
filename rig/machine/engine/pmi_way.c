#include "pmi_way.h"

#include "engine.h"
#include "pmu/pmu.h"
#include "pmu/retired.h"
#include "state.h"

/* Whether the re-order buffer was empty when the PMI came. */
static bool was_empty(const struct core *core, const struct model_passage *passage)
{
    const uint64_t halted = model_now(core->model) - pmu_unhalted(core->pmu);

    return passage->entered > core->pmi_accepted + halted;
}

void pmi_way_executed(struct core *core, const struct executed *executed, bool met)
{
    struct thrown *thrown = &core->thrown;
    struct model_passage passage;

    if (met && executed->end == END_NEXT && !thrown->live && !model_is_shared(core->model)) {
        passage = model_passage(core->model);
        if (core->machine->interrupt == INTERRUPT_FLUSH || was_empty(core, &passage)) {
            thrown->due = core->accounted;
            thrown->rip = passage.fused ? thrown->last : executed->rip;
        }
    }
    thrown->last = executed->rip;
}

uint64_t pmi_way_saved(struct core *core)
{
    struct thrown *thrown = &core->thrown;

    if (thrown->due == 0 || thrown->due != core->accounted || core->pending.live)
        return core->rip;
    thrown->due = 0;
    if (thrown->rip == core->rip) /* a repetition, which comes again */
        return core->rip;
    thrown->next = core->rip;
    thrown->rsp = core_register(core, UC_X86_REG_RSP);
    thrown->live = true;
    model_drain(core->model); /* so that its branch is reported */
    pmu_take_back(core->pmu, model_retired(core->model));
    return thrown->rip;
}

bool pmi_way_returned(struct core *core, uint64_t address)
{
    struct thrown *thrown = &core->thrown;

    if (!thrown->live || core_register(core, UC_X86_REG_RSP) != thrown->rsp)
        return false;
    thrown->live = false;
    if (address != thrown->rip)
        return false;
    model_drain(core->model); /* IRET comes first */
    pmu_again(core->pmu);
    return true;
}
