#include "launch.h"

#include "boot/machine/cores.h"
#include "boot/format.h"
#include "boot/log.h"
#include "harness/timeline/timeline_run.h"
#include "progress.h"

/* RC_OK, or as cores_run_all. */
static enum rc run_with_corunner(struct lane *lane, uint64_t timeout_us)
{
    struct job corunner = {.corunner = &lane->corunner, .rendezvous = &lane->rendezvous};
    void *jobs[CORES_MAX] = {NULL};
    enum rc rc;

    jobs[lane->core->core] = &lane->job;
    jobs[lane->corunner_core->core] = &corunner;
    rc = cores_run_all(job_work, jobs, timeout_us);
    if (!cores_place(lane->corunner_core->core)->online)
        measured_core_lose(lane->corunner_core, "it did not come back from being the corunner");
    if (lane->corunner.late && lane->measurement.what == NULL)
        measurement_fail(&lane->measurement, RC_TIMEOUT, "the corunner ended too early");
    return rc;
}

/* Does a lane's job; null is no lane: the core has no part in this. */
static void lane_work(void *argument)
{
    struct lane *lane = argument;

    if (lane == NULL)
        return;
    if (lane->in_timeline)
        timeline_run(&lane->measurement, lane->timeline);
    else
        job_work(&lane->job);
}

/* All lanes at once. RC_OK, or as cores_run_all. */
static enum rc run_together(struct lane *lanes, unsigned count, uint64_t timeout_us)
{
    void *working[CORES_MAX] = {NULL};

    for (unsigned i = 0; i < count; i++) {
        if (lanes[i].ready && !lanes[i].idle)
            working[lanes[i].core->core] = &lanes[i];
    }
    return cores_run_all(lane_work, working, timeout_us);
}

static void lose(struct lane *lane, const char *kernel, unsigned seconds, bool trapped)
{
    struct measured_core *core = lane->core;
    char why[sizeof(core->why)], where[80];

    if (trapped)
        format(why, sizeof(why), "core %u trapped in %s", core->core, kernel);
    else
        format(why, sizeof(why), "core %u did not come back from %s within %u s", core->core,
               kernel, seconds);
    measured_core_lose(core, why);
    format(where, sizeof(where), "core %u, kernel %s", core->core, kernel);
    log_error(why, where, "the kernel returns");
    format(lane->blocked, sizeof(lane->blocked), "%s", why);
    lane->failed = true;
    lane->ready = false;
}

/* Called when the work failed. cores_run runs a single core, which is then the one that failed;
 * cores_run_all takes the cores that failed offline. */
static bool came_back(const struct lane *lane, unsigned count)
{
    const bool alone = count == 1 && lane->corunner_core == NULL;

    return !alone && cores_place(lane->core->core)->online;
}

void launch_lanes(struct run *run, struct lane *lanes, unsigned count, const char *kernel)
{
    const uint64_t timeout_us = (uint64_t)run->config.timeout * 1000000;
    unsigned ready = 0;
    enum rc rc;

    for (unsigned i = 0; i < count; i++)
        ready += lanes[i].ready && !lanes[i].idle;
    if (ready == 0)
        return;
    progress_launch(run, lanes, count);
    run->kernel_running = kernel;
    if (count > 1)
        rc = run_together(lanes, count, timeout_us);
    else if (lanes->corunner_core != NULL)
        rc = run_with_corunner(lanes, timeout_us);
    else
        rc = cores_run(lanes->core->core, lane_work, lanes, timeout_us);
    run->kernel_running = NULL;
    for (unsigned i = 0; rc != RC_OK && i < count; i++) {
        if (lanes[i].ready && !lanes[i].idle && !came_back(&lanes[i], count))
            lose(&lanes[i], kernel, run->config.timeout, rc == RC_FAULT);
    }
}
