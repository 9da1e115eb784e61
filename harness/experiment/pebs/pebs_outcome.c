#include "pebs_outcome.h"

#include "boot/firmware/memory.h"
#include "boot/text.h"
#include "records_pebs.h"

struct pebs_sampling *pebs_take(void)
{
    struct pebs_sampling *sampling = memory_alloc(sizeof(*sampling));

    if (sampling == NULL)
        return NULL;
    sampling->area = memory_alloc(sizeof(*sampling->area));
    sampling->buffer = memory_alloc(PEBS_BUFFER_BYTES);
    return sampling->area != NULL && sampling->buffer != NULL ? sampling : NULL;
}

struct pebs_sampling *pebs_prepare(struct pebs_sampling *sampling, const struct measured_core *core,
                                   const struct kernel *kernel, uint32_t scale)
{
    const uint64_t area = (uint64_t)(uintptr_t)(sampling != NULL ? sampling->area : NULL);

    if (sampling == NULL || kernel->doses > 0)
        return NULL;
    sampling->causes = kernel_causes_of(kernel->name);
    sampling->done = false;
    if (sampling->causes == NULL)
        return NULL;
    sampling->events = (uint64_t)PEBS_EVENTS * scale;
    sampling->absent = pebs_absent(&core->facts, core->description);
    memset(sampling->uses, 0, sizeof(sampling->uses));
    for (unsigned use = 0; use < PEBS_USES; use++)
        sampling->uses[use].absent = sampling->absent != NULL
                                         ? sampling->absent
                                         : pebs_plan(&sampling->uses[use].plan, &core->facts,
                                                     core->description, (enum pebs_use)use, area);
    return sampling;
}

void pebs_report(const struct measured_core *core, const struct measurement *m,
                 const struct pebs_sampling *sampling)
{
    if (sampling == NULL || !sampling->done)
        return;
    for (unsigned use = 0; use < PEBS_USES; use++)
        for (unsigned threshold = 0; threshold < PEBS_THRESHOLDS; threshold++)
            if (sampling->uses[use].absent == NULL &&
                sampling->uses[use].tallies[threshold].windows > 0)
                record_pebs(core, m, sampling, (enum pebs_use)use, (enum pebs_threshold)threshold);
}

/* Why the use has no records; null: it has. */
static const char *missing(const struct pebs_sampling *sampling, const struct trial *trial,
                           const char *what, unsigned use)
{
    if (trial->blocked != NULL)
        return trial->blocked;
    if (sampling->uses[use].absent != NULL)
        return sampling->uses[use].absent;
    if (sampling->done)
        return NULL;
    return what != NULL ? what : "nothing was sampled";
}

void pebs_judge(const struct pebs_sampling *sampling, const struct trial *trial, const char *what,
                struct verdict *(*next)(void *context), void *context)
{
    for (unsigned use = 0; sampling != NULL && use < PEBS_USES; use++) {
        const char *why = missing(sampling, trial, what, use);

        if (why != NULL) {
            verdict_pebs_absent(next(context), trial, (enum pebs_use)use, why);
            continue;
        }
        for (unsigned promise = 0; promise < PEBS_PROMISES; promise++)
            if (verdict_pebs_applies(&sampling->uses[use].plan, (enum pebs_promise)promise))
                verdict_pebs(next(context), trial, sampling, (enum pebs_use)use,
                             (enum pebs_promise)promise);
    }
}
