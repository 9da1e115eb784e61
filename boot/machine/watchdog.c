#include "watchdog.h"

#include "apic.h"
#include "apic_timer.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "trap.h"
#include "vector.h"

enum watchdog_state { WATCHDOG_ARMED, WATCHDOG_RELEASED, WATCHDOG_EXPIRED };

#define COUNT_MAX 0xffffffffu

/* Halts until an interrupt: the timer's, a little after the deadline, or the boot processor's. */
static void sleep_until(uint64_t deadline)
{
    const uint64_t us = (deadline - clock_now()) / clock_ticks_per_us() + 1;
    const uint64_t ticks = us * apic_timer_rate() / (128 * 1000) + 1;
    const uint64_t count = ticks + ticks / 256 + 1;

    apic_write(APIC_TIMER_INITIAL, count < COUNT_MAX ? (uint32_t)count : COUNT_MAX);
    wait_for_interrupt();
}

static bool change(struct watchdog *watchdog, uint32_t to)
{
    uint32_t from = WATCHDOG_ARMED;

    return __atomic_compare_exchange_n(&watchdog->state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

void watchdog_work(void *argument)
{
    struct watchdog *watchdog = argument;
    const uint64_t deadline = clock_deadline(watchdog->timeout_us);

    (void)apic_timer_rate();
    take_interrupts(); /* the interrupt that began this work would end the sleep at once */
    __atomic_store_n(&watchdog->ready, 1, __ATOMIC_RELEASE);
    if (watchdog->work != NULL)
        watchdog->work(watchdog->argument);

    apic_write(APIC_TIMER, VECTOR_TIMER);
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_128);
    while (__atomic_load_n(&watchdog->state, __ATOMIC_ACQUIRE) == WATCHDOG_ARMED &&
           !clock_passed(deadline))
        sleep_until(deadline);
    apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, 0);

    if (change(watchdog, WATCHDOG_EXPIRED)) {
        trap_state_of(0)->called_off = true;
        apic_send_nmi(watchdog->apic_id);
    }
}

void watchdog_wait(const struct watchdog *watchdog, uint64_t deadline)
{
    while (!__atomic_load_n(&watchdog->ready, __ATOMIC_ACQUIRE) && !clock_passed(deadline))
        pause();
}

bool watchdog_release(struct watchdog *watchdog)
{
    return change(watchdog, WATCHDOG_RELEASED);
}
