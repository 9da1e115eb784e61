/* The measured window (window.asm). */
#ifndef HARNESS_WINDOW_WINDOW_H
#define HARNESS_WINDOW_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "boot/machine/ring_3.h"

/* The code that one window runs and the register that it switches; window.asm uses the offsets. */
struct window {
    void (*code)(void);
    uint64_t n;
    void *arena;
    uint64_t arena_bytes;
    uint32_t msr, unused;
    uint64_t enable, disable;
    uint64_t dose;
    const struct ring_3 *ring_3; /* null: the code runs in ring 0 */
};

_Static_assert(offsetof(struct window, msr) == 32 && offsetof(struct window, enable) == 40 &&
                   offsetof(struct window, disable) == 48 && offsetof(struct window, dose) == 56 &&
                   offsetof(struct window, ring_3) == 64,
               "window.asm uses these offsets");

/* Runs window->code between the write of `enable` and the write of `disable` to window->msr. A
 * fault inside is a trap; in ring 3 it ends the code, counting stops, and ring_3->traps has it. */
void window_run(const struct window *window);
/* The same with `enable` written to `msr` before it and `disable` after it (window_within.asm). */
void window_run_within(const struct window *window, uint32_t msr, uint64_t enable,
                       uint64_t disable);
/* The instruction that starts counting; where the kernel's last RET returns to; and the one after
 * the instruction that stops counting. */
extern const char window_begin[], window_return[], window_stopped[];
/* The same of a window in ring 3; where IRETQ leads, and INT VECTOR_LEAVE (ring_3_leaves_to). */
extern const char window_ring_3_begin[], window_ring_3_return[], window_ring_3_stopped[];
extern const char window_in_ring_3[], window_ring_3_left[];

static inline const void *window_return_of(const struct ring_3 *ring_3)
{
    return ring_3 != NULL ? window_ring_3_return : window_return;
}

#endif
