#include "corunner.h"

#include "boot/machine/nap.h"

static void call(const struct corunner *corunner, void (*routine)(void))
{
    if (routine != NULL)
        kernel_call(routine, corunner->n, corunner->arena, corunner->arena_bytes, corunner->dose);
}

/* Time since the corunner began, by what it did. */
struct shift {
    uint64_t begun, halted;
};

/* Halts for as long as its work so far allows, once that is worth a nap. */
static void halt_for_duty(const struct corunner *corunner, struct shift *shift)
{
    const uint64_t now = clock_now(), worked = now - shift->begun - shift->halted;
    const uint64_t due = worked * (100 - corunner->duty) / corunner->duty;

    if (due < shift->halted + corunner->nap_ticks)
        return;
    nap_take(due - shift->halted);
    shift->halted += clock_now() - now;
}

static void run_rounds(struct corunner *corunner, struct rendezvous *rendezvous)
{
    struct deadline deadline = clock_deadline(corunner->timeout_us);
    struct shift shift = {0, 0};

    call(corunner, corunner->prepare);
    if (!rendezvous_wait(&rendezvous->prepared, RENDEZVOUS_US)) {
        corunner->late = true;
        return;
    }
    if (corunner->duty != 0)
        shift.begun = clock_now();
    while (!rendezvous_signalled(&rendezvous->over)) {
        if (clock_passed_working(&deadline)) {
            corunner->late = true;
            return;
        }
        call(corunner, corunner->reset);
        call(corunner, corunner->routine);
        corunner->rounds++;
        rendezvous_signal(&rendezvous->begun);
        if (corunner->duty != 0)
            halt_for_duty(corunner, &shift);
    }
}

static void run_in_shifts(struct corunner *corunner, struct rendezvous *rendezvous)
{
    corunner->no_timer = !nap_begin(corunner->core);
    if (corunner->no_timer)
        rendezvous_signal(&rendezvous->begun);
    else
        run_rounds(corunner, rendezvous);
    nap_end(corunner->core);
}

void corunner_run(struct corunner *corunner, struct rendezvous *rendezvous)
{
    if (corunner->duty != 0) {
        run_in_shifts(corunner, rendezvous);
    } else if (corunner->sibling_counters == NULL) {
        run_rounds(corunner, rendezvous);
    } else if (measurement_keep_plan(corunner->sibling)) {
        sibling_counters_open(corunner->sibling_counters);
        run_rounds(corunner, rendezvous);
        sibling_counters_close();
    } else {
        corunner->late = true;
    }
}
