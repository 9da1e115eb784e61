/* What a core is given to do: to be measured, alone or with a corunner, or to be the corunner. */
#ifndef HARNESS_MEASURE_JOB_H
#define HARNESS_MEASURE_JOB_H

#include "corunner.h"
#include "harness/experiment/multiplex/rotation.h"
#include "harness/experiment/pebs/pebs_windows.h"
#include "window_length.h"

struct job {
    struct measurement *measurement; /* null: this core is the corunner */
    struct window_length *length;    /* nothing is measured, only this is found; null: measure */
    struct rotation *rotation;       /* what follows the measurement's passes, null: nothing */
    struct pebs_sampling *pebs;      /* what follows that, null: nothing */
    struct corunner *corunner;       /* null: this core is the measured one */
    struct rendezvous *rendezvous;   /* of the two cores; null: the measured core is alone */
};

/* Does a struct job; for cores_run. Null is no job: the core has no part in this. */
void job_work(void *job);

#endif
