#include "every_counter_windows.h"

#include "measured_window.h"
#include "pmu/every_counter.h"
#include "settle.h"

/* Windows before the one that counts, where there are several repeats to be compared. */
#define WARM_UP 1u
/* Disturbed windows that are run again. */
#define RETRIES 100u

/* The window behind `warm` clean ones. */
static bool count(struct measurement *m, const struct pass *pass, uint64_t n, unsigned warm,
                  struct raw_counts *raw)
{
    unsigned retries = RETRIES;

    for (;;) {
        enum guard guard;

        if (!measured_window_try(m, pass, n, raw, &guard))
            return false;
        if (guard == GUARD_CLEAN && warm-- == 0)
            return true;
        if (guard != GUARD_CLEAN && !measurement_try_again(m, guard, &retries))
            return false;
    }
}

/* What a counter counted from its start on; a counter that does not carry is far below 0. */
static uint64_t difference(const struct measurement *m, const struct reading *reading,
                           uint64_t once, uint64_t twice)
{
    const uint64_t start = every_counter_start(m->facts, reading->kind);

    return once < start || twice < start ? once - start : twice - once;
}

static bool count_twice(struct measurement *m, const struct pass *pass, unsigned warm,
                        uint64_t *counted)
{
    struct raw_counts once, twice;

    if (!count(m, pass, m->n, warm, &once) || !count(m, pass, 2 * m->n, warm, &twice))
        return false;
    for (unsigned i = 0; i < pass->reading_count; i++)
        counted[i] = difference(m, &pass->readings[i], once.value[i], twice.value[i]);
    return true;
}

static void note(void *context, uint32_t msr, uint64_t was, uint64_t is, bool readable)
{
    (void)context, (void)msr, (void)was, (void)is, (void)readable;
}

/* What kernels have changed since stays among the registers that are put back, and reported, after
 * the core's last kernel (`kept` of them were there before); so does a register that does not hold
 * its old value. */
static void put_back(struct saved_registers *saved, unsigned kept)
{
    if (kept == 0 && saved_restore(saved, note, NULL) == 0)
        saved->count = saved->next = 0;
}

void every_counter_windows_work(void *argument)
{
    struct every_counter_windows *windows = argument;
    struct measurement *m = &windows->measurement;
    const unsigned kept = m->registers->saved.count;

    settle(m);
    every_counter_preset(&windows->pass, m->facts);
    windows->done = measurement_keep_plan(m);
    for (unsigned i = 0; i < windows->repeats && windows->done; i++)
        windows->done =
            count_twice(m, &windows->pass, windows->repeats > 1 ? WARM_UP : 0, windows->counted[i]);
    put_back(&m->registers->saved, kept);
}

/* The clock that settle() forgot is that of the first window that is clean: this one. */
void reference_window_work(void *argument)
{
    struct every_counter_windows *windows = argument;
    struct measurement *m = &windows->measurement;
    const struct core_guards *guards = &m->registers->guards;
    const unsigned kept = m->registers->saved.count;
    struct raw_counts raw;

    settle(m);
    windows->done = measurement_keep_plan(m) && count(m, &windows->pass, m->n, 0, &raw);
    for (unsigned i = 0; windows->done && i < windows->pass.reading_count; i++)
        windows->counted[0][i] = raw.value[i];
    if (guards->absent[GUARD_FREQUENCY] == NULL)
        windows->clock = guards->first;
    put_back(&m->registers->saved, kept);
}
