#include "sibling_counters.h"

#include "boot/clock.h"
#include "boot/interrupt_safe.h"
#include "boot/machine/interrupt.h"
#include "boot/msr.h"

/* How long the sibling may take to answer: an emulator may starve it. */
#define ANSWER_US 1000000

/* Within the NMI. Counting starts as late as it can and stops at once. */
INTERRUPT_SAFE static bool answer(void *context)
{
    struct sibling_counters *counters = context;
    const struct pass *pass = counters->pass;
    const uint32_t requested = __atomic_load_n(&counters->requested, __ATOMIC_ACQUIRE);

    if (requested == counters->done)
        return false;
    if (requested % 2 != 0) {
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
            counters->rc = counters_take(pass, counters->facts, &counters->raw, &counters->at);
    }
    __atomic_store_n(&counters->done, requested, __ATOMIC_RELEASE);
    return true;
}

void sibling_counters_open(struct sibling_counters *counters)
{
    interrupt_answer(answer, counters);
}

void sibling_counters_close(void)
{
    interrupt_answer(NULL, NULL);
}

/* Asks the sibling for its next step and waits until it is done. */
static const char *request(struct sibling_counters *counters)
{
    const uint32_t number = counters->requested + 1;
    struct deadline deadline = clock_deadline(ANSWER_US);

    __atomic_store_n(&counters->requested, number, __ATOMIC_RELEASE);
    if (interrupt_core(counters->cores[1]) != RC_OK)
        return "the sibling could not be interrupted";
    while (__atomic_load_n(&counters->done, __ATOMIC_ACQUIRE) != number) {
        if (clock_passed(&deadline))
            return "the sibling did not answer an NMI";
        __builtin_ia32_pause();
    }
    return counters->rc == RC_OK ? NULL : "a counter of the sibling failed";
}

const char *sibling_counters_begin(struct sibling_counters *counters, const struct pass *pass)
{
    const char *failure;

    counters->pass = pass;
    failure = request(counters);
    counters->before = clock_now();
    return failure;
}

const char *sibling_counters_end(struct sibling_counters *counters)
{
    counters->after = clock_now();
    return request(counters);
}

void sibling_counters_take(struct sibling_counters *counters, struct raw_counts *raw, bool twice,
                           unsigned repeat)
{
    counters_make(counters->pass, &counters->raw);
    *raw = counters->raw;
    counters->measured_ticks[twice][repeat] = counters->after - counters->before;
    counters->sibling_ticks[twice][repeat] = counters->ended - counters->started;
}

void sibling_counters_complete(struct sibling_counters *counters, unsigned repeats)
{
    const int64_t measured =
        stats_difference(counters->measured_ticks[0], counters->measured_ticks[1], repeats).median;
    const int64_t sibling =
        stats_difference(counters->sibling_ticks[0], counters->sibling_ticks[1], repeats).median;
    const int64_t skew = sibling > measured ? sibling - measured : measured - sibling;

    counters->passes++;
    if (measured <= 0)
        counters->edges_only = true;
    else if ((double)skew > counters->skew * (double)measured)
        counters->skew = (double)skew / (double)measured;
}

bool sibling_counters_skew(const struct sibling_counters *counters, double *skew)
{
    *skew = counters->skew;
    return counters->passes > 0 && !counters->edges_only;
}
