#include "measure.h"

#include "boot/text.h"
#include "measured_window.h"
#include "pmu/lbr_decode.h"

/* How many disturbed windows of one pass are run again, for each repeat asked for. */
#define RETRIES_PER_REPEAT 4u

void measure_prepare(const struct measurement *m)
{
    if (m->kernel->prepare != NULL)
        kernel_call(m->kernel->prepare, m->n, m->arena, m->arena_bytes, m->dose);
}

static void run_uncounted(const struct measurement *m)
{
    if (m->kernel->reset != NULL)
        kernel_call(m->kernel->reset, m->n, m->arena, m->arena_bytes, m->dose);
    kernel_call(m->kernel->code, m->n, m->arena, m->arena_bytes, m->dose);
}

/* Windows of the first pass that is not done, n and 2n in turn, thrown away: caches, predictors and
 * the branches around the window are then as in the windows that follow. */
static bool warm_up(struct measurement *m)
{
    const struct pass *pass = &m->plan->passes[m->first_pass];
    struct raw_counts raw;
    enum guard guard;

    for (unsigned i = 0; i < m->warmup; i++)
        for (unsigned twice = 0; twice < 2; twice++)
            if (!measured_window_try(m, pass, twice != 0 ? 2 * m->n : m->n, &raw, &guard))
                return false;
    return true;
}

static bool run_pass(struct measurement *m, unsigned number)
{
    const struct pass *pass = &m->plan->passes[number];
    unsigned retries = m->repeats * RETRIES_PER_REPEAT;
    struct raw_counts raw;

    for (unsigned repeat = 0; repeat < m->repeats; repeat++) {
        for (unsigned twice = 0; twice < 2; twice++) {
            if (!measured_window_count(m, pass, twice != 0 ? 2 * m->n : m->n, &raw, &retries))
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

/* In an extra window, in which no counter counts. */
static void record_branches(struct measurement *m)
{
    uint64_t words[LBR_WORDS];
    uint32_t msr = 0;
    struct pass pass;

    lbr_pass(&pass, &m->lbr_plan);
    if (!measurement_keep(m, m->lbr_plan.keep, m->lbr_plan.keep_count) ||
        !measured_window_run(m, &pass, m->n))
        return;
    if (lbr_take(&m->lbr_plan, words, &msr) != RC_OK) {
        measurement_fail_register(m, RC_FAULT, "reading a branch record", msr);
        return;
    }
    lbr_decode(&m->lbr_plan, words, &m->lbr);
    m->branches_taken = true;
}

void measure_passes(struct measurement *m)
{
    if (m->plan == NULL || m->plan->pass_count == 0) {
        run_uncounted(m);
        return;
    }
    if (!measurement_keep_plan(m) || !warm_up(m))
        return;
    guards_begin(&m->registers->guards);
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++) {
        /* A pass with too many disturbed windows does not keep the next from being tried. */
        if (!run_pass(m, i) && m->rc == RC_FAULT)
            return;
    }
    if (m->branches && !m->branches_taken)
        record_branches(m);
}
