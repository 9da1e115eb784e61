/* Runs the rig, and as many runs at once as there are processors. */
#ifndef TESTS_SWEEP_RUN_H
#define TESTS_SWEEP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "table.h"

struct setup {
    const char *rig, *image; /* files */
    const char *work;        /* the folder of all runs' folders */
    bool points;             /* the rig has --fault-points */
    unsigned seconds;        /* of a processor, for a run */
};

/* Boots the image in `folder`, which is made anew. `args` are added to those of the base, `more` to
 * the rig's options, `faults` are separated by blanks; each may be "". Returns the rig's status, -1
 * when a signal ended it. */
int run_rig(const struct setup *setup, const struct base *base, const char *folder,
            const char *args, const char *more, const char *faults);
/* A name for the folder of a run. */
void run_folder(const struct setup *setup, char *folder, size_t size, const char *name, size_t base,
                size_t number);
/* Removes a run's folder. */
void run_remove(const char *folder);

/* Works through `count` jobs, `at_once` of them in processes of their own; what a job has put into
 * its result is given to `take`, in whichever order they end. A job that a signal ends gives "". */
struct jobs {
    size_t count;
    unsigned at_once;
    time_t until; /* no job begins later; 0: all do */
    void *context;
    void (*work)(void *context, size_t job, char *result, size_t size);
    void (*take)(void *context, size_t job, const char *result);
};
bool run_jobs(const struct jobs *jobs);

#endif
