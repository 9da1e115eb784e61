#include "cascade_windows.h"

#include "boot/clock.h"
#include "boot/msr.h"
#include "harness/window/measured_window.h"
#include "harness/window/settle.h"

/* Windows before the one that counts, which bring its code into the caches: the instructions from
 * its end to the write that stops the second counter are the same in each. */
#define WARM_UP 2u
/* Disturbed windows that are run again. */
#define RETRIES 100u
/* Of which the quickest counts. */
#define READINGS 32u

static bool keep(struct measurement *m, const struct cascade *cascade)
{
    for (unsigned i = 0; i < cascade->pass.setup_count; i++)
        if (!measurement_keep(m, &cascade->pass.setup[i].msr, 1))
            return false;
    return true;
}

static bool run_window(struct measurement *m, const struct cascade *cascade, uint64_t n,
                       uint64_t *counted, enum guard *guard)
{
    struct core_guards *guards = &m->registers->guards;
    struct guard_bracket bracket;

    guards_open(guards, &bracket);
    if (!measured_window_run(m, &cascade->pass, n))
        return false;
    if (!msr_write(cascade->stop.msr, cascade->stop.value)) {
        measurement_fail_register(m, RC_FAULT, "writing a register", cascade->stop.msr);
        return false;
    }
    m->registers->windows++;
    *guard = guards_close(guards, &bracket, 0);
    if (rdpmc_read(cascade->second, counted))
        return true;
    measurement_fail(m, RC_FAULT, "reading a counter");
    return false;
}

static bool count(struct measurement *m, const struct cascade *cascade, uint64_t n,
                  uint64_t *counted)
{
    unsigned warm = 0, retries = RETRIES;

    for (;;) {
        enum guard guard;

        if (!run_window(m, cascade, n, counted, &guard))
            return false;
        if (guard == GUARD_CLEAN && warm++ == WARM_UP)
            return true;
        if (guard != GUARD_CLEAN && !measurement_try_again(m, guard, &retries))
            return false;
    }
}

static struct cascade_read read_by(uint32_t index)
{
    struct cascade_read read = {.ticks = UINT64_MAX};

    for (unsigned i = 0; i < READINGS && !read.faults; i++) {
        const uint64_t begin = clock_now();
        uint64_t ticks;

        read.faults = !rdpmc_read(index, &read.value);
        ticks = clock_now() - begin;
        read.ticks = ticks < read.ticks ? ticks : read.ticks;
    }
    return read;
}

/* The counter is written twice: erratum N15 may lose the first write. */
static bool read_both(struct cascade_windows *windows)
{
    const struct cascade *cascade = &windows->early;

    for (unsigned i = 0; i < 2; i++)
        if (!msr_write(cascade->counter, CASCADE_READ)) {
            measurement_fail_register(windows->measurement, RC_FAULT, "writing a register",
                                      cascade->counter);
            return false;
        }
    windows->full = read_by(cascade->second);
    windows->fast = read_by(cascade->second | RDPMC_FAST);
    return true;
}

void cascade_windows_work(void *argument)
{
    struct cascade_windows *windows = argument;
    struct measurement *m = windows->measurement;

    settle(m);
    windows->done =
        keep(m, &windows->early) && count(m, &windows->early, m->n, &windows->counted_early) &&
        count(m, &windows->late, m->n, &windows->counted_late) &&
        count(m, &windows->early, 2 * m->n, &windows->counted_twice) && read_both(windows);
}
