#include "outcome_pebs.h"

#include "boot/firmware/memory.h"
#include "boot/text.h"
#include "harness/judge/verdict_pebs.h"
#include "harness/report/records_pebs.h"
#include "outcome_verdicts.h"

bool pebs_setup_memory(struct lane *lane)
{
    struct pebs_sampling *sampling = memory_alloc(sizeof(*sampling));

    if (sampling == NULL)
        return false;
    sampling->area = memory_alloc(sizeof(*sampling->area));
    sampling->buffer = memory_alloc(PEBS_BUFFER_BYTES);
    lane->pebs = sampling;
    return sampling->area != NULL && sampling->buffer != NULL;
}

struct pebs_sampling *pebs_setup_kernel(const struct run *run, struct lane *lane,
                                        const struct kernel *kernel)
{
    const struct measured_core *core = lane->core;
    struct pebs_sampling *sampling = lane->pebs;

    if (sampling == NULL || kernel->doses > 0)
        return NULL;
    sampling->causes = kernel_causes_of(kernel->name);
    sampling->done = false;
    if (sampling->causes == NULL)
        return NULL;
    sampling->events = (uint64_t)PEBS_EVENTS * run->config.scale;
    sampling->absent = pebs_absent(&core->facts, core->description);
    memset(sampling->uses, 0, sizeof(sampling->uses));
    for (unsigned use = 0; use < PEBS_USES; use++)
        sampling->uses[use].absent =
            sampling->absent != NULL
                ? sampling->absent
                : pebs_plan(&sampling->uses[use].plan, &core->facts, core->description,
                            (enum pebs_use)use, (uint64_t)(uintptr_t)sampling->area);
    return sampling;
}

/* The lane's sampling of this kernel; null: none was wanted. */
static const struct pebs_sampling *sampling_of(const struct lane *lane)
{
    return lane->job.pebs;
}

void outcome_pebs_records(const struct lane *lane)
{
    const struct pebs_sampling *sampling = sampling_of(lane);

    if (sampling == NULL || !sampling->done)
        return;
    for (unsigned use = 0; use < PEBS_USES; use++)
        for (unsigned threshold = 0; threshold < PEBS_THRESHOLDS; threshold++)
            if (sampling->uses[use].absent == NULL)
                record_pebs(lane->core, &lane->measurement, sampling, (enum pebs_use)use,
                            (enum pebs_threshold)threshold);
}

/* Why the use has no records; null: it has. */
static const char *missing(const struct lane *lane, const struct trial *trial, unsigned use)
{
    const struct pebs_sampling *sampling = sampling_of(lane);

    if (trial->blocked != NULL)
        return trial->blocked;
    if (sampling->uses[use].absent != NULL)
        return sampling->uses[use].absent;
    if (sampling->done)
        return NULL;
    return lane->measurement.what != NULL ? lane->measurement.what : "nothing was sampled";
}

void outcome_pebs_judge(struct run *run, const struct lane *lane, const struct trial *trial)
{
    const struct pebs_sampling *sampling = sampling_of(lane);

    for (unsigned use = 0; sampling != NULL && use < PEBS_USES; use++) {
        const char *why = missing(lane, trial, use);

        if (why != NULL) {
            verdict_pebs_absent(outcome_verdicts_next(run), trial, (enum pebs_use)use, why);
            continue;
        }
        for (unsigned promise = 0; promise < PEBS_PROMISES; promise++)
            if (verdict_pebs_applies(&sampling->uses[use].plan, (enum pebs_promise)promise))
                verdict_pebs(outcome_verdicts_next(run), trial, sampling, (enum pebs_use)use,
                             (enum pebs_promise)promise);
    }
}
