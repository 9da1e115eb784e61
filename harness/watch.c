#include "watch.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/interrupt.h"
#include "boot/msr.h"

/* How long the sibling may take to answer: an emulator may starve it. */
#define ANSWER_US 1000000

/* Within the NMI. Counting starts as late as it can and stops at once. */
INTERRUPT_SAFE static bool answer(void *context)
{
    struct watch *watch = context;
    const struct measurement *theirs = watch->theirs;
    const struct pass *pass = watch->pass;
    const uint32_t asked = __atomic_load_n(&watch->asked, __ATOMIC_ACQUIRE);

    if (asked == watch->done)
        return false;
    if (asked % 2 != 0) {
        watch->rc = counters_setup(pass, &watch->at);
        watch->at = watch->rc == RC_OK ? pass->enable.msr : watch->at;
        if (watch->rc == RC_OK && !msr_write(pass->enable.msr, pass->enable.value))
            watch->rc = RC_FAULT;
        watch->started = clock_now();
    } else {
        watch->ended = clock_now();
        if (!msr_write(pass->enable.msr, pass->disable))
            watch->rc = RC_FAULT;
        else
            watch->rc = counters_take(pass, theirs->facts, &watch->raw, &watch->at);
    }
    __atomic_store_n(&watch->done, asked, __ATOMIC_RELEASE);
    return true;
}

bool watch_open(struct watch *watch)
{
    if (!measure_keep(watch->theirs))
        return false;
    interrupt_answer(answer, watch);
    return true;
}

void watch_close(void)
{
    interrupt_answer(NULL, NULL);
}

static bool fail(struct measurement *m, enum rc rc, const char *what)
{
    /* Not to be tried again in the next pass. */
    m->rc = RC_FAULT;
    m->what = what;
    if (rc != RC_OK)
        format(m->where, sizeof(m->where), "core %u, MSR or index 0x%x", m->watch->cores[1],
               m->watch->at);
    return false;
}

/* Asks the sibling for its next step and waits until it is done. */
static bool ask(struct measurement *m)
{
    struct watch *watch = m->watch;
    const uint32_t asked = watch->asked + 1;
    const uint64_t deadline = clock_deadline(ANSWER_US);

    __atomic_store_n(&watch->asked, asked, __ATOMIC_RELEASE);
    if (interrupt_core(watch->cores[1]) != RC_OK)
        return fail(m, RC_OK, "the sibling could not be interrupted");
    while (__atomic_load_n(&watch->done, __ATOMIC_ACQUIRE) != asked) {
        if (clock_passed(deadline))
            return fail(m, RC_OK, "the sibling did not answer an NMI");
        __builtin_ia32_pause();
    }
    if (watch->rc != RC_OK)
        return fail(m, watch->rc, "a counter of the sibling failed");
    return true;
}

bool watch_begin(struct measurement *m, const struct pass *pass)
{
    m->watch->pass = pass;
    if (!ask(m))
        return false;
    m->watch->theirs->registers->windows++;
    m->watch->before = clock_now();
    return true;
}

bool watch_end(struct measurement *m)
{
    m->watch->after = clock_now();
    return ask(m);
}

void watch_keep(struct watch *watch, bool twice, unsigned repeat)
{
    counters_make(watch->pass, &watch->raw);
    measure_store(watch->theirs, watch->pass, &watch->raw, twice, repeat);
    watch->mine[twice][repeat] = watch->after - watch->before;
    watch->its[twice][repeat] = watch->ended - watch->started;
}

void watch_complete(struct watch *watch, unsigned repeats)
{
    struct measurement *theirs = watch->theirs;
    const int64_t mine = stats_difference(watch->mine[0], watch->mine[1], repeats).median;
    const int64_t its = stats_difference(watch->its[0], watch->its[1], repeats).median;
    const int64_t apart = its > mine ? its - mine : mine - its;

    theirs->passes[watch->pass - theirs->plan->passes].complete = true;
    if (mine <= 0)
        watch->apart = 1; /* windows that are all edge */
    else if ((double)apart > watch->apart * (double)mine)
        watch->apart = (double)apart / (double)mine;
}

static void add_pass(struct pass_result *to, const struct pass_result *from, unsigned readings,
                     unsigned repeats)
{
    for (unsigned i = 0; i < readings * 2 * repeats; i++)
        to->values[i] += from->values[i];
    for (unsigned i = 0; i < readings; i++)
        to->overflowed[i] = to->overflowed[i] || from->overflowed[i];
}

void watch_add(struct measurement *to, const struct measurement *from)
{
    for (unsigned i = 0; i < to->plan->pass_count; i++) {
        if (to->passes[i].complete)
            add_pass(&to->passes[i], &from->passes[i], to->plan->passes[i].reading_count,
                     to->repeats);
    }
}
