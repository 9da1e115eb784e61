#include "kernel_run.h"

#include "boot/msr.h"

static void call(const struct measurement *m, void (*routine)(void), uint64_t n)
{
    if (routine != NULL)
        kernel_call(routine, n, m->arena, m->arena_bytes, m->dose);
}

static bool fails(struct measurement *m, const char *why)
{
    measurement_fail(m, RC_FAULT, why);
    return false;
}

void kernel_run_begin(struct measurement *m)
{
    const char *why;

    /* A part of a drill-down goes on where the part before it ended: a random sequence that began
     * anew would be known to the predictors. */
    if (m->first_pass == 0)
        call(m, m->kernel->prepare, m->n);
    if (m->cell == NULL)
        return;
    why = cell_open(m->cell);
    if (why != NULL)
        (void)fails(m, why);
    else if (!cell_try(m->cell, m->n) || !cell_try(m->cell, 2 * m->n))
        (void)fails(m, "the kernel did not come back from its trial");
}

void kernel_run_end(const struct measurement *m)
{
    if (m->cell != NULL)
        cell_close();
}

void kernel_run_reset(const struct measurement *m, uint64_t n)
{
    call(m, m->kernel->reset, n);
}

void kernel_run_once(const struct measurement *m, uint64_t n)
{
    if (m->cell != NULL)
        (void)cell_run(m->cell, n, NULL);
    else
        call(m, m->kernel->code, n);
}

bool kernel_run_window(struct measurement *m, const struct window *window)
{
    const struct cell_counting counting = {
        .msr = window->msr,
        .enable = window->enable,
        .disable = window->disable,
        .cold = m->sibling_counters != NULL, /* which count already */
    };

    if (m->cell == NULL) {
        window_run(window);
        return !kernel_run_failed(m) || fails(m, "the kernel did not come back from ring 3");
    }
    return cell_run(m->cell, window->n, &counting) || fails(m, "the kernel did not come back");
}

bool kernel_run_disturbed(const struct measurement *m)
{
    return m->cell != NULL && cell_disturbed(m->cell);
}

bool kernel_run_failed(const struct measurement *m)
{
    const struct ring_3 *ring_3 = m->registers->ring_3;

    if (m->cell == NULL)
        return ring_3 != NULL && ring_3->traps->ring_3;
    return cell_report(m->cell)->end != CELL_RETURNED;
}

/* ---- what an own kernel does to the counters ---- */

/* The registers of a pass: those of its setup, then the one that starts it. */
static uint32_t register_of(const struct pass *pass, unsigned index)
{
    return index < pass->setup_count ? pass->setup[index].msr : pass->enable.msr;
}

static bool selects_counter(const struct pass *pass, uint32_t msr)
{
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (pass_selects(pass, i, msr))
            return true;
    return false;
}

/* Whether the register neither counts nor starts counting: a window leaves it as it is. */
static bool only_selects(const struct pass *pass, uint32_t msr)
{
    return msr != pass->enable.msr &&
           (selects_counter(pass, msr) || msr == IA32_FIXED_CTR_CTRL || msr == MSR_PEBS_FRONTEND ||
            msr == MSR_PEBS_LD_LAT || msr == MSR_OFFCORE_RSP_0 || msr == MSR_OFFCORE_RSP_0 + 1);
}

static void note(const struct pass *pass, struct kernel_run_selects *selects, bool selects_alone)
{
    for (unsigned i = 0; i <= pass->setup_count; i++)
        selects->known[i] = (!selects_alone || only_selects(pass, register_of(pass, i))) &&
                            msr_read(register_of(pass, i), &selects->value[i]);
}

/* False: the kernel wrote a register, or it faults now. */
static bool same(struct measurement *m, const struct pass *pass,
                 const struct kernel_run_selects *selects)
{
    bool all = true;

    for (unsigned i = 0; i <= pass->setup_count; i++) {
        struct cell_change change = {.msr = register_of(pass, i), .was = selects->value[i]};

        if (!selects->known[i] || (msr_read(change.msr, &change.is) && change.is == change.was))
            continue;
        change.back = msr_write(change.msr, change.was);
        cell_note(m->cell, &change);
        if (all)
            measurement_fail_register(m, RC_FAULT, "the kernel writes what counts it", change.msr);
        all = false;
    }
    return all;
}

/* With the counters counting: whether the kernel stops them. */
static bool lets_count(struct measurement *m, const struct pass *pass)
{
    struct cell_change change = {.msr = pass->enable.msr};
    bool counts;

    if (!msr_write(pass->enable.msr, pass->enable.value) ||
        !msr_read(pass->enable.msr, &change.was))
        return true; /* no window of the pass is any better */
    m->registers->windows++;
    kernel_run_once(m, m->n);
    counts = msr_read(change.msr, &change.is) && change.is == change.was;
    change.back = msr_write(change.msr, pass->disable);
    if (counts || kernel_run_failed(m))
        return true;
    cell_note(m->cell, &change);
    measurement_fail_register(m, RC_FAULT, "the kernel writes what counts it", change.msr);
    return false;
}

static const struct pass *first_pass(const struct measurement *m)
{
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++)
        if (m->passes[i].why == NULL)
            return &m->plan->passes[i];
    return NULL;
}

bool kernel_run_spares(struct measurement *m)
{
    const struct pass *pass = m->cell != NULL ? first_pass(m) : NULL;
    struct kernel_run_selects selects;

    if (pass == NULL)
        return true;
    if (!measurement_set_up(m, pass)) { /* the pass meets that again, and is given up */
        m->rc = RC_OK;
        m->what = NULL;
        m->where[0] = '\0';
        return true;
    }
    note(pass, &selects, false);
    kernel_run_once(m, m->n);
    return !kernel_run_failed(m) && same(m, pass, &selects) && lets_count(m, pass) &&
           !kernel_run_failed(m);
}

void kernel_run_note(const struct measurement *m, const struct pass *pass,
                     struct kernel_run_selects *selects)
{
    if (m->cell != NULL)
        note(pass, selects, true);
}

bool kernel_run_kept(struct measurement *m, const struct pass *pass,
                     const struct kernel_run_selects *selects)
{
    return m->cell == NULL || same(m, pass, selects);
}
