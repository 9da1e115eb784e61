#include "apic_timer.h"

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "vector.h"

#define SAMPLE_US 50
#define COUNT_MAX 0xffffffffu

static uint64_t ticks_per_ms; /* 0: not measured yet */

static uint64_t measured_rate(void)
{
    uint64_t deadline = clock_deadline(SAMPLE_US), begun, ended;
    uint32_t left;

    apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
    begun = clock_now();
    apic_write(APIC_TIMER_INITIAL, COUNT_MAX);
    while (!clock_passed(deadline))
        pause();
    left = apic_read(APIC_TIMER_CURRENT);
    ended = clock_now();
    apic_write(APIC_TIMER_INITIAL, 0);
    return (COUNT_MAX - left) * clock_ticks_per_us() * 1000 / (ended - begun);
}

uint64_t apic_timer_rate(void)
{
    if (ticks_per_ms == 0)
        ticks_per_ms = measured_rate();
    return ticks_per_ms;
}
