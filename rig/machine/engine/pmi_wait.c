#include "pmi_wait.h"

#include "pmu/pmu.h"
#include "state.h"

/* What one core does can change what another core counts, so one core that observes is enough. */
void pmi_observes(void *context, bool observes)
{
    struct machine *machine = ((struct core *)context)->machine;

    machine->observing += observes ? 1u : -1u;
    machine->observed = machine->observing > 0 ? OBSERVED_NOW : OBSERVED_LATER;
}

void pmi_wait(struct core *core)
{
    core->pmi_accepted = pmu_unhalted(core->pmu);
    if (!core->pmi_waits)
        pmi_observes(core, true); /* or cycles would be estimated from here on */
    core->pmi_waits = true;
}

bool pmi_is_early(struct core *core)
{
    uint64_t halted;

    if (!core->pmi_waits)
        return false;
    /* Where cycles wait for another thread nobody can say yet when the instruction retires. */
    if (core->activity == ACTIVITY_RUNNING && model_report(core->model)) {
        halted = model_now(core->model) - pmu_unhalted(core->pmu);
        if (model_retired(core->model) < core->pmi_accepted + halted)
            return true;
    }
    core->pmi_waits = false;
    pmi_observes(core, false);
    return false;
}
