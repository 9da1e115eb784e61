#include "timeline_run.h"

#include "boot/machine/apic.h"
#include "harness/experiment/multiplex/rotation.h"
#include "harness/window/kernel_run.h"
#include "harness/window/measured_window.h"
#include "harness/window/settle.h"

/* How many disturbed windows are run again, of those of one pass and repeat. */
#define RETRIES 100u
/* How many windows in a row must take the same number of cycles, and how many are tried. */
#define ALIKE_WINDOWS    8u
#define SETTLING_WINDOWS 100u
#define DELAY_WINDOWS    8u /* to find out how long a freeze takes */
/* Bytes of an arena that is laid out anew before each window. */
#define RENEWED_ARENA 4096u
/* A preset in cycles that no window reaches, for counters of 32 bits and more. */
#define OUT_OF_REACH 0x40000000u

/* What a window left behind. */
struct frozen {
    struct raw_counts raw;
    uint64_t counted; /* core cycles until the freeze, or until the window's end */
    bool overflowed;  /* the counter of core cycles did */
};

/* A window that did not freeze: how many cycles it took, and its number. */
struct free_window {
    uint64_t cycles, number;
};

/* A window of that pass whose counters freeze in cycle number `cycles`. Between the windows of a
 * timeline no branch depends on the cycle: a predictor with a long history would remember it, and
 * the next window would be unlike the others. */
static bool frozen_window(struct measurement *m, struct timeline *t, unsigned p, uint64_t cycles,
                          unsigned *retries, struct frozen *frozen)
{
    struct pass *pass = &t->armed[p];
    const int reading = rotation_cycles(pass);

    freeze_preset(pass, m->facts, cycles);
    if (!measured_window_count(m, pass, t->n, &frozen->raw, retries))
        return false;
    frozen->counted = freeze_counted(m->facts, cycles, frozen->raw.value[reading]);
    frozen->overflowed = frozen->raw.overflowed[reading];
    return true;
}

/* A window whose counters do not freeze: its preset is out of reach, all else is the same. */
static bool unfrozen_window(struct measurement *m, struct timeline *t, uint64_t *cycles)
{
    unsigned retries = RETRIES;
    struct frozen frozen;

    if (!frozen_window(m, t, 0, OUT_OF_REACH, &retries, &frozen))
        return false;
    *cycles = frozen.counted;
    return true;
}

/* Such windows until some in a row take the same number of cycles: caches and predictors then have
 * learnt what there is to learn from a window. It may be that they never do. */
static bool settled_window(struct measurement *m, struct timeline *t, uint64_t n, uint64_t *cycles)
{
    uint64_t last = 0;
    unsigned alike = 0;

    t->n = n;
    for (unsigned i = 0; i < SETTLING_WINDOWS && alike < ALIKE_WINDOWS; i++) {
        if (!unfrozen_window(m, t, cycles))
            return false;
        alike = *cycles == last ? alike + 1 : 1;
        last = *cycles;
    }
    return true;
}

/* The most iterations, at most those of an ordinary window, that take no more cycles than the
 * limit; one iteration when even that takes more. */
static bool choose_n(struct measurement *m, struct timeline *t)
{
    uint64_t low = 0, high = m->n + 1, cycles; /* low fits, high does not */

    for (uint64_t n = 1; n < high; n *= 2) {
        if (!settled_window(m, t, n, &cycles))
            return false;
        *(cycles > t->limit ? &high : &low) = n;
    }
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;

        if (!settled_window(m, t, middle, &cycles))
            return false;
        *(cycles > t->limit ? &high : &low) = middle;
    }
    return settled_window(m, t, low > 0 ? low : 1, &t->cycles);
}

static void note_delay(struct timeline *t, uint64_t delay)
{
    t->delay_min = delay < t->delay_min ? delay : t->delay_min;
    t->delay_max = delay > t->delay_max ? delay : t->delay_max;
    t->delays++;
}

/* Whether the counters stop after the cycle counter overflows. No manual says whether the legacy
 * freeze needs a PMI that is delivered, and an emulator may have no freeze. Windows differ by some
 * cycles, so counters that stop in a window's second half may have stopped with the window. */
