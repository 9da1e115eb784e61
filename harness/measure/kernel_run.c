#include "kernel_run.h"

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
        return true;
    }
    return cell_run(m->cell, window->n, &counting) || fails(m, "the kernel did not come back");
}

bool kernel_run_disturbed(const struct measurement *m)
{
    return m->cell != NULL && cell_disturbed(m->cell);
}

bool kernel_run_failed(const struct measurement *m)
{
    return m->cell != NULL && cell_report(m->cell)->end != CELL_RETURNED;
}
