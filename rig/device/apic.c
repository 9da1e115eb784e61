#include "apic.h"

#include "platform.h"

static int highest(const uint32_t bits[8])
{
    for (int i = 7; i >= 0; i--)
        if (bits[i])
            return i * 32 + 31 - __builtin_clz(bits[i]);
    return -1;
}

bool apic_is_x2(const struct apic *apic)
{
    return (apic->base & (APIC_BASE_X2 | APIC_BASE_ENABLE)) == (APIC_BASE_X2 | APIC_BASE_ENABLE);
}

void apic_reset(struct apic *apic)
{
    *apic = (struct apic){.machine = apic->machine,
                          .core = apic->core,
                          .irq = apic->irq,
                          .timer_hz = apic->timer_hz,
                          .base = apic->base,
                          .id = apic->id,
                          .external = apic->external,
                          .format = UINT32_MAX,
                          .spurious = 0xff,
                          .event = NEVER};
    for (unsigned i = 0; i < LVT_COUNT; i++)
        apic->lvt[i] = LVT_MASKED;
}

void apic_power_on(struct apic *apic)
{
    apic_reset(apic);
    apic->base = APIC_BASE | APIC_BASE_ENABLE | (core_is_bsp(apic->core) ? APIC_BASE_BSP : 0);
    apic->external = false;
}

uint8_t apic_priority(const struct apic *apic)
{
    int service = highest(apic->service);
    unsigned priority_class = service < 0 ? 0 : (unsigned)service & 0xf0u;

    return (apic->task_priority & 0xf0u) >= priority_class ? apic->task_priority
                                                           : (uint8_t)priority_class;
}

int apic_pending(const struct apic *apic)
{
    int vector = highest(apic->request);

    if (vector < 0 || !(apic->base & APIC_BASE_ENABLE) ||
        (vector & 0xf0) <= (apic_priority(apic) & 0xf0))
        return -1;
    return vector;
}

bool apic_would_deliver(const struct apic *apic, unsigned vector)
{
    return vector >= 16 && apic->base & APIC_BASE_ENABLE && apic->spurious & SPURIOUS_ENABLE &&
           (vector & 0xf0) > (apic_priority(apic) & 0xf0u);
}

int apic_in_service(const struct apic *apic)
{
    return highest(apic->service);
}

void apic_accept(struct apic *apic, unsigned vector)
{
    apic->request[vector / 32] &= ~(1u << vector % 32);
    apic->service[vector / 32] |= 1u << vector % 32;
}

void apic_request(struct apic *apic, unsigned vector, bool level)
{
    if (vector < 16) {
        apic->error_latch |= ERROR_RECEIVE_VECTOR;
        return;
    }
    if (!(apic->spurious & SPURIOUS_ENABLE))
        return;
    apic->request[vector / 32] |= 1u << vector % 32;
    if (level)
        apic->trigger[vector / 32] |= 1u << vector % 32;
    else
        apic->trigger[vector / 32] &= ~(1u << vector % 32);
    core_look_for_interrupts(apic->core);
}

/* ---- local vectors ---- */

static void deliver_local(struct apic *apic, uint32_t entry)
{
    if (entry & LVT_MASKED)
        return;
    switch ((enum delivery)(entry >> 8 & 7)) {
    case DELIVER_FIXED:
        apic_request(apic, entry & 0xff, false);
        break;
    case DELIVER_NMI:
        core_nmi(apic->core);
        break;
    default:
        machine_end(
            apic->machine, 1,
            "processor %u: local APIC entry 0x%x has a delivery mode the rig does not support",
            core_number(apic->core), entry);
    }
}

void apic_performance(struct apic *apic, bool masks)
{
    uint32_t entry = apic->lvt[LVT_PERFORMANCE];

    if (masks)
        apic->lvt[LVT_PERFORMANCE] |= LVT_MASKED;
    deliver_local(apic, entry);
}

bool apic_passes_intr(const struct apic *apic)
{
    uint32_t entry = apic->lvt[LVT_LINT0];

    if (!(apic->base & APIC_BASE_ENABLE)) /* the pin is the processor's INTR then */
        return apic->base & APIC_BASE_BSP;
    return !(entry & LVT_MASKED) && (enum delivery)(entry >> 8 & 7) == DELIVER_EXTERNAL;
}

