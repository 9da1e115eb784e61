#include "timed_window.h"

#include "boot/clock.h"

uint64_t timed_now(void)
{
    uint64_t now;

    __builtin_ia32_mfence();
    __builtin_ia32_lfence();
    now = clock_now();
    __builtin_ia32_lfence();
    return now;
}

uint64_t timed_window_run(const struct window *window)
{
    const uint64_t begun = timed_now();

    window_run(window);
    return timed_now() - begun;
}
