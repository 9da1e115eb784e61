/* The measured window (window.asm). */
#ifndef HARNESS_WINDOW_WINDOW_H
#define HARNESS_WINDOW_WINDOW_H

#include <stddef.h>
#include <stdint.h>

/* The code that one window runs and the register that it switches; window.asm uses the offsets. */
struct window {
    void (*code)(void);
    uint64_t n;
    void *arena;
    uint64_t arena_bytes;
    uint32_t msr, unused;
    uint64_t enable, disable;
    uint64_t dose;
};

_Static_assert(offsetof(struct window, msr) == 32 && offsetof(struct window, enable) == 40 &&
                   offsetof(struct window, disable) == 48 && offsetof(struct window, dose) == 56,
               "window.asm uses these offsets");

/* Runs window->code between the write of `enable` and the write of `disable` to window->msr. A
 * fault inside is a trap. */
void window_run(const struct window *window);
/* The same with `enable` written to `msr` before it and `disable` after it (window_within.asm). */
void window_run_within(const struct window *window, uint32_t msr, uint64_t enable,
                       uint64_t disable);
/* The instruction that starts counting; where the kernel's last RET returns to; and the one after
 * the instruction that stops counting. */
extern const char window_begin[], window_return[], window_stopped[];

#endif
