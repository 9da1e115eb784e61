#include "launch.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/machine/ring_3.h"
#include "harness/experiment/timeline/timeline_run.h"
#include "harness/outcome/outcome_verdicts.h"
#include "harness/own/own_changes.h"
#include "harness/own/own_end.h"
#include "harness/run/progress.h"
#include "harness/survey/boot_waits.h"

/* The two cores of a kernel with a corunner are given so much longer, so that a core that waits for
 * the other one ends first: it must not be taken for the one that hangs. */
#define EACH_OTHER_US (RENDEZVOUS_US + 1000000u)

/* "trapped in be.mem.l2", or that the core did not come back from it. */
static const char *how_lost(char *text, size_t size, const struct measured_core *core,
                            const char *kernel, unsigned seconds)
{
    if (cores_place(core->core)->nmi_storm)
        format(text, size, "had a storm of NMIs that nobody asked for in %s", kernel);
    else if (cores_place(core->core)->trapped)
        format(text, size, "trapped in %s", kernel);
    else
        format(text, size, "did not come back from %s within %u s", kernel, seconds);
    return text;
}

/* The corunner's core is lost, and nothing says when: no window is known to have had a corunner. */
static void lose_corunner(struct run_verdicts *verdicts, struct lane *lane, const char *kernel,
                          unsigned seconds)
{
    const char *ran = lane->sibling_load != NULL ? lane->sibling_load->kernel->name : kernel;
    struct measured_core *core = lane->corunner_core;
    char how[80], why[sizeof(core->why)];

    how_lost(how, sizeof(how), core, ran, seconds);
    format(why, sizeof(why), "core %u %s, beside core %u", core->core, how, lane->core->core);
    measured_core_lose(core, why);
    outcome_verdicts_log_text(verdicts, false, "core %u %s runs beside core %u: %s", core->core,
                              ran, lane->core->core, why);
    lane_give_up(lane, why);
}

/* RC_OK, or as cores_run_all. */
static enum rc run_with_corunner(struct run_verdicts *verdicts, struct lane *lane,
                                 const char *kernel, unsigned seconds)
{
    struct job corunner = {.corunner = &lane->corunner, .rendezvous = &lane->rendezvous};
    void *jobs[CORES_MAX] = {NULL};
    enum rc rc;

    jobs[lane->core->core] = &lane->job;
    jobs[lane->corunner_core->core] = &corunner;
    rc = cores_run_all(job_work, jobs, (uint64_t)seconds * 1000000 + EACH_OTHER_US);
    if (!cores_place(lane->corunner_core->core)->online)
        lose_corunner(verdicts, lane, kernel, seconds);
    if (lane->corunner.late)
        lane_give_up(lane, "the corunner ended too early");
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

static void lose(struct lane *lane, const char *kernel, unsigned seconds)
{
    struct measured_core *core = lane->core;
    char why[sizeof(core->why)], where[80], how[80];

    how_lost(how, sizeof(how), core, kernel, seconds);
    format(why, sizeof(why), "core %u %s", core->core, how);
    measured_core_lose(core, why);
    format(where, sizeof(where), "core %u, kernel %s", core->core, kernel);
    log_error(why, where, "the kernel returns");
    format(lane->blocked, sizeof(lane->blocked), "%s", why);
    lane->failed = true;
    lane->ready = false;
}

/* The core cannot be given work any more, nor be interrupted. */
static void lose_apic(struct measured_core *core, const char *kernel)
{
    char why[sizeof(core->why)];

    cores_lose(core->core, "its local APIC is switched off and does not come back");
    format(why, sizeof(why), "core %u lost its local APIC in %s", core->core, kernel);
    measured_core_lose(core, why);
}

/* What a kernel of the user's own changed, and whether it was ended: the core goes on with the next
 * one. */
static void note_end(struct run_verdicts *verdicts, const struct own_kernel *list,
                     struct lane *lane)
{
    const struct measurement *m = &lane->measurement;
    const struct cell_report *report = m->cell != NULL ? cell_report(m->cell) : NULL;
    const struct own_kernel *own = own_kernel_of(list, m->kernel);
    struct measured_core *core = lane->core;
    char changed[200];

    if (own == NULL || report == NULL || lane->failed)
        return;
    if (own_changes_log(own, report, &core->facts, core->core, changed, sizeof(changed))) {
        outcome_verdicts_log_text(verdicts, false, "core %u %s changes only what is its own: %s",
                                  core->core, own->kernel.name, changed);
    }
    if (report->end == CELL_RETURNED)
        return;
    own_end_log(own, report, core->core);
    own_end_words(own, report, lane->blocked, sizeof(lane->blocked));
    if (report->end == CELL_APIC)
        lose_apic(core, own->kernel.name);
    lane->failed = true;
    lane->ready = false;
}

/* An exception in ring 3 ended a built-in kernel: the core goes on with the next one. */
static void note_trap(struct lane *lane, const char *kernel)
{
    const unsigned core = lane->core->core;
    const struct ring_3 *ring_3 = lane->core->registers.ring_3;
    const struct trap_frame *frame;
    struct json_line *record;
    char name[TRAP_WORDS], where[80];

    if (ring_3 == NULL || !ring_3->traps->ring_3)
        return;
    frame = &ring_3->traps->frame;
    format(lane->blocked, sizeof(lane->blocked), "%s at 0x%llx in ring 3", trap_words(frame, name),
           (unsigned long long)frame->rip);
    format(where, sizeof(where), "core %u, kernel %s, ring 3", core, kernel);
    record = log_error_record(lane->blocked, where,
                              "no exception; a privileged instruction needs ring = 0");
    json_line_unsigned(record, "core", core);
    json_line_text(record, "kernel", kernel);
    trap_describe(record, frame, ring_3->traps->cr2);
    log_send(record);
    ring_3->traps->ring_3 = false;
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
    const unsigned seconds = run->config.timeout;
    const uint64_t timeout_us = (uint64_t)seconds * 1000000;
    unsigned ready = 0;
    enum rc rc;

    for (unsigned i = 0; i < count; i++)
        ready += lanes[i].ready && !lanes[i].idle;
    if (ready == 0)
        return;
    progress_launch(&run->progress, &run->cores, &run->rounds, lanes, count);
    cores_name_work(kernel);
    if (count > 1)
        rc = run_together(lanes, count, timeout_us);
    else if (lanes->corunner_core != NULL)
        rc = run_with_corunner(&run->verdicts, lanes, kernel, seconds);
    else
        rc = cores_run(lanes->core->core, lane_work, lanes, timeout_us);
    cores_name_work(NULL);
    for (unsigned i = 0; rc != RC_OK && i < count; i++) {
        if (lanes[i].ready && !lanes[i].idle && !came_back(&lanes[i], count))
            lose(&lanes[i], kernel, seconds);
    }
    for (unsigned i = 0; i < count; i++) {
        boot_waits_look(lanes[i].core);
        if (lanes[i].ready && !lanes[i].idle)
            note_end(&run->verdicts, run->own, &lanes[i]);
        note_trap(&lanes[i], kernel);
    }
}
