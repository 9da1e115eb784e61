#include "job.h"

#include "harness/window/kernel_run.h"
#include "measure.h"

/* Lets the corunner begin and waits until it has. */
static bool start_corunner(const struct job *job)
{
    rendezvous_signal(&job->rendezvous->prepared);
    if (rendezvous_wait(&job->rendezvous->begun, RENDEZVOUS_US))
        return true;
    measurement_fail(job->measurement, RC_TIMEOUT, "the corunner did not begin");
    return false;
}

static void measure(const struct job *job)
{
    if (job->rendezvous != NULL && !start_corunner(job))
        return;
    measure_passes(job->measurement);
    if (job->rotation != NULL && job->measurement->rc == RC_OK)
        (void)rotation_run(job->measurement, job->rotation);
    if (job->pebs != NULL && job->measurement->rc == RC_OK)
        (void)pebs_windows_run(job->measurement, job->pebs);
}

void job_work(void *argument)
{
    const struct job *job = argument;

    if (job == NULL)
        return;
    if (job->corunner != NULL) {
        corunner_run(job->corunner, job->rendezvous);
        return;
    }
    if (job->length != NULL) {
        window_length_find(job->length, job->measurement);
        return;
    }
    kernel_run_begin(job->measurement);
    measure(job);
    kernel_run_end(job->measurement);
    if (job->rendezvous != NULL)
        rendezvous_signal(&job->rendezvous->over);
}
