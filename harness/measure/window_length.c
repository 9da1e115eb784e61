#include "window_length.h"

#include "boot/clock.h"
#include "harness/window/kernel_run.h"
#include "harness/window/settle.h"

#define RUNS 3u

static uint64_t time_once(const struct measurement *m, uint64_t n)
{
    uint64_t begun;

    kernel_run_reset(m, n);
    begun = clock_now();
    kernel_run_once(m, n);
    return clock_now() - begun;
}

static uint64_t fastest(const struct measurement *m, uint64_t n)
{
    uint64_t ticks = time_once(m, n);

    for (unsigned i = 1; i < RUNS; i++) {
        const uint64_t again = time_once(m, n);

        if (again < ticks)
            ticks = again;
    }
    return ticks;
}

/* The scale after this one in 1, 2, 5, 10 ... */
static uint32_t next_scale(uint32_t scale)
{
    uint32_t decade = 1;

    while (scale / decade >= 10)
        decade *= 10;
    switch (scale / decade) {
    case 1:
        return 2 * decade;
    case 2:
        return 5 * decade;
    default:
        return 10 * decade;
    }
}

static uint32_t microseconds(uint64_t ticks)
{
    const uint64_t rounded = ticks / clock_ticks_per_us() + 1;

    return rounded < UINT32_MAX ? (uint32_t)rounded : UINT32_MAX;
}

/* The kernel is ready. */
static void find(struct window_length *length, const struct measurement *m)
{
    const uint64_t wanted = (uint64_t)length->wanted_us * clock_ticks_per_us() * 9 / 8;

    settle(m);
    while (length->scale < length->most && !kernel_run_failed(m)) {
        const uint64_t ticks = fastest(m, m->n * length->scale);

        length->took_us = microseconds(ticks);
        if (ticks >= wanted)
            return;
        length->scale = next_scale(length->scale);
    }
    length->scale = length->most;
    length->took_us = microseconds(fastest(m, m->n * length->scale));
}

void window_length_find(struct window_length *length, struct measurement *m)
{
    length->scale = 1;
    kernel_run_begin(m);
    find(length, m);
    kernel_run_end(m);
}

uint64_t window_length_total(uint32_t window_us, unsigned passes, unsigned repeats, unsigned warmup)
{
    return 3 * (uint64_t)window_us * (warmup + (uint64_t)passes * repeats);
}
