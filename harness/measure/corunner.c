#include "corunner.h"

#include "sibling_counters.h"

static void go_rounds(struct corunner *corunner, struct rendezvous *rendezvous)
{
    const uint64_t deadline = clock_deadline(corunner->timeout_us);

    if (corunner->prepare != NULL)
        kernel_call(corunner->prepare, corunner->n, corunner->arena, corunner->arena_bytes,
                    corunner->dose);
    if (!rendezvous_wait(&rendezvous->prepared, RENDEZVOUS_US)) {
        corunner->late = true;
        return;
    }
    while (!rendezvous_signalled(&rendezvous->over)) {
        if (clock_passed(deadline)) {
            corunner->late = true;
            return;
        }
        if (corunner->reset != NULL)
            kernel_call(corunner->reset, corunner->n, corunner->arena, corunner->arena_bytes,
                        corunner->dose);
        kernel_call(corunner->routine, corunner->n, corunner->arena, corunner->arena_bytes,
                    corunner->dose);
        corunner->rounds++;
        rendezvous_signal(&rendezvous->begun);
    }
}

static void corun(struct corunner *corunner, struct rendezvous *rendezvous)
{
    if (corunner->sibling_counters == NULL) {
        go_rounds(corunner, rendezvous);
    } else if (sibling_counters_open(corunner->sibling_counters)) {
        go_rounds(corunner, rendezvous);
        sibling_counters_close();
    } else {
        corunner->late = true;
    }
}

void corunner_work(void *argument)
{
    struct job *job = argument;

    if (job == NULL)
        return;
    if (job->corunner != NULL)
        corun(job->corunner, job->rendezvous);
    if (job->measurement != NULL) {
        measure_work(job->measurement);
        rendezvous_signal(&job->rendezvous->over);
    }
}