void apic_lint0(struct apic *apic, uint64_t now)
{
    if (apic_passes_intr(apic))
        core_look_for_interrupts(apic->core);
    else if (apic->base & APIC_BASE_ENABLE)
        deliver_local(apic, apic->lvt[LVT_LINT0]);
    core_wake(apic->core, now);
}

/* ---- the timer: it counts ticks of the machine, never time of the host ---- */

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

static uint64_t period(const struct apic *apic)
{
    return machine_ticks_of(apic->machine, (uint64_t)apic->timer_initial * divider(apic),
                            apic->timer_hz);
}

static void arm(struct apic *apic)
{
    apic->event = NEVER;
    if (mode_of(apic) == TIMER_DEADLINE) {
        uint64_t tsc = core_tsc(apic->core);

        if (apic->deadline)
            apic->event = apic->deadline <= tsc
                              ? core_now(apic->core)
                              : machine_cycles(apic->machine,
                                               core_ticks(apic->core) + (apic->deadline - tsc));
    } else if (apic->timer_initial && !apic->timer_over) {
        apic->event = machine_cycles(apic->machine, apic->timer_begun + period(apic));
        if (apic->event <= core_now(apic->core) && mode_of(apic) == TIMER_ONE_SHOT)
            apic->timer_over = true;
        if (apic->timer_over)
            apic->event = NEVER;
    }
    core_end_slice(apic->core); /* a slice is never longer than to the next event */
}

void apic_clock_changed(struct apic *apic)
{
    const uint64_t now = core_now(apic->core);
    uint64_t end = apic->timer_begun + period(apic);

    if (apic->event == NEVER)
        return;
    if (mode_of(apic) == TIMER_DEADLINE)
        end = core_ticks(apic->core) + (apic->deadline - core_tsc(apic->core));
    apic->event = machine_cycles(apic->machine, end);
    if (apic->event < now)
        apic->event = now;
}

void apic_timer_start(struct apic *apic, uint32_t initial)
{
    if (mode_of(apic) == TIMER_DEADLINE)
        return;
    apic->timer_initial = initial;
    apic->timer_over = false;
    apic->timer_begun = core_ticks(apic->core);
    arm(apic);
}

void apic_timer_deadline(struct apic *apic, uint64_t tsc)
{
    if (mode_of(apic) != TIMER_DEADLINE)
        return;
    apic->deadline = tsc;
    arm(apic);
}

void apic_timer_changed(struct apic *apic)
{
    if (mode_of(apic) == TIMER_DEADLINE)
        apic->timer_initial = 0;
    else
        apic->deadline = 0;
    arm(apic);
}

uint32_t apic_timer_current(const struct apic *apic)
{
    uint64_t gone;

    if (mode_of(apic) == TIMER_DEADLINE || !apic->timer_initial || apic->timer_over)
        return 0;
    gone = machine_count_of(apic->machine, core_ticks(apic->core) - apic->timer_begun,
                            apic->timer_hz) /
           divider(apic);
    if (mode_of(apic) == TIMER_PERIODIC)
        gone %= apic->timer_initial;
    return gone >= apic->timer_initial ? 0 : (uint32_t)(apic->timer_initial - gone);
}

void apic_timer_divide(struct apic *apic, uint32_t code)
{
    const uint32_t counted = apic->timer_initial - apic_timer_current(apic);

    apic->divide = code;
    apic->timer_begun =
        core_ticks(apic->core) -
        machine_ticks_of(apic->machine, (uint64_t)counted * divider(apic), apic->timer_hz);
    arm(apic);
}

void apic_tick(struct apic *apic)
{
    if (core_now(apic->core) < apic->event)
        return;
    apic->event = NEVER;
    if (mode_of(apic) == TIMER_DEADLINE) {
        apic->deadline = 0;
    } else if (mode_of(apic) == TIMER_ONE_SHOT) {
        apic->timer_over = true;
    } else {
        apic->timer_begun += period(apic);
        apic->event = machine_cycles(apic->machine, apic->timer_begun + period(apic));
    }
    deliver_local(apic, apic->lvt[LVT_TIMER]);
}
