#include "pmi.h"

#include "device/apic.h"
#include "pmu/pmu.h"
#include "machine/engine/inject/inject.h"
#include "follow/profile.h"
#include "pmi_wait.h"
#include "state.h"
#include "trap.h"

void pmi_foresee(void *context, bool on)
{
    struct core *core = context;

    core->foresees = on;
    core->foresight = (struct foresight){0, 0};
}

void pmi_raise(void *context)
{
    struct core *core = context;

    if (inject_pmi(core))
        return;
    profile_raised(core->machine->profile, core);
    pmi_wait(core);
    apic_performance(&core->apic, pmu_masks_lvt(core->pmu));
}

/* Whether a PMI would be taken behind the instruction that has just completed. */
static bool is_taken(const struct core *core)
{
    const uint32_t entry = core->apic.lvt[LVT_PERFORMANCE];

    if (entry & LVT_MASKED)
        return false;
    switch ((enum delivery)(entry >> 8 & 7)) {
    case DELIVER_NMI:
        return !core->nmi_blocked || core->attention & ATTENTION_IRET;
    case DELIVER_FIXED:
        return !core->shadow && apic_would_deliver(&core->apic, entry & 0xff) &&
               trap_takes_interrupts(core);
    default:
        return false;
    }
}

void pmi_look(struct core *core)
{
    struct pmu_foresight sight;
    struct foresight *next = &core->foresight;

    if (!model_report(core->model) || !is_taken(core) || !model_can_interrupt(core->model))
        return;
    pmu_foresee_begin(&sight, core->pmu, model_now(core->model));
    if (sight.count > 0)
        model_ahead(core->model, (struct model_outlook){&sight, pmu_foresee_span});
    if (sight.accepted <= model_retired(core->model)) {
        model_drain(core->model); /* which raises the PMI */
        return;
    }
    pmu_foresee_end(&sight, &next->cycle, &next->instructions);
}
