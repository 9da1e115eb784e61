#include "measured_window.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "kernel_run.h"
#include "pmu/kind.h"
#include "timed_window.h"
#include "window.h"

/* Of a kernel on a core: as much as windows that were thrown away may take. */
#define LOST_MOST_US UINT64_C(2000000)
/* Fixed counters: SDM 3B, "Fixed-function Performance Counters". */
#define CYCLES_COUNTER    1u
#define REFERENCE_COUNTER 2u

static bool set_up(struct measurement *m, const struct pass *pass, uint64_t n)
{
    kernel_run_reset(m, n);
    return measurement_set_up(m, pass);
}

static struct window window_of(const struct measurement *m, const struct pass *pass, uint64_t n)
{
    return (struct window){
        .code = m->kernel->code,
        .n = n,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .msr = pass->enable.msr,
        .enable = pass->enable.value,
        .disable = pass->disable,
        .dose = m->dose,
        .ring_3 = m->registers->ring_3,
    };
}

bool measured_window_run(struct measurement *m, const struct pass *pass, uint64_t n)
{
    const struct window window = window_of(m, pass, n);

    return set_up(m, pass, n) && kernel_run_window(m, &window);
}

bool measured_window_run_within(struct measurement *m, const struct pass *pass, uint64_t n,
                                const struct msr_value *enable, uint64_t disable)
{
    const struct window window = window_of(m, pass, n);

    if (!set_up(m, pass, n))
        return false;
    window_run_within(&window, enable->msr, enable->value, disable);
    m->registers->windows++;
    return true;
}

/* The window without counting. What the harness did between two windows, which is not always the
 * same, then lies further back than the kernel, for predictors, the DSB and caches. */
static void rehearse(const struct measurement *m, const struct window *window)
{
    struct window uncounted = *window;

    uncounted.enable = window->disable;
    window_run(&uncounted);
    kernel_run_reset(m, window->n);
}

/* RC_FAULT: it must not be tried again in the next pass. */
static bool sibling_works(struct measurement *m, const char *failure)
{
    const struct sibling_counters *counters = m->sibling_counters;
    char name[40];

    if (failure == NULL)
        return true;
    measurement_fail(m, RC_FAULT, failure);
    if (counters->rc != RC_OK)
        format(m->where, sizeof(m->where), "core %u, %s", counters->cores[1],
               failed_name(m->facts, counters->at, name, sizeof(name)));
    return false;
}

/* The window, and the sibling's around it when both threads count. */
static bool run_threads(struct measurement *m, const struct pass *pass, const struct window *window)
{
    bool came_back;

    if (m->sibling_counters != NULL &&
        !sibling_works(m, sibling_counters_begin(m->sibling_counters, pass)))
        return false;
    came_back = kernel_run_window(m, window);
    m->registers->windows++;
    if (m->sibling_counters == NULL)
        return came_back;
    m->sibling->registers->windows += 1 + pass_starts(pass->setup, pass->setup_count);
    return sibling_works(m, sibling_counters_end(m->sibling_counters)) && came_back;
}

/* Whether the fixed counter counts from 0: one that starts elsewhere is there to overflow, and then
 * stops all. */
static bool starts_at_0(const struct pass *pass, unsigned counter)
{
    for (unsigned i = 0; i < pass->setup_count; i++)
        if (pass->setup[i].msr == IA32_FIXED_CTR0 + counter && pass->setup[i].value != 0)
            return false;
    return true;
}

/* The same where no fixed counter counts cycles. */
static struct guard_counted counted_by_event(const struct measurement *m, const struct pass *pass,
                                             const struct raw_counts *raw)
{
    const struct event *cycles = m->description != NULL
                                     ? description_event(m->description, "CPU_CLK_UNHALTED.THREAD")
                                     : NULL;
    struct guard_counted counted = {false, false, 0, 0};

    for (unsigned i = 0; i < pass->reading_count; i++)
        if (pass->readings[i].event == cycles && !raw->overflowed[i]) {
            counted.cycles_known = true;
            counted.cycles = raw->value[i];
        }
    return counted;
}

/* What the pass's fixed counters 1 and 2 counted; not of a pass whose counters may freeze. */
static struct guard_counted counted_in(const struct measurement *m, const struct pass *pass,
                                       const struct raw_counts *raw)
{
    struct guard_counted counted = {false, false, 0, 0};

    if (kind_of(m->facts)->fills_passes)
        return counted_by_event(m, pass, raw);
    if (!starts_at_0(pass, CYCLES_COUNTER))
        return counted;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        if (pass->readings[i].kind != READING_FIXED || raw->overflowed[i])
            continue;
        if (pass->readings[i].counter == CYCLES_COUNTER) {
            counted.cycles_known = true;
            counted.cycles = raw->value[i];
        } else if (pass->readings[i].counter == REFERENCE_COUNTER) {
            counted.reference_known = true;
            counted.reference = raw->value[i];
        }
    }
    return counted;
}