static bool freezes(struct measurement *m, struct timeline *t)
{
    unsigned retries = RETRIES;
    struct frozen frozen;

    if (!frozen_window(m, t, 0, 1, &retries, &frozen))
        return false;
    if (!frozen.overflowed)
        t->absent = "the counter of core cycles did not overflow";
    else if (frozen.counted > t->cycles / 2)
        t->absent = "the counters went on for half a window after an overflow";
    else
        note_delay(t, frozen.counted - 1);
    return t->absent == NULL;
}

/* How much later they stop, elsewhere in the window's first half. */
static bool measure_delay(struct measurement *m, struct timeline *t)
{
    const uint64_t part = t->cycles / 2 - t->delay_max;
    unsigned retries = RETRIES;
    struct frozen frozen;

    for (uint64_t i = 1; i < DELAY_WINDOWS; i++) {
        const uint64_t cycles = 1 + i * part / DELAY_WINDOWS;

        if (!frozen_window(m, t, 0, cycles, &retries, &frozen))
            return false;
        if (frozen.overflowed && frozen.counted >= cycles)
            note_delay(t, frozen.counted - cycles);
    }
    return true;
}

/* All cycles with that pass, once, and in their midst one window that does not freeze, as those
 * that do would go on. What runs between two windows decides which of their code is decoded anew
 * and what is predicted, and by that the next window's first cycles. So the window that does not
 * freeze comes out of the same loop, by arithmetic in place of a branch. */
static bool sweep(struct measurement *m, struct timeline *t, unsigned p, struct free_window *free)
{
    const uint64_t last = t->cycles < t->limit ? t->cycles : t->limit;
    const uint64_t middle = last / 2 + 1;
    unsigned retries = RETRIES;
    struct free_window ran[2]; /* the last window that froze, the window that did not */
    struct frozen frozen;

    for (uint64_t i = 1; i <= last + 1; i++) {
        const unsigned freely = i == middle;

        if (!frozen_window(m, t, p, i - (i > middle) + freely * OUT_OF_REACH, &retries, &frozen))
            return false;
        timeline_keep(t, p, frozen.counted, &frozen.raw);
        ran[freely] = (struct free_window){frozen.counted, m->registers->windows};
    }
    *free = ran[1];
    return true;
}

/* The first sweep's free window is the undisturbed one. */
static bool sweep_all(struct measurement *m, struct timeline *t)
{
    struct free_window free;

    for (unsigned repeat = 0; repeat < t->repeats; repeat++) {
        for (unsigned p = 0; p < t->plan.pass_count; p++) {
            if (!sweep(m, t, p, &free))
                return false;
            if (repeat > 0 || p > 0)
                continue;
            t->cycles = free.cycles;
            t->undisturbed = free.number;
        }
    }
    return true;
}

static void run_windows(struct measurement *m, struct timeline *t)
{
    settle(m);
    if (!choose_n(m, t))
        return;
    if (!freezes(m, t) || !measure_delay(m, t))
        return;
    t->first_window = m->registers->windows + 1;
    if (sweep_all(m, t))
        t->last_window = m->registers->windows;
}

/* Frozen counters are unfrozen, and nothing freezes any more. */
static void unfreeze(struct measurement *m)
{
    struct pass pass;

    freeze_end(&pass, m->facts);
    (void)measurement_set_up(m, &pass);
}

/* The kernel with what makes its windows alike before each of them: its RESET. A kernel without one
 * may go on in its arena from window to window, as a random sequence does; where the arena is a
 * page, laying it out anew is cheap. */
static struct kernel renewed(const struct measurement *m)
{
    struct kernel kernel = *m->kernel;

    if (kernel.reset == NULL && m->arena_bytes <= RENEWED_ARENA)
        kernel.reset = kernel.prepare;
    return kernel;
}

void timeline_run(struct measurement *m, struct timeline *t)
{
    static const uint32_t debugctl = IA32_DEBUGCTL;
    const struct kernel *measured = m->kernel, kernel = renewed(m);
    uint32_t delivery;

    kernel_run_begin(m);
    if (!measurement_keep_plan(m) || !measurement_keep(m, &debugctl, 1))
        return;
    delivery = apic_set_performance(LVT_MASKED); /* the freeze is enough: nobody takes the PMI */
    m->kernel = &kernel;
    m->rehearsed = true;
    run_windows(m, t);
    m->rehearsed = false;
    m->kernel = measured;
    unfreeze(m);
    (void)apic_set_performance(delivery);
}
