#include "apic_timer.h"

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "vector.h"

#define SAMPLE_US 50
#define SAMPLES   8u  /* at most */
#define ALIKE     64u /* two of them differ by less than this part */
#define COUNT_MAX 0xffffffffu
/* When the samples never agree, as no machine's do: a deadline that comes late is better than one
 * that ends what is sound. */
#define FASTEST UINT64_C(400000)

static uint64_t ticks_per_ms; /* 0: not measured yet */

/* 0: the TSC went back meanwhile. */
static uint64_t sample(void)
{
    struct deadline deadline = clock_deadline(SAMPLE_US);
    uint64_t begun, ended;
    uint32_t left;

    apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
    begun = clock_now();
    apic_write(APIC_TIMER_INITIAL, COUNT_MAX);
    while (!clock_passed(&deadline))
        pause();
    left = apic_read(APIC_TIMER_CURRENT);
    ended = clock_now();
    apic_write(APIC_TIMER_INITIAL, 0);
    return (int64_t)(ended - begun) > 0
               ? (COUNT_MAX - left) * clock_ticks_per_us() * 1000 / (ended - begun)
               : 0;
}

/* A sample in which the TSC was written, or an SMI came between two readings, is like no other. */
static uint64_t measured_rate(void)
{
    uint64_t before = sample();

    for (unsigned i = 1; i < SAMPLES; i++) {
        const uint64_t now = sample(), off = now > before ? now - before : before - now;

        if (now > 0 && off < before / ALIKE + 2)
            return now;
        before = now;
    }
    return FASTEST;
}

uint64_t apic_timer_rate(void)
{
    if (ticks_per_ms == 0)
        ticks_per_ms = measured_rate();
    return ticks_per_ms;
}
