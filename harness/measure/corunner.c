#include "corunner.h"

static void call(const struct corunner *corunner, void (*routine)(void))
{
    if (routine != NULL)
        kernel_call(routine, corunner->n, corunner->arena, corunner->arena_bytes, corunner->dose);
}

static void run_rounds(struct corunner *corunner, struct rendezvous *rendezvous)
{
    struct deadline deadline = clock_deadline(corunner->timeout_us);

    call(corunner, corunner->prepare);
    if (!rendezvous_wait(&rendezvous->prepared, RENDEZVOUS_US)) {
        corunner->late = true;
        return;
    }
    while (!rendezvous_signalled(&rendezvous->over)) {
        if (clock_passed_working(&deadline)) {
            corunner->late = true;
            return;
        }
        call(corunner, corunner->reset);
        call(corunner, corunner->routine);
        corunner->rounds++;
        rendezvous_signal(&rendezvous->begun);
    }
}

void corunner_run(struct corunner *corunner, struct rendezvous *rendezvous)
{
    if (corunner->sibling_counters == NULL) {
        run_rounds(corunner, rendezvous);
    } else if (measurement_keep_plan(corunner->sibling)) {
        sibling_counters_open(corunner->sibling_counters);
        run_rounds(corunner, rendezvous);
        sibling_counters_close();
    } else {
        corunner->late = true;
    }
}