/* Whether nothing but the window runs between the guards' two samples. */
static bool is_alone(const struct measurement *m)
{
    return !m->rehearsed && m->cell == NULL && m->sibling_counters == NULL;
}

/* One window, and what lies around it. */
static bool try_window(struct measurement *m, const struct pass *pass, uint64_t n,
                       struct raw_counts *raw, enum guard *guard, struct guard_bracket *bracket)
{
    const struct window window = window_of(m, pass, n);
    struct core_guards *guards = &m->registers->guards;
    struct kernel_run_selects selects;
    uint32_t index = 0;

    if (!set_up(m, pass, n))
        return false;
    kernel_run_note(m, pass, &selects);
    guards_open(guards, bracket);
    if (m->rehearsed && m->cell == NULL) /* a cell rehearses by itself */
        rehearse(m, &window);
    if (!run_threads(m, pass, &window))
        return false;
    *guard = guards_close(guards, bracket, 0);
    if (*guard == GUARD_CLEAN && kernel_run_disturbed(m))
        *guard = GUARD_INTERRUPT;
    if (!kernel_run_kept(m, pass, &selects))
        return false;
    if (counters_read(pass, m->facts, raw, &index) == RC_OK)
        return true;
    measurement_fail(m, RC_FAULT, "reading a counter");
    failed_name(m->facts, index, m->where, sizeof(m->where));
    return false;
}

bool measured_window_try(struct measurement *m, const struct pass *pass, uint64_t n,
                         struct raw_counts *raw, enum guard *guard)
{
    struct guard_bracket bracket;

    return try_window(m, pass, n, raw, guard, &bracket);
}

bool measured_window_time(struct measurement *m, const struct pass *pass, uint64_t n,
                          uint64_t *ticks, enum guard *guard)
{
    const struct window window = window_of(m, pass, n);
    struct core_guards *guards = &m->registers->guards;
    struct guard_bracket bracket;

    if (!set_up(m, pass, n))
        return false;
    guards_open(guards, &bracket);
    *ticks = timed_window_run(&window);
    m->registers->windows++;
    *guard = guards_close(guards, &bracket, 0);
    return true;
}

/* Whether a window may be run again after one that was disturbed; *most began with that one. A TSC
 * that was written meanwhile adds no more than a look at *most does. */
static bool may_try_again(struct measurement *m, struct deadline *most, enum guard guard,
                          unsigned *retries)
{
    const uint64_t limit = LOST_MOST_US * clock_ticks_per_us();

    (void)clock_passed_working(most);
    m->ticks_lost += limit - most->left;
    if (measurement_try_again(m, guard, retries)) {
        if (m->ticks_lost <= limit)
            return true;
        measurement_fail(m, RC_TIMEOUT, "disturbed windows took more than 2 s");
    }
    format(m->where, sizeof(m->where), "guard %s", guard_name(guard));
    return false;
}

/* Whether the clocks belie what the window counted, in this thread or in the sibling. */
static bool is_miscounted(const struct measurement *m, const struct pass *pass,
                          const struct raw_counts *raw, const struct guard_bracket *bracket)
{
    struct core_guards *guards = &m->registers->guards;
    const struct guard_counted own = counted_in(m, pass, raw);
    struct guard_counted sibling;
    struct raw_counts of_sibling;

    if (guards_miscounted(guards, bracket, &own, is_alone(m)))
        return true;
    if (m->sibling_counters == NULL)
        return false;
    of_sibling = m->sibling_counters->raw;
    counters_make(pass, &of_sibling);
    sibling = counted_in(m, pass, &of_sibling);
    return guards_miscounted(guards, bracket, &sibling, false);
}

bool measured_window_count(struct measurement *m, const struct pass *pass, uint64_t n,
                           struct raw_counts *raw, unsigned *retries)
{
    for (;;) {
        struct deadline most = clock_deadline(LOST_MOST_US);
        struct guard_bracket bracket;
        enum guard guard;

        if (!try_window(m, pass, n, raw, &guard, &bracket))
            return false;
        if (guard == GUARD_CLEAN && is_miscounted(m, pass, raw, &bracket))
            guard = GUARD_CYCLES;
        if (guard == GUARD_CLEAN) {
            m->kept++;
            return true;
        }
        if (!may_try_again(m, &most, guard, retries))
            return false;
    }
}
