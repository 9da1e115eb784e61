#include "measure.h"

#include "boot/text.h"
#include "harness/experiment/branches/recording.h"
#include "harness/window/kernel_run.h"
#include "harness/window/measured_window.h"
#include "harness/window/settle.h"
#include "pmu/pass_turn.h"

/* How many disturbed windows of one pass are run again, for each repeat asked for. */
#define RETRIES_PER_REPEAT 4u

/* Whether the next pass can be tried after one that failed. A register that faults is this pass's
 * own; a sibling that does not answer, or miscounts, will not in the next pass either. */
static bool goes_on(struct measurement *m, unsigned pass)
{
    if (kernel_run_failed(m))
        return false;
    if (m->rc != RC_FAULT)
        return true; /* too many disturbed windows */
    return m->sibling_counters == NULL && measurement_give_up(m, pass);
}

static bool warm_up_with(struct measurement *m, const struct pass *pass)
{
    struct raw_counts raw;
    enum guard guard;

    for (unsigned i = 0; i < m->warmup; i++)
        for (unsigned twice = 0; twice < 2; twice++)
            if (!measured_window_try(m, pass, twice != 0 ? 2 * m->n : m->n, &raw, &guard))
                return false;
    return true;
}

/* Windows of the first pass that is not done and does not fail, n and 2n in turn, thrown away:
 * caches, predictors and the branches around the window are then as in the windows that follow. */
static bool warm_up(struct measurement *m)
{
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++) {
        if (m->passes[i].why != NULL)
            continue;
        if (warm_up_with(m, &m->plan->passes[i]))
            return true;
        if (!goes_on(m, i))
            return false;
    }
    return false;
}

/* In each repeat the events are on other counters, as far as they may be: one that miscounts does
 * so for another event each time. */
static bool run_pass(struct measurement *m, unsigned number)
{
    const struct pass *pass = &m->plan->passes[number];
    unsigned retries = m->repeats * RETRIES_PER_REPEAT;
    struct raw_counts raw;

    for (unsigned repeat = 0; repeat < m->repeats; repeat++) {
        for (unsigned twice = 0; twice < 2; twice++) {
            pass_turn(&m->turned, pass, repeat); /* before each: windows of n and of 2n are alike */
            if (!measured_window_count(m, &m->turned, twice != 0 ? 2 * m->n : m->n, &raw, &retries))
                return false;
            measurement_store(m, pass, &raw, twice != 0, repeat);
            if (m->sibling_counters == NULL)
                continue;
            sibling_counters_take(m->sibling_counters, &raw, twice != 0, repeat);
            measurement_store(m->sibling, pass, &raw, twice != 0, repeat);
        }
    }
    m->passes[number].complete = true;
    if (m->sibling_counters != NULL) {
        sibling_counters_complete(m->sibling_counters, m->repeats);
        m->sibling->passes[number].complete = true;
    }
    return true;
}

void measure_passes(struct measurement *m)
{
    if (kernel_run_failed(m))
        return;
    if (m->plan == NULL || m->plan->pass_count == 0) {
        settle_run(m);
        return;
    }
    if (!measurement_keep_passes(m) || !kernel_run_spares(m) || !warm_up(m))
        return;
    settle(m);
    m->unsteady = guards_unsteady(&m->registers->guards);
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++)
        if (m->passes[i].why == NULL && !run_pass(m, i) && !goes_on(m, i))
            return;
    recordings_take(m);
}
