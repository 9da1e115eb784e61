#include "sibling_counters.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/interrupt_safe.h"
#include "boot/machine/interrupt.h"
#include "boot/msr.h"

/* How long the sibling may take to answer: an emulator may starve it. */
#define ANSWER_US 1000000

/* Within the NMI. Counting starts as late as it can and stops at once. */
INTERRUPT_SAFE static bool answer(void *context)
{
    struct sibling_counters *counters = context;
    const struct measurement *sibling = counters->sibling;
    const struct pass *pass = counters->pass;
    const uint32_t asked = __atomic_load_n(&counters->asked, __ATOMIC_ACQUIRE);

    if (asked == counters->done)
        return false;
    if (asked % 2 != 0) {
        counters->rc = counters_setup(pass, &counters->at);
        counters->at = counters->rc == RC_OK ? pass->enable.msr : counters->at;
        if (counters->rc == RC_OK && !msr_write(pass->enable.msr, pass->enable.value))
            counters->rc = RC_FAULT;
        counters->started = clock_now();
    } else {
        counters->ended = clock_now();
        if (!msr_write(pass->enable.msr, pass->disable))
            counters->rc = RC_FAULT;
        else
            counters->rc = counters_take(pass, sibling->facts, &counters->raw, &counters->at);
    }
    __atomic_store_n(&counters->done, asked, __ATOMIC_RELEASE);
    return true;
}

bool sibling_counters_open(struct sibling_counters *counters)
{
    if (!measure_keep(counters->sibling))
        return false;
    interrupt_answer(answer, counters);
    return true;
}

void sibling_counters_close(void)
{
    interrupt_answer(NULL, NULL);
}

static bool fail(struct measurement *m, enum rc rc, const char *what)
{
    /* Not to be tried again in the next pass. */
    m->rc = RC_FAULT;
    m->what = what;
    if (rc != RC_OK)
        format(m->where, sizeof(m->where), "core %u, MSR or index 0x%x",
               m->sibling_counters->cores[1], m->sibling_counters->at);
    return false;
}

/* Asks the sibling for its next step and waits until it is done. */
static bool ask(struct measurement *m)
{
    struct sibling_counters *counters = m->sibling_counters;
    const uint32_t asked = counters->asked + 1;
    const uint64_t deadline = clock_deadline(ANSWER_US);

    __atomic_store_n(&counters->asked, asked, __ATOMIC_RELEASE);
    if (interrupt_core(counters->cores[1]) != RC_OK)
        return fail(m, RC_OK, "the sibling could not be interrupted");
    while (__atomic_load_n(&counters->done, __ATOMIC_ACQUIRE) != asked) {
        if (clock_passed(deadline))
            return fail(m, RC_OK, "the sibling did not answer an NMI");
        __builtin_ia32_pause();
    }
    if (counters->rc != RC_OK)
        return fail(m, counters->rc, "a counter of the sibling failed");
    return true;
}

bool sibling_counters_begin(struct measurement *m, const struct pass *pass)
{
    m->sibling_counters->pass = pass;
    if (!ask(m))
        return false;
    m->sibling_counters->sibling->registers->windows++;
    m->sibling_counters->before = clock_now();
    return true;
}

bool sibling_counters_end(struct measurement *m)
{
    m->sibling_counters->after = clock_now();
    return ask(m);
}

void sibling_counters_keep(struct sibling_counters *counters, bool twice, unsigned repeat)
{
    counters_make(counters->pass, &counters->raw);
    measure_store(counters->sibling, counters->pass, &counters->raw, twice, repeat);
    counters->measured_ticks[twice][repeat] = counters->after - counters->before;
    counters->sibling_ticks[twice][repeat] = counters->ended - counters->started;
}

void sibling_counters_complete(struct sibling_counters *counters, unsigned repeats)
{
    struct measurement *sibling = counters->sibling;
    const int64_t measured =
        stats_difference(counters->measured_ticks[0], counters->measured_ticks[1], repeats).median;
    const int64_t other =
        stats_difference(counters->sibling_ticks[0], counters->sibling_ticks[1], repeats).median;
    const int64_t skew = other > measured ? other - measured : measured - other;

    sibling->passes[counters->pass - sibling->plan->passes].complete = true;
    if (measured <= 0)
        counters->skew = 1; /* windows that are all edge */
    else if ((double)skew > counters->skew * (double)measured)
        counters->skew = (double)skew / (double)measured;
}

static void add_pass(struct pass_result *to, const struct pass_result *from, unsigned readings,
                     unsigned repeats)
{
    for (unsigned i = 0; i < readings * 2 * repeats; i++)
        to->values[i] += from->values[i];
    for (unsigned i = 0; i < readings; i++)
        to->overflowed[i] = to->overflowed[i] || from->overflowed[i];
}

void sibling_counters_add(struct measurement *to, const struct measurement *from)
{
    for (unsigned i = 0; i < to->plan->pass_count; i++) {
        if (to->passes[i].complete)
            add_pass(&to->passes[i], &from->passes[i], to->plan->passes[i].reading_count,
                     to->repeats);
    }
}
