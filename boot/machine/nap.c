#include "nap.h"

#include "apic.h"
#include "apic_timer.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "idle.h"
#include "vector.h"

#define COUNT_MAX 0xffffffffu

bool nap_begin(unsigned core)
{
    (void)apic_timer_rate();
    if (core == 0) {
        idle_begin();
        return idle_has_timer();
    }
    take_interrupts(); /* the one that began this work would end the first nap at once */
    apic_write(APIC_TIMER, VECTOR_TIMER); /* one-shot */
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
    return true;
}

void nap_take(uint64_t ticks)
{
    const uint64_t count = ticks * apic_timer_rate() / (clock_ticks_per_us() * 1000);

    apic_write(APIC_TIMER_INITIAL, count < COUNT_MAX ? (uint32_t)count + 1 : COUNT_MAX);
    wait_for_interrupt();
}

void nap_end(unsigned core)
{
    if (core == 0) {
        idle_end();
        return;
    }
    apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, 0);
}
