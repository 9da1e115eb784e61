/* Time, from the time stamp counter (TSC). A seam: the host tests link their own clock_now,
 * clock_ticks_per_us, clock_source and clock_trouble. */
#ifndef BOOT_CLOCK_H
#define BOOT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The TSC of this core. */
uint64_t clock_now(void);
/* TSC ticks a microsecond, never 0; a guess of 1000 until clock_start has found the rate, and of 1
 * where there is none that it could find: good for waits, and no measure of time. */
uint64_t clock_ticks_per_us(void);
/* How the rate was found: "CPUID 15H", "ACPI PM timer" or "firmware Stall"; null: it was not. */
const char *clock_source(void);
/* Why no duration by the boot processor's TSC is known; null: it was not written, as far as the
 * platform's timer can tell (clock_check). */
const char *clock_trouble(void);
/* Set what the functions above return; clock_start and clock_check do. */
void clock_set(uint64_t ticks_per_us, const char *source);
void clock_set_trouble(const char *why);

/* The end of a wait on one core. The TSC may be written meanwhile, by firmware or by a kernel of
 * the user's: so what counts is how far it went from one look at the deadline to the next, of one
 * step no more than a quarter of the wait, and nothing of a step back. Who waits looks often. */
struct deadline {
    uint64_t last, left, most; /* ticks */
};

/* The longest time from one look to the next that counts in full. */
#define CLOCK_LOOK_US 100000u

/* A deadline at `microseconds` from now. */
static inline struct deadline clock_deadline(uint64_t microseconds)
{
    const uint64_t ticks = microseconds * clock_ticks_per_us();
    const uint64_t look = CLOCK_LOOK_US * clock_ticks_per_us();

    return (struct deadline){clock_now(), ticks, ticks / 4 < look ? ticks / 4 + 1 : look};
}

/* Looks whether it has been reached. */
static inline bool clock_passed(struct deadline *deadline)
{
    const uint64_t now = clock_now();
    uint64_t gone = now - deadline->last;

    deadline->last = now;
    if ((int64_t)gone < 0)
        gone = 0;
    if (gone > deadline->most)
        gone = deadline->most;
    deadline->left -= gone < deadline->left ? gone : deadline->left;
    return deadline->left == 0;
}

/* The same look after something that may have taken long: all of that time counts, unless it is
 * more than was left. */
static inline bool clock_passed_working(struct deadline *deadline)
{
    const uint64_t now = clock_now(), gone = now - deadline->last;

    if (gone > deadline->left)
        return clock_passed(deadline);
    deadline->last = now;
    deadline->left -= gone;
    return deadline->left == 0;
}

#endif
