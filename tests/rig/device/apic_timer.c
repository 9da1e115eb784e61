/* Time of the APIC timer comes from the machine's ticks, so it is the same for every core and never
 * from the host. */
#include "apic_timer.h"

#include "machine/machine.h"

enum timer_mode { TIMER_ONE_SHOT, TIMER_PERIODIC, TIMER_DEADLINE };

static enum timer_mode mode_of(const struct apic *apic)
{
    return (enum timer_mode)(apic->lvt[LVT_TIMER] >> 17 & 3);
}

static unsigned divider(const struct apic *apic)
{
    unsigned code = (apic->divide & 3) | (apic->divide >> 1 & 4);

    return code == 7 ? 1 : 2u << code;
}

static uint64_t period(const struct core *core)
{
    return machine_ticks_of(core->machine,
                            (uint64_t)core->apic.timer_initial * divider(&core->apic),
                            core->machine->apic_hz);
}

static void arm(struct core *core)
{
    struct apic *apic = &core->apic;

    apic->event = NEVER;
    if (mode_of(apic) == TIMER_DEADLINE) {
        uint64_t tsc = pmu_tsc(core->pmu);

        if (apic->deadline)
            apic->event =
                apic->deadline <= tsc
                    ? core_now(core)
                    : machine_cycles(core->machine, core_ticks(core) + (apic->deadline - tsc));
    } else if (apic->timer_initial) {
        apic->event = machine_cycles(core->machine, apic->timer_begun + period(core));
        if (apic->event <= core_now(core) && mode_of(apic) == TIMER_ONE_SHOT)
            apic->event = NEVER; /* it has fired already */
    }
    core_attend(core, ATTENTION_YIELD); /* the slice must end at the new event */
}

void apic_timer_start(struct core *core, uint32_t initial)
{
    if (mode_of(&core->apic) == TIMER_DEADLINE)
        return;
    core->apic.timer_initial = initial;
    core->apic.timer_begun = core_ticks(core);
    arm(core);
}

void apic_timer_deadline(struct core *core, uint64_t tsc)
{
    if (mode_of(&core->apic) != TIMER_DEADLINE)
        return;
    core->apic.deadline = tsc;
    arm(core);
}

void apic_timer_changed(struct core *core)
{
    if (mode_of(&core->apic) == TIMER_DEADLINE)
        core->apic.timer_initial = 0;
    else
        core->apic.deadline = 0;
    arm(core);
}

uint32_t apic_timer_current(struct core *core)
{
    struct apic *apic = &core->apic;
    uint64_t gone;

    if (mode_of(apic) == TIMER_DEADLINE || !apic->timer_initial)
        return 0;
    gone = machine_count_of(core->machine, core_ticks(core) - apic->timer_begun,
                            core->machine->apic_hz) /
           divider(apic);
    if (mode_of(apic) == TIMER_PERIODIC)
        gone %= apic->timer_initial;
    return gone >= apic->timer_initial ? 0 : (uint32_t)(apic->timer_initial - gone);
}

bool apic_timer_expired(struct core *core)
{
    struct apic *apic = &core->apic;

    if (core_now(core) < apic->event)
        return false;
    apic->event = NEVER;
    if (mode_of(apic) == TIMER_DEADLINE) {
        apic->deadline = 0;
    } else if (mode_of(apic) == TIMER_PERIODIC) {
        apic->timer_begun += period(core);
        apic->event = machine_cycles(core->machine, apic->timer_begun + period(core));
    }
    return true;
}
