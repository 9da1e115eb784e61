#include "watchdog.h"

#include "apic.h"
#include "apic_timer.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "trap.h"
#include "vector.h"

enum watchdog_state { WATCHDOG_ARMED, WATCHDOG_RELEASED, WATCHDOG_EXPIRED };

#define COUNT_MAX 0xffffffffu
#define DIVIDER   128u

/* Timer ticks, rounded up: a little more than the time. */
static uint64_t ticks_in(uint64_t microseconds)
{
    const uint64_t ticks = microseconds * apic_timer_rate() / (DIVIDER * 1000) + 1;

    return ticks + ticks / 256 + 1;
}

/* What is left of the deadline after the work that came first. */
static uint64_t left_after(uint64_t began, uint64_t timeout_us)
{
    const uint64_t took_us = (clock_now() - began) / clock_ticks_per_us();

    return took_us < timeout_us ? timeout_us - took_us : timeout_us;
}

/* Halts until an interrupt: the timer's, or the boot processor's. Returns the ticks that are left
 * of so many. */
static uint64_t sleep(uint64_t ticks)
{
    const uint32_t count = ticks < COUNT_MAX ? (uint32_t)ticks : COUNT_MAX;

    apic_write(APIC_TIMER_INITIAL, count);
    wait_for_interrupt();
    return ticks - (count - apic_read(APIC_TIMER_CURRENT));
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
    const uint64_t began = clock_now();
    uint64_t left;

    (void)apic_timer_rate();
    take_interrupts(); /* the interrupt that began this work would end the sleep at once */
    __atomic_store_n(&watchdog->ready, 1, __ATOMIC_RELEASE);
    if (watchdog->work != NULL)
        watchdog->work(watchdog->argument);

    apic_write(APIC_TIMER, VECTOR_TIMER);
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_128);
    left = ticks_in(left_after(began, watchdog->timeout_us));
    while (__atomic_load_n(&watchdog->state, __ATOMIC_ACQUIRE) == WATCHDOG_ARMED && left > 0)
        left = sleep(left);
    apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, 0);

    if (change(watchdog, WATCHDOG_EXPIRED)) {
        trap_state_of(0)->called_off = true;
        apic_send_nmi(watchdog->apic_id);
    }
}

void watchdog_wait(const struct watchdog *watchdog, uint64_t microseconds)
{
    struct deadline deadline = clock_deadline(microseconds);

    while (!__atomic_load_n(&watchdog->ready, __ATOMIC_ACQUIRE) && !clock_passed(&deadline))
        pause();
}

bool watchdog_release(struct watchdog *watchdog)
{
    return change(watchdog, WATCHDOG_RELEASED);
}
