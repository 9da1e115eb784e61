#include "every_counter_windows.h"

#include "measured_window.h"
#include "settle.h"

/* Windows before the one that counts. */
#define WARM_UP 1u
/* Disturbed windows that are run again. */
#define RETRIES 100u

static bool count(struct measurement *m, const struct pass *pass, uint64_t n,
                  struct raw_counts *raw)
{
    unsigned warm = 0;

    for (unsigned tries = 0; tries < RETRIES; tries++) {
        enum guard guard;

        if (!measured_window_try(m, pass, n, raw, &guard))
            return false;
        if (guard == GUARD_CLEAN && warm++ == WARM_UP)
            return true;
    }
    measurement_fail(m, RC_TIMEOUT, "too many windows were disturbed");
    return false;
}

static bool count_twice(struct every_counter_windows *windows, uint64_t *counted)
{
    struct measurement *m = &windows->measurement;
    struct raw_counts once, twice;

    if (!count(m, &windows->pass, m->n, &once) || !count(m, &windows->pass, 2 * m->n, &twice))
        return false;
    for (unsigned i = 0; i < windows->pass.reading_count; i++)
        counted[i] = twice.value[i] - once.value[i];
    return true;
}

static void note(void *context, uint32_t msr, uint64_t was, uint64_t is, bool readable)
{
    (void)context, (void)msr, (void)was, (void)is, (void)readable;
}

/* A register that does not hold its old value stays among those that are put back, and reported,
 * after the run. */
static void put_back(struct saved_registers *saved)
{
    if (saved_restore(saved, note, NULL) == 0)
        saved->count = saved->next = 0;
}

void every_counter_windows_work(void *argument)
{
    struct every_counter_windows *windows = argument;
    struct measurement *m = &windows->measurement;

    settle(m);
    windows->done = measurement_keep_plan(m);
    for (unsigned i = 0; i < EVERY_COUNTER_REPEATS && windows->done; i++)
        windows->done = count_twice(windows, windows->counted[i]);
    put_back(&m->registers->saved);
}
